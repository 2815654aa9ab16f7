"""The one list of the public estimators, which tests and benchmarks share."""

from importlib import import_module


def all_estimators(kind: type = object) -> dict[str, type]:
    """Public classes of `oza` that are subclasses of `kind`, by name, in alphabetical order.

    Examples
    --------
    >>> from oza.classifier.contract import BaseModel
    >>> for name in all_estimators(BaseModel):
    ...     print(name)
    DecisionStumpClassifier
    DecisionTreeClassifier
    HoeffdingOptionTreeClassifier
    HoeffdingTreeClassifier
    NaiveBayesClassifier
    NeuralNetworkClassifier
    """
    package = import_module(__package__)  # at the call, since the package imports this layer
    found = {name: getattr(package, name) for name in sorted(package.__all__)}
    classes = {name: estimator for name, estimator in found.items() if isinstance(estimator, type)}
    return {name: estimator for name, estimator in classes.items() if issubclass(estimator, kind)}
