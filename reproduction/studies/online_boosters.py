"""Three other ways to boost online, written with `oza.extend` alone.

What each was written from:

- OSBoost (S.-T. Chen, H.-T. Lin and C.-J. Lu, *An Online Boosting Algorithm with Theoretical Justifications*,
  ICML 2012): the formulas in the book's page on extending, and `ensemblers/osboost.py` of
  charliermarsh/online_boosting at 6b8739466021. It is Online SmoothBoost. Its variants that choose
  the number of models (OCP, EXP) are left out: their text could not be had.
- Online BBM and AdaBoost.OL (A. Beygelzimer, S. Kale and H. Luo, *Optimal and Adaptive Algorithms for Online
  Boosting*, ICML 2015): `boosting.cc` of Vowpal Wabbit at 141f74a50712, by the paper's authors.
- Adaboost.OLM, which is AdaBoost.OL for several classes (Y. H. Jung, J. Goetz and A. Tewari, *Online
  Multiclass Boosting*, NeurIPS 2017): `onlineAdaptive.py` of YoungHJung/OnlineBoostingWithVFDT at
  e27050e96510, by the first author. The step after a correct classification is that of the derivative of the
  logistic loss, as in Vowpal Wabbit; in the program its exponent has the opposite sign. Online MBBM of the
  same paper is left out: its potential has no closed form, and the program estimates it from 100 random draws
  for each example, model and class.

BOLE, with which they are compared, is a class of the library, `oza.BOLEClassifier`.

The texts of the three papers could not be had. OSBoost, Online BBM and their bounds are for two classes; with
more, an example counts +1 for a model that classifies it correctly and −1 for one that does not.
"""

import math
from dataclasses import KW_ONLY
from functools import cache
from typing import Annotated, NamedTuple

import numpy as np

from oza.extend import (
    OnlineEnsemble,
    classify,
    classify_block,
    exp,
    implements,
    kernel,
    learn_scaled,
    log,
    parameters,
    sigmoid,
    step,
    winner,
)

#: The edge that OSBoost and Online BBM assume; the default of the programs that they were written from.
GAMMA = 0.1


class OSBoost(NamedTuple):
    """State of OSBoost."""

    gamma: float
    labels: np.ndarray  # (M,) int32: buffer


@implements(step, OSBoost)
def os_boost(algorithm, models, examples, n, label, weight, row):
    """Let an example weigh less the further the margin of its votes is ahead of a small gain per model."""
    gamma = algorithm.gamma
    theta = gamma / (2.0 + gamma)
    z, share = 0.0, 1.0
    for m in range(len(algorithm.labels)):
        is_right = classify(models, m, examples, n) == label
        learn_scaled(models, m, examples, n, label, share * weight)
        z += (1.0 if is_right else -1.0) - theta
        share = exp(0.5 * z * log(1.0 - gamma)) if z > 0.0 else 1.0  # at most 1


class OnlineBBM(NamedTuple):
    """State of Online BBM."""

    shares: np.ndarray  # (M, M) the weights of `majority_weights`
    labels: np.ndarray  # (M,) int32: buffer


@implements(step, OnlineBBM)
def online_bbm(algorithm, models, examples, n, label, weight, row):
    """Let an example weigh as much as the vote of this model is likely to decide the majority."""
    n_models = len(algorithm.labels)
    s = 0  # votes for the class of the example minus the others
    for m in range(n_models):
        is_right = classify(models, m, examples, n) == label
        left = n_models - m - 1
        k = (n_models - m - s) // 2  # correct votes of those left with which this one decides
        share = algorithm.shares[left, k] if 0 <= k <= left else 0.0
        learn_scaled(models, m, examples, n, label, share * weight)
        s += 1 if is_right else -1


@cache
def majority_weights(n_models: int, gamma: float) -> np.ndarray:
    """Probabilities of k correct votes among the models left, as shares of the largest; indexed by both.

    Each vote is correct with probability 1/2 + `gamma`, independently. The weights of one model are scaled
    alike, so that the largest is 1.
    """
    found = np.zeros((n_models, n_models))
    odds = (0.5 + gamma) / (0.5 - gamma)
    for left in range(n_models):
        mode = min(int((left + 1) * (0.5 + gamma)), left)
        found[left, mode] = 1.0
        for k in range(mode, left):
            found[left, k + 1] = found[left, k] * (odds * (left - k) / (k + 1.0))
        for k in range(mode, 0, -1):
            found[left, k - 1] = found[left, k] * (k / (odds * (left - k + 1.0)))
    return found


class AdaBoostOLM(NamedTuple):
    """State of Adaboost.OLM. Expert m is the vote of the first m models."""

    alpha: Annotated[np.ndarray, "M"]  # vote weights of the models
    experts: Annotated[np.ndarray, "M"]  # vote weights of the experts
    seen: np.ndarray  # (1,) number of examples
    votes: np.ndarray  # (K,) buffer
    labels: np.ndarray  # (M,) int32: buffer


@implements(step, AdaBoostOLM)
def adaboost_olm(memory, models, examples, n, label, weight, row):
    """Let an example weigh as much as a vote for its class lowers the logistic loss of the votes so far."""
    s, alpha = memory.votes, memory.alpha
    s[:] = 0.0
    memory.seen[0] += 1.0
    n_others = max(len(s) - 1, 1)
    rate = 2.0 * math.sqrt(2.0) / (n_others * math.sqrt(memory.seen[0]))
    for m in range(len(alpha)):
        answer = classify(models, m, examples, n)
        share = pull(s, label) / n_others
        learn_scaled(models, m, examples, n, label, share * weight)
        if answer >= 0:
            s[answer] += alpha[m]
            slope = -pull(s, label) if answer == label else sigmoid(s[answer] - s[label])
            alpha[m] = min(max(alpha[m] - rate * slope, -2.0), 2.0)
        if s.argmax() != label:
            memory.experts[m] *= exp(-1.0)
    memory.experts[:] /= memory.experts.sum()


@kernel
def pull(s, label):
    """Sum over the other classes of σ(their votes minus those of `label`): how fast the loss falls."""
    found = 0.0
    for c in range(len(s)):
        if c != label:
            found += sigmoid(s[c] - s[label])
    return found


@implements(winner, AdaBoostOLM)
def _of_experts(memory, labels, n_classes):
    return experts_votes(memory, labels, n_classes).argmax()


@kernel
def experts_votes(memory, labels, n_classes):
    """Sum of the weights of the experts for each class; the paper draws one of them with this weight."""
    s, votes = np.zeros(n_classes), np.zeros(n_classes)
    for m in range(len(labels)):
        if labels[m] >= 0:
            s[labels[m]] += memory.alpha[m]
        votes[s.argmax()] += memory.experts[m]
    return votes


@kernel
def experts_votes_each(memory, labels, n_classes):
    """`experts_votes` for each of many examples, (N, K)."""
    found = np.empty((len(labels), n_classes))
    for n in range(len(labels)):
        found[n] = experts_votes(memory, labels[n], n_classes)
    return found


@parameters
class _WithEdge(OnlineEnsemble):
    _: KW_ONLY
    gamma: float = GAMMA


class OSBoostClassifier(_WithEdge):
    """OSBoost, which is Online SmoothBoost."""

    def _algorithm(self):
        return OSBoost(float(self.gamma), np.empty(self._n_models, np.int32))


@parameters
class OnlineBBMClassifier(_WithEdge):
    """Online boost-by-majority; its weights are as in the paper unless `scaled` to at most 1."""

    scaled: bool = True

    def _algorithm(self):
        shares = majority_weights(self._n_models, float(self.gamma))
        if not self.scaled:
            shares = shares / shares.sum(axis=1, keepdims=True)  # probabilities, which sum to 1
        return OnlineBBM(shares, np.empty(self._n_models, np.int32))


class AdaBoostOLMClassifier(OnlineEnsemble):
    """AdaBoost.OL for any number of classes."""

    def _start(self, kind, schema, classes):
        state = super()._start(kind, schema, classes)
        n_models = state["_n_models"]
        return state | {"_memory": (np.zeros(n_models), np.ones(n_models), np.zeros(1))}

    def _algorithm(self):
        alpha, experts, seen = self._memory
        votes = np.empty(len(self.classes_))
        return AdaBoostOLM(alpha, experts, seen, votes, np.empty(self._n_models, np.int32))

    def _votes(self, examples):
        labels = np.empty((len(examples.codes), self._n_models), np.int32)
        classify_block(self._models, examples, 0, labels)
        return experts_votes_each(self._algorithm(), labels, len(self.classes_))
