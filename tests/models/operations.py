"""The operations of base models in one kernel, so that each type of models is compiled once."""

import numpy as np

from oza.classifier import contract
from oza.kernels.compile import kernel

LEARN, LEARN_EACH, CLASSIFY, CLASSIFY_EACH, LEARN_RUN, MARK_CORRECT, RESET = range(7)


@kernel
def _perform(operation, models, m, examples, labels, weights, classes, before, shares, after):
    if operation == LEARN:
        for n in range(len(labels)):
            for k in range(weights.shape[1]):
                contract.learn(models, k, examples, n, labels[n], weights[n, k])
    elif operation == LEARN_EACH:
        for n in range(len(labels)):
            contract.learn_each(models, examples, n, labels[n], weights[n])
    elif operation == CLASSIFY:
        for n in range(len(classes)):
            for k in range(classes.shape[1]):
                classes[n, k] = contract.classify(models, k, examples, n)
    elif operation == CLASSIFY_EACH:
        for n in range(len(classes)):
            contract.classify_each(models, examples, n, classes[n])
    elif operation == LEARN_RUN:
        contract.learn_run(models, m, examples, labels, weights[:, m].copy(), before, shares, after)
    elif operation == MARK_CORRECT:
        contract.mark_correct(models, m, examples, labels, after)
    elif operation == RESET:
        contract.reset(models, m)


#: What an operation does not need.
NOTHING = {
    "labels": np.empty(0, np.int64),
    "weights": np.empty((0, 0)),
    "classes": np.empty((0, 0), np.int32),
    "before": np.empty(0, np.int32),
    "shares": np.empty((0, 0)),
    "after": np.empty(0, np.bool_),
}


def perform(operation, models, m, examples, **given):
    """Perform an operation of model `m`, or of all models, for every example."""
    _perform(operation, models, m, examples, *(NOTHING | given).values())


def learn_every(models, examples, labels, weights, by=LEARN):
    """Every model learns every example, one operation at a time; `weights` are of shape (N, M)."""
    perform(by, models, 0, examples, labels=labels, weights=weights)


def classify_every(models, n_models, examples, by=CLASSIFY):
    """The class of each example by each model, with the required operation."""
    classes = np.full((len(examples.codes), n_models), -2, np.int32)
    perform(by, models, 0, examples, classes=classes)
    return classes
