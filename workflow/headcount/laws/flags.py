"""What the flags beside a number mean: why it is missing, or what to mind when reading it."""

FLAGS = {
    "no_sizes": "No team size of two or more has a value, so there is nothing to fit.",
    "one_size": ("Only one team size has a value: c and beta cannot be told apart, and only Kish's rho is fitted."),
    "two_sizes": "Two parameters on two sizes: the curve passes through both, and R2 says nothing.",
    "few_sizes": "Fewer sizes than the form has parameters, so it is not fitted.",
    "interpolates": ("As many sizes as the form has parameters: it passes through all, and R2 says nothing."),
    "size_without_value": "A team size has no value above 0; the fit leaves that size out.",
    "beta_unidentified": "c is 0: every agent counts, and any beta fits as well.",
    "c_at_lower_bound": "c sits at the lower end of its range, and would fit better beyond it.",
    "c_at_upper_bound": "c sits at the upper end of its range, and would fit better beyond it.",
    "beta_at_lower_bound": (
        "beta sits at the lower end of its range, and would fit better beyond it: at 0 the "
        "correlation rises with N, and 1/c overstates the ceiling."
    ),
    "beta_at_upper_bound": ("beta sits at the upper end of its range, and would fit better beyond it."),
    "r2_undefined": "R is the same at every size, so it has no variance to explain.",
    "not_converged": (
        "The least-squares search stopped before its steps became negligible, or only a limit of the form fits best."
    ),
    "regime_undetermined": (
        "The interval of beta contains the border of the regimes, 0.1: the label is that of the point."
    ),
    "beta_zero_by_construction": (
        "Means over all teams of n agents who hear nobody agree as much at every n: beta is 0 by construction, and its "
        "interval has no width."
    ),
    "interval_collapsed": (
        "The interval of beta has no width because the resamples sit at the bound: this is no certainty."
    ),
    "group_without_beta": ("Without one of the groups of items there is no beta, as where c is 0: it has no interval."),
    "draws_without_beta": ("More than 5 % of the resamples give no beta; the interval rests on the others."),
    "one_item": ("There is one item, so resampling items says nothing about uncertainty: no interval."),
    "few_items": (
        "Fewer than 30 items: where nearly all or hardly any agents agree, intervals hold the truth less often than "
        "they say."
    ),
    "few_items_differ": (
        "At the smallest team size fewer than 5 items have a pair that disagrees, or fewer than 5 have one that "
        "agrees: c rests on those, and no interval can know more."
    ),
    "correctness_undefined": (
        "At a size all answers are right, or none: correctness does not vary, so it has no correlation there."
    ),
    "correctness_unbounded": (
        "At a size items differ in accuracy less than by chance, as far as can be: correctness correlates at "
        "-1/(N - 1), no finite number of independent agents would do, and the size is left out."
    ),
    "items_differ_by_size": ("Not every item was asked at every size; each size averages those it has."),
    "covariance_singular": (
        "Sizes err together in fewer directions than there are sizes, or items are hardly more than sizes: misfit "
        "has no measure."
    ),
    "predicts_nothing": (
        "The law predicts an effective size of 0 or less at a held-out size, which has no logarithm: no skill."
    ),
    "many_missing": ("A larger share of answers is missing than the limit: 5 % by default (arXiv 2606.02646, C.4)."),
}


def check(flags: list[str]) -> list[str]:
    """The flags, sorted and each once; an error for one that has no meaning here."""
    unknown = sorted(set(flags) - set(FLAGS))
    if unknown:
        raise KeyError(f"flags without a meaning in laws/flags.py: {unknown}")
    return sorted(set(flags))
