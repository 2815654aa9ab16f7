"""The verbs of a base model.

M base models of one kind are one value: a NamedTuple of arrays with the model index last.
These functions are names only; each kind says with `verb_for` how it does them, and numba puts
that code into every kernel that is compiled for the kind.
"""

from .._compile import verb_for


def learn(models, m, examples, n, label, weight):
    """Let base model `m` learn example `n` with a weight."""
    raise NotImplementedError


def learn_each(models, examples, n, label, weights):
    """Let every base model m learn example `n` with weight `weights[m]`."""
    raise NotImplementedError


def prepare(models):
    """Work out once, for a batch of predictions, what `classify_each` needs of the models."""
    raise NotImplementedError


def classify(models, m, examples, n):
    """Class index that base model `m` gives to example `n`; −1 if the model has learned nothing."""
    raise NotImplementedError


def classify_each(prepared, examples, n, labels):
    """Write into `labels[m]` what `classify` says, for every base model m."""
    raise NotImplementedError


def classify_now_each(models, examples, n, labels):
    """Do what `classify_each` does, with nothing prepared: for models that go on learning."""
    raise NotImplementedError


@verb_for(classify_now_each)
def _classify_now_each(models, examples, n, labels):
    for m in range(len(labels)):
        labels[m] = classify(models, m, examples, n)
