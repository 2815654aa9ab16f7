"""An implementation of every algorithm of the table, and of each with one fault: that of a row, by its name.

They are plain and small, not fast and not complete: as much of each algorithm as the probes see.
"""

import math
from collections import Counter
from types import SimpleNamespace

import numpy as np

from tests.references import Adwin


class Planted:
    """A column whose implementations keep all rules but that of the row `fault`."""

    def __init__(self, fault=None):
        self.fault = fault

    def make(self, algorithm, **options):
        if algorithm == "ADWIN":
            return Detector(self.fault)
        if algorithm == "naive Bayes":
            return NaiveBayes(self.fault)
        kinds = {
            "accuracy weighted": AccuracyWeighted,
            "adaptive forest": Forest,
            "Hoeffding tree": Tree,
            "Naive Bayes leaf": NominalLeaf,
            "AdaBoost.M1": AdaBoost,
            "bagging": Bagging,
        }
        if algorithm in kinds:
            return kinds[algorithm](self.fault, **options)
        kind = BOLE if algorithm == "BOLE" else Online
        return kind(self.fault, algorithm, **options)


class Stub:
    """Says what column `number` says."""

    def __init__(self, number=0):
        self.number, self.weight, self.mark, self.label = number, 0.0, 0.0, None

    def learn(self, x, y, weight=1.0):
        self.weight += weight
        self.mark += weight * x[0]
        self.label = y

    def shares(self, x, n_classes):
        said = x[min(self.number, len(x) - 1)]
        return np.eye(n_classes)[int(said)] if said > 1 else np.array([1 - said, said])

    def predict(self, x):
        said = x[min(self.number, len(x) - 1)]
        return int(said) if said > 1 else int(said > 0.5)


class Online:
    """Online bagging and boosting, and both with detectors."""

    def __init__(self, fault, algorithm, n_models=10, n_classes=2, over="stub", seed=1, **_):
        self.fault, self.algorithm, self.n_classes, self.n_seen = fault, algorithm, n_classes, 0.0
        self.boosts, self.adapts = "boosting" in algorithm, algorithm[0] in "Al"  # ADWIN, leveraging
        self.draw, self.stubs = np.random.default_rng(seed), [Stub(j) for j in range(n_models)]
        self.detectors = [Adwin() for _ in self.stubs]
        self.sums = [[0.0, 0.0] for _ in self.stubs]  # right, wrong
        self.codes = [np.arange(n_classes)] * n_models
        if algorithm.endswith("MC"):
            code = np.arange(n_classes) < n_classes // 2
            self.codes = [self.draw.permutation(code).astype(int) for _ in self.stubs]
        if fault in ("leveraging-codes", "leveraging-odd-codes"):
            self.codes = [np.arange(n_classes) * 0 for _ in self.stubs]

    def members(self):
        return self.stubs

    def k(self, j, is_wrong, weight, passed):
        """How often member j learns an example."""
        fault, draw = self.fault, self.draw
        if self.boosts:
            ignored = fault == {"o": "boosting-lambda", "A": "adwin-boosting-lambda"}[self.algorithm[0]]
            k = draw.poisson(1.0 if ignored else passed)
            k = min(k, 744) if fault == "boosting-large-lambda" else k
            return k * weight if fault == "boosting-weight" else k
        if self.algorithm.endswith("ME"):
            e = self.detectors[j].mean()
            return 1 if is_wrong or fault == "leveraging-me" or draw.random() * (1 - e) < e else 0
        if self.algorithm.endswith("half"):
            return draw.poisson(0.5) if fault == "leveraging-half" else draw.integers(2)
        if self.algorithm.endswith("WT"):
            return draw.poisson(2) if fault == "leveraging-wt" else 1 + draw.poisson(1)
        if self.algorithm.endswith("subag"):
            return draw.poisson(1) if fault == "leveraging-subag" else draw.poisson(1) > 0
        if fault in ("bagging-copies", "leveraging-copies"):
            return 1
        return draw.poisson(6 if self.algorithm[0] == "l" else 1)

    def learn(self, x, y, weight):
        self.n_seen += weight
        passed, risen, shared = weight, [], self.draw.poisson(6)
        for j, stub in enumerate(self.stubs):
            wanted, sums = self.codes[j][y], self.sums[j]
            is_wrong = bool(stub.predict(x) != wanted)
            k = shared if self.fault == "leveraging-jobs" else self.k(j, is_wrong, weight, passed)
            if k:
                stub.learn(x, wanted, k)
            sums[is_wrong] += passed
            total = self.n_seen if self.fault == "boosting-restart" else sum(sums)
            passed *= total / (2 * sums[is_wrong])
            before = self.detectors[j].mean()
            fed = is_wrong ^ (str(self.fault).endswith("sense"))
            if self.adapts and self.detectors[j].update(float(fed)) and self.detectors[j].mean() > before:
                risen.append(j)
        if risen:
            worst = max(range(len(self.stubs)), key=lambda j: self.detectors[j].mean())
            gone = risen[0] if self.fault == "worst-goes" else worst
            self.stubs[gone], self.detectors[gone], self.sums[gone] = Stub(gone), Adwin(), [0.0, 0.0]

    def vote_weights(self):
        if not self.boosts:
            return [1.0] * len(self.stubs)
        weights = []
        for right, wrong in self.sums:
            e = wrong / (right + wrong)
            is_last = e > 0.5 and self.fault != "boosting-first-l"
            if is_last or (e == 0 and self.fault == "boosting-perfect"):
                break
            weights.append(1.0 if e > 0.5 else math.log(1 / max(e, 1 / (2 * self.n_seen)) - 1))
        return weights

    def predict(self, x):
        if self.fault == "bagging-answer":
            return self.stubs[0].shares(x, 2)[1]
        votes = np.zeros(self.n_classes)
        for stub, weight in zip(self.stubs, self.vote_weights(), strict=False):
            if self.fault in ("bagging-vote", "boosting-vote"):
                votes += weight * stub.shares(x, self.n_classes)
            else:
                votes[stub.predict(x)] += weight
        return int(votes.argmax())


class BOLE(Online):
    """BOLE; with the fault `bole-order` it takes its members one by one."""

    def learn(self, x, y, weight):
        self.n_seen += weight
        left, passed, is_wrong = [*range(len(self.stubs))], weight, True
        if self.fault != "bole-order":
            left.sort(key=lambda j: -self.sums[j][0] / (sum(self.sums[j]) or 1.0))
        while left:
            j = left.pop(-1 if is_wrong and self.fault != "bole-order" else 0)
            is_wrong = bool(self.stubs[j].predict(x) != y)
            self.stubs[j].learn(x, y, self.draw.poisson(passed))
            self.sums[j][is_wrong] += passed
            passed *= self.n_seen / (2 * self.sums[j][is_wrong])

    def vote_weights(self):
        votes = [math.log(right / wrong) if 0.0 < wrong <= right else 0.0 for right, wrong in self.sums]
        return votes[: votes.index(0.0)] if self.fault == "bole-vote" else votes


class Detector:
    """ADWIN; with the fault it forgets all at an alarm."""

    def __init__(self, fault):
        self.fault, self.adwin = fault, Adwin()

    def update(self, value):
        has_changed = self.adwin.update(float(value))
        if has_changed and self.fault == "adwin-window":
            self.adwin = Adwin()
        return has_changed

    @property
    def width(self):
        return sum(size for size, *_ in self.adwin.buckets())


class NaiveBayes:
    """Gaussian Naive Bayes; with the fault the product is that of densities."""

    def __init__(self, fault=None):
        self.fault, self.sums, self.n = fault, {}, 0

    def learn(self, x, y, weight=1.0):
        x, self.n = np.array(x), self.n + 1
        n, total, squares = self.sums.get(y, (0, 0.0, 0.0))
        self.sums[y] = n + 1, total + x, squares + x * x

    def shares(self, x):
        """Probabilities of classes 0 and 1."""
        logs = np.full(2, -np.inf)
        for y, (n, total, squares) in self.sums.items():
            deviation = np.sqrt(squares / n - (total / n) ** 2 + 1e-9)
            density = np.exp(-(((x - total / n) / deviation) ** 2) / 2) / deviation
            if self.fault == "naive-bayes-wide":
                logs[y] = np.prod(density) * n
            else:
                logs[y] = np.log(np.maximum(density, 1e-300)).sum() + math.log(n)
        if not self.sums or self.fault == "naive-bayes-wide":
            return logs
        parts = np.exp(logs - logs.max())
        return parts / parts.sum()

    def predict(self, x):
        return int(self.shares(x).argmax())


class NominalLeaf:
    """Naive Bayes of one column of names; with the fault a factor of 0 is left out."""

    def __init__(self, fault, **_):
        self.fault, self.seen, self.pairs = fault, Counter(), Counter()

    def learn(self, x, y, weight):
        self.seen[y] += 1
        self.pairs[x[0], y] += 1

    def predict(self, x):
        left_out = 1.0 if self.fault == "leaf-unseen-value" else 0.0
        scores = {y: n * (self.pairs[x[0], y] / n or left_out) for y, n in self.seen.items()}
        return max(scores, key=scores.get)


def entropy(labels):
    shares = np.bincount(labels, minlength=2) / max(len(labels), 1)
    return -sum(p * math.log2(p) for p in shares if p > 0)


class Tree:
    """A Hoeffding tree of two classes, with thresholds, whose leaves keep their examples."""

    def __init__(self, fault=None, columns=None, grace=200, delta=1e-7, **_):
        self.fault, self.columns, self.grace, self.delta = fault, columns, grace, delta
        self.root, self.size, self.weight = self.leaf(0), 1, 0.0

    def leaf(self, n_inherited):
        return SimpleNamespace(test=None, rows=[], labels=[], n_inherited=n_inherited, bayes=NaiveBayes())

    def n_nodes(self):
        return self.size

    def leaf_of(self, x):
        node = self.root
        while node.test:
            column, threshold = node.test
            node = node.branches[int(x[column] > threshold)]
        return node

    def learn(self, x, y, weight=1.0):
        leaf = self.leaf_of(x)
        self.weight += weight
        leaf.rows.append(x)
        leaf.labels.append(y)
        leaf.bayes.learn(x, y)
        if len(leaf.labels) % self.grace == 0 and 0 < sum(leaf.labels) < len(leaf.labels):
            self.attempt(leaf)

    def attempt(self, leaf):
        X, y = np.array(leaf.rows), np.array(leaf.labels)
        if self.fault == "tree-rare-class" and y.mean() < 0.01:  # then what a leaf knows is thrown away
            leaf.bayes = NaiveBayes()
            leaf.bayes.learn(np.zeros(X.shape[1]), 0)
            return
        found = []
        for a in range(X.shape[1]) if self.columns is None else self.columns:
            per_column = []
            for threshold in np.linspace(X[:, a].min(), X[:, a].max(), 12)[1:-1]:
                above = X[:, a] > threshold
                rest = above.mean() * entropy(y[above]) + (~above).mean() * entropy(y[~above])
                per_column.append((entropy(y) - rest, a, threshold))
            found.append(max(per_column))
        (gain, a, threshold), *others = sorted(found, reverse=True)
        n = len(y) + leaf.n_inherited * (self.fault == "tree-own-examples")
        bound = math.sqrt(math.log(1 / self.delta) / (2 * n))
        is_best = not others or gain - others[0][0] > bound or bound < 0.05
        if is_best and (gain > bound or self.fault == "tree-null-split"):
            above = X[:, a] > threshold
            leaf.test, leaf.branches = (a, threshold), [self.leaf((~above).sum()), self.leaf(above.sum())]
            self.size += 2

    def predict(self, x):
        leaf = self.leaf_of(x)
        return int(2 * sum(leaf.labels) > len(leaf.labels)) if self.columns else leaf.bayes.predict(x)


class Forest:
    """An adaptive random forest; a tree has the same columns at all nodes."""

    def __init__(self, fault, n_models, n_columns, seed=1, **_):
        self.fault, self.n_columns, self.n_gone = fault, n_columns, 0
        self.draw = np.random.default_rng(seed)
        self.first_columns = self.columns()
        self.places = [self.place(self.tree()) for _ in range(n_models)]

    def columns(self):
        return self.draw.permutation(self.n_columns)[: round(self.n_columns**0.5) + 1].tolist()

    def tree(self):
        columns = self.first_columns if self.fault == "forest-columns" else self.columns()
        return Tree(columns=columns, grace=50, delta=0.01)

    def place(self, tree):
        return SimpleNamespace(tree=tree, other=None, warns=Adwin(0.01), drifts=Adwin(0.001))

    def learn(self, x, y, weight):
        for j, place in enumerate(self.places):
            is_wrong = place.tree.predict(x) != y
            for tree, k in ((place.tree, self.draw.poisson(6)), (place.other, self.draw.poisson(6))):
                if tree is place.other and self.fault == "forest-background":
                    k = 1
                if tree and k:
                    tree.learn(x, y, k)
            if self.has_changed(place.warns, is_wrong):
                place.warns, place.other = Adwin(0.01), self.tree()
            if self.has_changed(place.drifts, is_wrong):
                self.places[j] = self.place(place.other or self.tree())
                self.n_gone += 1

    def has_changed(self, detector, is_wrong):
        before = detector.mean()
        is_found = detector.update(float(is_wrong))
        return is_found and (detector.mean() > before or self.fault == "forest-sense")

    def predict_each(self, x):
        return [place.tree.predict(x) for place in self.places]

    def n_replaced(self):
        return self.n_gone

    def background_weights(self):
        return [place.other and place.other.weight for place in self.places]


class AccuracyWeighted:
    """An accuracy weighted ensemble in chunks of 500; with the fault a fold's sum is divided by 500."""

    def __init__(self, fault, **_):
        self.fault, self.chunk, self.models, self.weights = fault, [], [], []

    def error(self, model, chunk):
        return sum((1 - model.shares(x)[y]) ** 2 for x, y in chunk) / len(chunk)

    def trained(self, chunk):
        model = NaiveBayes()
        for x, y in chunk:
            model.learn(x, y)
        return model

    def learn(self, x, y, weight):
        self.chunk.append((x, y))
        if len(self.chunk) < 500:
            return
        chunk, self.chunk = self.chunk, []
        p = sum(y for _, y in chunk) / len(chunk)
        at_random = p * (1 - p) ** 2 + (1 - p) * p**2
        errors = [self.error(model, chunk) for model in self.models]
        folds = [(self.trained(chunk[:i] + chunk[i + 50 :]), chunk[i : i + 50]) for i in range(0, 500, 50)]
        newest = sum(self.error(model, fold) for model, fold in folds) / 10
        errors.append(newest / 10 if self.fault == "awe-weights" else newest)
        self.models.append(self.trained(chunk))
        self.weights = [max(at_random - error, 0.0) for error in errors]

    def vote_weights(self):
        return self.weights


class AdaBoost:
    """AdaBoost.M1 over stubs."""

    def __init__(self, fault, n_models, n_classes=2, **_):
        self.fault, self.n_models, self.n_classes = fault, n_models, n_classes

    def fit(self, rows, labels):
        weights, self.votes = np.full(len(rows), 1 / len(rows)), []
        limit = 1 - 1 / self.n_classes if self.fault == "adaboost-half" else 0.5
        for j in range(self.n_models):
            wrong = np.array([Stub(j).predict(x) != y for x, y in zip(rows, labels, strict=True)])
            e = weights[wrong].sum()
            if e >= limit:
                break
            perfect = 1.0 if self.fault == "adaboost-perfect" else math.log(2 * len(rows) - 1)
            self.votes.append(math.log(1 / e - 1) if e > 0 else perfect)
            if e == 0:
                break
            weights = weights / np.where(wrong, 2 * e, 2 * (1 - e))
        return self

    def n_kept(self):
        return len(self.votes)

    def predict(self, x):
        votes = np.zeros(self.n_classes)
        for j, weight in enumerate(self.votes):
            votes[Stub(j).predict(x)] += weight
        return int(votes.argmax())


class Bagging:
    """Batch bagging over stubs; with a fault the seed of model j is seed + j."""

    def __init__(self, fault, n_models, seed=1, **_):
        self.fault, self.seed, self.stubs = fault, seed, [Stub(j) for j in range(n_models)]

    def fit(self, rows, labels):
        for j, stub in enumerate(self.stubs):
            draw = np.random.default_rng(self.seed + j if self.fault == "bagging-seeds" else [self.seed, j])
            for i in draw.integers(len(rows), size=len(rows)):
                stub.learn(rows[i], labels[i])
        return self

    def members(self):
        return self.stubs

    def predict(self, x):
        votes = sum(np.array(stub.shares(x, 2)) for stub in self.stubs)
        if self.fault != "batch-bagging-vote":
            votes = np.bincount([stub.predict(x) for stub in self.stubs], minlength=2)
        return int(votes.argmax())
