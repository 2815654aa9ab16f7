"""The verbs of a base model.

M base models of one kind are one value: a NamedTuple of arrays with the model index first or
last. These functions are names only; each kind says with `verb_for` how it does them, and numba
puts that code into every kernel that is compiled for the kind. Those at the end have a default.
"""

import numpy as np

from .._compile import kernel, verb_for

WORTH_A_COPY = 8  # examples, for a kind that learns them on a copy of one model


def learn(models, m, examples, n, label, weight):
    """Let base model `m` learn example `n` with a weight: that many copies of it."""
    raise NotImplementedError


def learn_each(models, examples, n, label, weights):
    """Let every base model m learn example `n` with weight `weights[m]`."""
    raise NotImplementedError


def prepare(models):
    """Work out once, for a batch of predictions, what classifying needs of the models."""
    raise NotImplementedError


def classify(models, m, examples, n):
    """Class index that base model `m` gives to example `n`; −1 if the model has learned nothing."""
    raise NotImplementedError


def classify_each(prepared, examples, n, labels):
    """Write into `labels[m]` what `classify` says, for every base model m."""
    raise NotImplementedError


def classify_stretch(prepared, examples, first, labels):
    """Write into `labels[i, m]` what `classify` says of example `first` + i, for every base model m."""
    raise NotImplementedError


def classify_now_each(models, examples, n, labels):
    """Do what `classify_each` does, with nothing prepared: for models that go on learning."""
    raise NotImplementedError


def learn_scaled(models, m, examples, n, label, weight):
    """Let base model `m` learn example `n` once, as one of that weight.

    Differs from `learn` where a weighted example is not the same as copies of it: in a network.
    """
    raise NotImplementedError


def learn_batch(models, m, examples, labels, weights, sample):
    """Let base model `m` learn a training set: the examples that `sample` lists, in this order.

    The batch learner L_b of the pseudo-code; differs from `learn` for each example where batch
    mode goes through the training set several times.
    """
    raise NotImplementedError


def learn_batch_each(models, examples, labels, weights, samples):
    """Let every base model m learn a training set of its own, `samples[m]`."""
    raise NotImplementedError


def learn_and_test(models, m, examples, labels, weights, is_right):
    """Let model `m` learn each example in turn; note whether it then gets that one right.

    Says nothing that `learn` and `classify` do not, but lets a kind keep one model at hand for
    many examples.
    """
    raise NotImplementedError


def examine(models, m, examples, labels, is_right):
    """Note which examples base model `m` gets right."""
    raise NotImplementedError


@verb_for(learn_scaled)
def _learn_scaled(models, m, examples, n, label, weight):
    learn(models, m, examples, n, label, weight)


@verb_for(learn_batch)
def _learn_batch(models, m, examples, labels, weights, sample):
    copies = np.zeros(len(labels))
    for n in sample:
        copies[n] += 1.0
    for n in range(len(labels)):
        learn(models, m, examples, n, labels[n], weights[n] * copies[n])


@verb_for(learn_batch_each)
def _learn_batch_each(models, examples, labels, weights, samples):
    copies = np.zeros((len(labels), len(samples)), np.int32)  # in the order of memory, all models at once
    for m in range(len(samples)):
        for n in samples[m]:
            copies[n, m] += 1
    for n in range(len(labels)):
        learn_each(models, examples, n, labels[n], weights[n] * copies[n])


@verb_for(classify_stretch)
def _classify_stretch(prepared, examples, first, labels):
    for i in range(len(labels)):
        classify_each(prepared, examples, first + i, labels[i])


@verb_for(classify_now_each)
def _classify_now_each(models, examples, n, labels):
    for m in range(len(labels)):
        labels[m] = classify(models, m, examples, n)


@verb_for(learn_and_test)
def _learn_and_test(models, m, examples, labels, weights, is_right):
    for n in range(len(labels)):
        learn(models, m, examples, n, labels[n], weights[n])
        is_right[n] = classify(models, m, examples, n) == labels[n]


learn_and_test_one_by_one = kernel(_learn_and_test)  # also for a kind whose own way is not always better


@kernel
def test_and_learn(models, m, examples, labels, weights, is_right):
    """Note whether model `m` gets each example in turn right, before it learns that one."""
    for n in range(len(labels)):
        is_right[n] = classify(models, m, examples, n) == labels[n]
        learn(models, m, examples, n, labels[n], weights[n])


@verb_for(examine)
def _examine(models, m, examples, labels, is_right):
    for n in range(len(labels)):
        is_right[n] = classify(models, m, examples, n) == labels[n]


@kernel
def classify_all(models, examples):
    """Class index of each example by one model; the first class where it has learned nothing."""
    labels = np.empty((len(examples.codes), 1), np.int32)
    classify_stretch(prepare(models), examples, 0, labels)
    return np.maximum(labels[:, 0], 0).astype(np.int64)


@kernel
def learn_all(models, examples, labels, weights):
    """Let one model learn all examples, one after the other, each with its weight."""
    for n in range(len(labels)):
        learn_scaled(models, 0, examples, n, labels[n], weights[n])


@kernel
def predict_then_learn_all(models, examples, labels, weights):
    """Class index that one model gives to each example before it learns it."""
    predicted = np.empty(len(labels), np.int64)
    label = np.empty(1, np.int32)
    for n in range(len(labels)):
        classify_now_each(models, examples, n, label)
        predicted[n] = max(label[0], 0)
        learn_scaled(models, 0, examples, n, labels[n], weights[n])
    return predicted
