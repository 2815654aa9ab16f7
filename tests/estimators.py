"""Small estimators of every public class, for tests of what all of them have in common."""

import pytest
from sklearn.base import ClassifierMixin

import oza
from oza.classifier.contract import BaseModel
from oza.discovery import all_estimators
from oza.ensembles.averaging import AveragingEnsemble
from oza.ensembles.voting import VotingEnsemble

#: The names of the base model that every ensemble is always tested with; online boosting is with all.
NAIVE_BAYES = {"NaiveBayesClassifier", "NaiveBayesClassifier, smoothed", "naive_bayes", "nb"}

FORECASTERS = {name: kind for name, kind in all_estimators().items() if not issubclass(kind, ClassifierMixin)}


def one_of_each(kind, **parameters):
    """An estimator of each public class of a kind; each takes those of the parameters that it has."""
    found = {}
    for name, estimator in all_estimators(kind).items():
        known = estimator().get_params()
        found[name] = estimator(**{key: value for key, value in parameters.items() if key in known})
    return found


def base_models(**parameters):
    """Base models by name: one of each class, and settings that take another path through the code."""
    variants = {
        "NaiveBayesClassifier, smoothed": oza.NaiveBayesClassifier(alpha=0.5),
        "DecisionTreeClassifier, pruned": oza.DecisionTreeClassifier(prune=True),
    }
    return one_of_each(BaseModel, **{"random_state": 0} | parameters) | variants


def bases_of_every_ensemble(**parameters):
    """The base models that are tested with each ensemble.

    Option trees are not among them: an ensemble calls the same operations as of Hoeffding trees, and to
    compile it takes long. Their own tests have two ensembles of them.
    """
    found = base_models(**parameters)
    del found["HoeffdingOptionTreeClassifier"]
    return found


def averaging_ensembles(**parameters):
    """Ensembles that average class probabilities and take any base model, by name, one of each class."""
    small = {
        "n_estimators": 5,
        "max_trials": 8,
        "max_features": 0.7,
        "voting": "probability",
        "random_state": 0,
    }
    found = one_of_each(AveragingEnsemble, **small | parameters)
    return {name: each for name, each in found.items() if "estimator" in each.get_params()}


def ensembles(**parameters):
    """Ensembles of votes that take any base model, by name, one of each class.

    Some have further settings that take another path through the code.
    """
    small = {"n_estimators": 5, "n_prime": 40, "block_size": 60, "oob_score": True, "random_state": 0}
    parameters = small | parameters
    few = {"n_estimators": parameters["n_estimators"], "random_state": parameters["random_state"]}
    variants = {
        "AdaBoostClassifier, resampling": oza.AdaBoostClassifier(resample=True, **few),
        "OnlineBoostingClassifier, tested before": oza.OnlineBoostingClassifier(tested="before", **few),
    }
    voting = one_of_each(VotingEnsemble, **parameters)
    others = AveragingEnsemble | oza.AdaptiveRandomForestClassifier  # which takes Hoeffding trees alone
    return {name: each for name, each in voting.items() if not isinstance(each, others)} | variants


def full_but(names, *few):
    """Parameters of a test, of which `make test` takes few; the others are for `make test-all`."""
    return [pytest.param(name, marks=[pytest.mark.full] * (name not in few)) for name in names]


def pairs(names, bases):
    """Every ensemble with every base model, by name.

    Each is compiled for itself. `make test` has every ensemble with Naive Bayes, `make test-all` online
    boosting with the other base models, and `make test-long` all.
    """

    def circle(name, base):
        if base in NAIVE_BAYES:
            return ()
        return pytest.mark.full if name == "OnlineBoostingClassifier" else pytest.mark.long

    return [pytest.param(name, base, marks=circle(name, base)) for name in names for base in bases]
