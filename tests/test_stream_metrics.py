"""Further scores on a stream, against scikit-learn's functions of all its examples."""

import numpy as np
import pytest
from sklearn import metrics

from oza import ADWINBaggingClassifier, NaiveBayesClassifier
from oza.evaluation import prequential
from oza.evaluation.scores import METRICS
from oza.streams import STAGGER, drift

N, WINDOW, FADING = 400, 90, 0.99


class Scripted:
    """Predicts what it was told to, one row after the other."""

    def __init__(self, classes, shares):
        self.classes_, self.shares, self.n = classes, shares, 0

    def predict_proba(self, X):
        return self.shares[self.n : self.n + len(X)]

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def partial_fit(self, X, y, sample_weight=None):
        self.n += len(y)


def scripted(n_classes, is_weighted):
    """Labels, a model that is right more often than not, its predictions, and weights."""
    rng = np.random.default_rng(n_classes)
    classes = np.array(["ash", "birch", "cedar"])[:n_classes]
    codes = rng.integers(n_classes, size=N)
    shares = rng.dirichlet(np.ones(n_classes), N) + 0.4 * np.eye(n_classes)[codes]
    shares /= shares.sum(axis=1, keepdims=True)
    weights = rng.uniform(0.1, 3, N) if is_weighted else None
    return classes[codes], Scripted(classes, shares), classes[shares.argmax(axis=1)], weights


def expected(name, y, predicted, shares, weights, classes):
    """What scikit-learn says."""
    rate = name.removesuffix("_by_class")
    if rate in ("precision", "recall", "f1"):
        average = None if "by_class" in name else "macro"
        function = getattr(metrics, f"{rate}_score")
        return function(y, predicted, average=average, labels=classes, sample_weight=weights)
    if name == "g_mean":
        recalls = metrics.recall_score(y, predicted, average=None, labels=classes, sample_weight=weights)
        return np.exp(np.log(recalls).mean())
    if name == "balanced_accuracy":
        return metrics.balanced_accuracy_score(y, predicted, sample_weight=weights)
    if name == "log_loss":
        return metrics.log_loss(y, shares, labels=classes, sample_weight=weights)
    if len(classes) == 2:
        return metrics.roc_auc_score(y, shares[:, 1], sample_weight=weights)
    areas = [
        metrics.roc_auc_score(y == c, share, sample_weight=weights)
        for c, share in zip(classes, shares.T, strict=True)
    ]
    return np.mean(areas)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_they_are_those_of_scikit_learn(n_classes, is_weighted):
    y, model, predicted, given = scripted(n_classes, is_weighted)
    weights = np.ones(N) if given is None else given
    found = prequential(
        {"script": model},
        (np.zeros((N, 1)), y),
        every=130,
        window=WINDOW,
        fading=FADING,
        metrics=[*METRICS, metrics.matthews_corrcoef],
        sample_weight=given,
    )
    views = {"all": weights, "window": np.where(np.arange(N) < N - WINDOW, 0.0, weights)}
    views["fading"] = weights * FADING ** np.arange(N - 1, -1, -1)
    for over, each in views.items():
        row = found.summary(over).loc["script"]
        of_all = y, predicted, model.shares, each, model.classes_
        for name in METRICS:
            columns = [f"{name} {c}" for c in model.classes_] if "by_class" in name else [name]
            np.testing.assert_allclose(row[columns].to_numpy(float), expected(name, *of_all), rtol=1e-9)
        coefficient = metrics.matthews_corrcoef(y, predicted, sample_weight=each)
        assert row["matthews_corrcoef"] == pytest.approx(coefficient)
        assert row["accuracy"] == pytest.approx(metrics.accuracy_score(y, predicted, sample_weight=each))
        assert row["kappa"] == pytest.approx(metrics.cohen_kappa_score(y, predicted, sample_weight=each))
        table = metrics.confusion_matrix(y, predicted, sample_weight=each)
        np.testing.assert_allclose(found.confusion("script", over), table)


def test_a_function_gets_labels_or_probabilities_as_it_takes_them():
    y, model, _, _ = scripted(3, False)
    named = {"loss": metrics.log_loss, "agreement": metrics.cohen_kappa_score, "log_loss": "log_loss"}
    row = prequential({"script": model}, (np.zeros((N, 1)), y), metrics=named).summary().loc["script"]
    assert row["loss"] == pytest.approx(row["log_loss"])
    assert row["agreement"] == pytest.approx(row["kappa"])


def test_probabilities_are_those_before_each_example_is_learned():
    X, y = STAGGER(1)[:200]
    model, shares = NaiveBayesClassifier(), [[0.5, 0.5]]
    for n in range(199):
        model.partial_fit(X[[n]], y[[n]], classes=[0, 1])
        shares.append(model.predict_proba(X[[n + 1]])[0])
    found = prequential(
        NaiveBayesClassifier(), (X, y), metrics=["roc_auc", "log_loss"], holdout=(X, y)
    ).scores
    found = found[found["model"] == "NaiveBayesClassifier"].set_index("over")
    assert found.loc["all", "roc_auc"] == pytest.approx(metrics.roc_auc_score(y, np.array(shares)[:, 1]))
    assert found.loc["all", "log_loss"] == pytest.approx(metrics.log_loss(y, shares))
    model.partial_fit(X[[199]], y[[199]])
    held = metrics.roc_auc_score(y, model.predict_proba(X)[:, 1])
    assert found.loc["hold-out", "roc_auc"] == pytest.approx(held)


def test_weights_count_in_learning():
    X, y = STAGGER(1)[:300]
    weights = np.random.default_rng(0).integers(0, 3, 300).astype(float)
    model, expected_model = NaiveBayesClassifier(), NaiveBayesClassifier()
    prequential(model, (X, y), sample_weight=weights, every=70)
    expected_model.partial_fit(X, y, sample_weight=weights, classes=[0, 1])
    np.testing.assert_array_equal(model.predict_proba(X), expected_model.predict_proba(X))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ["gini"]}, r"metrics has 'gini'; expected one of 'precision'.*f\(y_true, y_pred"),
        ({"metrics": [lambda a, b: 0.0]}, "metrics has .*expected one of"),
        ({"metrics": 3}, "metrics has 3; expected one of"),
        ({"metrics": [["f1"]]}, r"metrics has \['f1'\]; expected one of"),
        ({"metrics": {"accuracy": "f1"}}, "second column 'accuracy'; pass a dict"),
        ({"metrics": ["f1", "f1"]}, "second column 'f1'; pass a dict"),
        ({"sample_weight": [1.0, 2.0]}, r"sample_weight has shape \(2,\); expected \(100,\)"),
    ],
)
def test_what_is_no_metric_and_no_weight_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        prequential(NaiveBayesClassifier(), STAGGER(1), stop=100, **options)


def test_a_line_for_each_chunk_is_logged(capsys):
    prequential(NaiveBayesClassifier(), STAGGER(1), stop=300, every=100, progress="log")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[-1].startswith("300 examples; accuracy in the window: NaiveBayesClassifier 0.9")


def test_a_plot_has_a_line_for_each_model_and_a_mark_for_each_alarm():
    stream = drift(STAGGER(1), STAGGER(2), position=1500)
    model = ADWINBaggingClassifier(n_estimators=3, random_state=0)
    found = prequential({"adwin": model}, stream, stop=3000, every=100, window=200)
    alarms = model.drift_history_["example"].tolist()
    assert alarms and found.alarms["example"].tolist() == alarms
    lines = found.plot(drifts=[1500]).lines
    of_model = found.scores.query("model == 'adwin' and over == 'window'")
    (shown,) = (line for line in lines if line.get_label() == "adwin")
    np.testing.assert_array_equal(shown.get_ydata(), of_model["accuracy"])
    assert alarms in [line.get_xdata().tolist() for line in lines if line.get_marker() == "|"]
    assert [1500, 1500] in [list(line.get_xdata()) for line in lines]
