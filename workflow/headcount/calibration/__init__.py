"""Whether the numbers can be trusted: data sets from populations whose truth is known, and what is made of them.

Conventions, for every study of this package:

- A *population* (`truths.POPULATIONS`, by name) says how agents answer an item. `parameters.truth` is what an estimate
  aims at: a law's own c and beta where the population obeys one exactly, else the law fitted to the population's curve.
- A *data set* is what one run would see: some items, answered by one team of each of `datasets.SIZES`. `datasets.draw`
  makes many at once, as one array (sets, items, columns) of what is averaged over items (`datasets.COLUMNS`).
- An *estimator* makes parameters from means over items, for any number of data sets and draws at once:
  (..., columns) -> (..., parameters). `parameters.estimate` is that of the coverage study.
- An *offer* (`offers.OFFERS`, by name) is a way to an interval: it makes low and high ends, each (sets, parameters).
- A *study* is a module with a function `part(name, data_sets, rng, say) -> DataFrame`. A part is a job of its own and
  one CSV, so that studies are made part by part, and resumed. `parts.STUDIES` names them all: the rules know no others.
  `data_sets` is how many data sets a part may use, `rng` its own generator, and `say` takes a line about its progress.
- Every number that simulation gave stands beside its Monte Carlo standard error, in a column named `..._se`.
"""
