"""A proof that a least-squares minimum is global: interval branch and bound over the box of (c,
beta).

R = 1 / (1 + c (N - 1) N^-beta) falls in c and rises in beta. So over a box of parameters R(N)
ranges exactly from its value at (highest c, lowest beta) to that at (lowest c, highest beta), and
no point of the box has a smaller sum of squares than the squared distances of the data from these
ranges. Boxes that cannot hold a point better than the claimed minimum are dropped, the others
quartered; if none is left, the claim is proven.
"""

import numpy as np


def is_global(n, r, claimed, c, beta, slack=1e-4, most=200_000):
    """Whether no (c, beta) in the box has a sum of squares below `claimed - slack`."""
    known = np.isfinite(r) & (n > 1)
    n, r = n[known], r[known]
    # c = w / (1 - w): the whole range of c in one bounded coordinate.
    boxes = np.array([[c[0] / (1 + c[0]), c[1] / (1 + c[1]), beta[0], beta[1]]])
    while boxes.size:
        if len(boxes) > most:
            raise RuntimeError("undecided: too many boxes")
        boxes = _quarter(boxes)
        boxes = boxes[_lower_bound(n, r, boxes) < claimed - slack]
    return True


def _lower_bound(n, r, boxes):
    w_low, w_high, beta_low, beta_high = (boxes[:, [i]] for i in range(4))
    least = _efficiency(n, w_high / (1 - w_high), beta_low)
    most = _efficiency(n, w_low / (1 - w_low), beta_high)
    distance = np.maximum(0, np.maximum(least - r, r - most))
    return (distance**2).sum(axis=1)


def _efficiency(n, c, beta):
    return 1 / (1 + c * (n - 1) / n**beta)


def _quarter(boxes):
    for low, high in ((0, 1), (2, 3)):
        middle = (boxes[:, low] + boxes[:, high]) / 2
        left, right = boxes.copy(), boxes.copy()
        left[:, high], right[:, low] = middle, middle
        boxes = np.concatenate([left, right])
    return boxes
