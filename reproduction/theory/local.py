"""Two learners for which online bagging was known to converge before the thesis (KDD section 2).

K nearest neighbours and contingency tables predict the majority class of training examples near the
query: the K nearest copies, or all that agree with it in every attribute. So the distribution of their
predictions follows from the copies of those examples alone, and can be computed. There are two
classes; a tie, and an empty sample, are class 0.
"""

import numpy as np
import scipy.stats

from .sampling import is_online, sample_size_law


def nearest_neighbours_law(scheme: str, labels: np.ndarray, k: int) -> np.ndarray:
    """Probability that K nearest neighbours, trained on a sample of the training set, predict class 1.

    A neighbour with several copies in the sample counts that many times. The recursion goes from the
    nearest neighbour outwards, with the joint distribution of the number of copies met (fewer than K)
    and the number of those in class 1. In batch the copies of the next neighbour are then distributed
    as Binomial(N − met, 1/(N − place)), online as Poisson(1), independent of the others.

    `labels`, of shape (n_questions, N), are the classes of all training examples in order of distance.

    With one neighbour, the nearest example decides if it is in the sample.

    >>> nearest_neighbours_law("batch", np.array([[1, 0, 0]]), k=1).round(4)
    array([0.7037])
    """
    online = is_online(scheme)
    n_questions, n = labels.shape
    law = np.zeros((n_questions, k, k + 1))  # by number of copies met, and of those in class 1
    law[:, 0, 0] = 1.0
    done = np.zeros(n_questions)
    copies = scipy.stats.poisson if online else scipy.stats.binom
    for place in range(n):
        after = np.zeros_like(law)
        is_one = labels[:, place] == 1
        for met in range(k):
            shape = (1,) if online else (n - met, 1 / (n - place))
            enough = copies.sf(k - met - 1, *shape)  # as many as needed, or more
            chances = [*copies.pmf(range(k - met), *shape), enough]
            for more, chance in enumerate(chances):
                for ones in range(met + 1):
                    moved = chance * law[:, met, ones]
                    if met + more < k:
                        after[~is_one, met + more, ones] += moved[~is_one]
                        after[is_one, met + more, ones + more] += moved[is_one]
                    else:
                        done += moved * (2 * (ones + more * is_one) > k)
        law = after
        if law.sum() < 1e-18:
            break
    few, ones_of_few = np.indices((k, k + 1))  # the sample had fewer than K copies
    return done + (law * (2 * ones_of_few > few)).sum(axis=(1, 2))


def table_law(scheme: str, n: int, in_cell: int, of_class_1: int) -> float:
    """Probability that a cell of a contingency table, filled from a sample, predicts class 1.

    Of the `n` training examples `in_cell` are in the cell, of these `of_class_1` of class 1.

    >>> round(table_law("online", 100, 10, 6), 4), round(table_law("batch", 100, 10, 6), 4)
    (0.682, 0.6827)
    """
    # Given its size, the cell's sample has the same distribution over classes in both schemes.
    if is_online(scheme):
        sizes = sample_size_law(in_cell)
    else:
        sizes = scipy.stats.binom.pmf(np.arange(n + 1), n, in_cell / n)
    size = np.arange(len(sizes))
    return float((sizes * scipy.stats.binom.sf(size // 2, size, of_class_1 / in_cell)).sum())
