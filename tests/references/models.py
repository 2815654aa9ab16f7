"""Base models, one attribute and one class at a time."""

import math
from itertools import count
from typing import NamedTuple

import numpy as np

from oza.kernels.arithmetic import exp, exp_parts_in_vectors, log, normal_cdf, sigmoid, two_sum
from oza.kernels.random import draw_in_row, permutation, row_key, uniform


class Counting:
    """A model for which a weight is equivalent to copies of an example."""

    def learn_batch(self, rows, labels, weights, sample):
        for n, (x, y) in enumerate(zip(rows, labels, strict=True)):
            self.learn(x, y, sample.count(n) * weights[n])


class NaiveBayes(Counting):
    """Thesis Figure 2.3: relative frequencies, smoothed if `alpha` is positive."""

    def __init__(self, classes, alpha=0.0, var_smoothing=1e-9, sizes=None):
        self.classes = classes
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.sizes = sizes  # number of values of each attribute; needed only for alpha > 0
        self.n_c = dict.fromkeys(classes, 0.0)
        self.n_cav = {}
        self.moments = {}  # of (class or None for all, attribute): weight, mean in two parts, variance

    def learn(self, x, y, weight=1.0):
        self.n_c[y] += weight
        for a, v in enumerate(x):
            if is_missing(v):
                continue
            if isinstance(v, float):
                for c in (y, None):
                    n, mean, low, variance = self.moments.get((c, a), (0.0, 0.0, 0.0, 0.0))
                    n += weight
                    share = weight / n if n else 0.0
                    deviation = (v - mean) - low
                    mean, low = two_sum(mean, low + share * deviation)
                    variance += share * ((1.0 - share) * (deviation * deviation) - variance)
                    self.moments[c, a] = n, mean, low, variance
            else:
                self.n_cav[y, a, v] = self.n_cav.get((y, a, v), 0.0) + weight

    def product(self, c, x):
        """(mantissa, exponent) of the prior times the factor of each attribute."""
        if self.n_c[c] == 0.0:
            return 0.0, 0
        product, exponent = math.frexp(self.n_c[c] / sum_of(self.n_c[other] for other in self.classes))
        for a, v in enumerate(x):
            if (
                not isinstance(v, float)
                and v is not None
                and sum_of(self.n_cav.get((k, a, v), 0.0) for k in self.classes) > 0.0
            ):
                size = self.sizes[a] if self.alpha else 0
                share = (self.n_cav.get((c, a, v), 0.0) + self.alpha) / (self.n_c[c] + self.alpha * size)
                product, shift = math.frexp(product * min(share, 1.0))
                exponent += shift
        largest = max((variance for (k, _), (*_, variance) in self.moments.items() if k is None), default=0.0)
        distance, square, doublings = 0.0, 1.0, 0
        for a, v in enumerate(x):
            if isinstance(v, float) and not is_missing(v) and self.moments.get((c, a), (0.0,))[0]:
                _, mean, _, variance = self.moments[c, a]
                variance += self.var_smoothing * largest
                if variance > 0.0:
                    distance += (v - mean) * (v - mean) / variance
                    square, shift = math.frexp(square * math.frexp(2.0 * math.pi * variance)[0])
                    doublings += shift + math.frexp(2.0 * math.pi * variance)[1]
        if any(isinstance(v, float) for v in x):
            if distance >= 2e12:
                return 0.0, 0
            height, k = exp_parts_in_vectors(-0.5 * distance)
            root = math.sqrt(2.0 * square if doublings % 2 else square)
            product, shift = math.frexp(product * (height / root))
            exponent += int(k) - doublings // 2 + shift
        return product, exponent

    def classify(self, x):
        """The most probable class, or None for a model that has seen nothing."""
        most_frequent = max(self.classes, key=self.n_c.get)
        if self.n_c[most_frequent] == 0.0:
            return None
        winner, best = most_frequent, None
        for c in self.classes:
            mantissa, exponent = self.product(c, x)
            if mantissa > 0.0 and (best is None or (exponent, mantissa) > best):
                winner, best = c, (exponent, mantissa)
        return winner


class DecisionTree(Counting):
    """Binary tests by gain ratio or gain, regrown from all examples at the first prediction after learning.

    A node is a dictionary: "counts" (weight of each class), and unless it is a leaf "test" (column,
    value or threshold), "yes", "no", and "cut", whether pruning makes it a leaf. With `n_tested`, it
    chooses its test from that many of the `columns`, drawn for its examples.
    """

    def __init__(self, classes, gain_ratio=True, prune=False, n_tested=None, columns=(), key=0):
        self.classes = classes
        self.gain_ratio = gain_ratio
        self.prune = prune
        self.n_tested = n_tested
        self.columns = columns
        self.key = key
        self.weights = {}  # of each distinct example, in the order of first arrival
        self.grown = None

    def learn(self, x, y, weight=1.0):
        self.grown = None
        if weight < 2.0**23:
            weight = round(weight * 2.0**30) / 2.0**30
        if weight > 0.0:
            example = (*map(_canonical, x), y)
            self.weights[example] = self.weights.get(example, 0.0) + weight

    def tree(self):
        self.grown = self.grown or self._grow(list(self.weights.items()))
        return self.grown

    def _grow(self, examples):
        counts = self._counts(examples)
        node = {"counts": counts, "cut": False}
        present = [n for n in counts if n > 0.0]
        total = sum_of(counts)
        wrong = total - max(counts)
        node["cost"] = log(2.0)
        if len(present) > 1:
            node["cost"] += log(len(present))
            node["cost"] += wrong * (log(total + 1.0) + log(len(present) - 1))
        scores = self._scores(examples, counts) if len(present) > 1 else {}
        if scores:
            column, value = max(scores, key=scores.get)  # the first in a tie
            node["test"] = column, value
            node["yes"] = self._grow([e for e in examples if passes(e[0][column], value)])
            node["no"] = self._grow([e for e in examples if not passes(e[0][column], value)])
            divided = log(2.0) + log(len(scores))
            divided += node["yes"]["cost"] + node["no"]["cost"]
            if self.prune and node["cost"] <= divided:
                node["cut"] = True
            else:
                node["cost"] = divided
        return node

    def _counts(self, examples):
        return [sum_of(w for x, w in examples if x[-1] == c) for c in self.classes]

    def _scores(self, examples, counts):
        """Score of each test that separates, in the order of columns and of values."""
        scores = {}
        for n, column in enumerate(self._columns_for(examples)):
            if self.n_tested is not None and n >= self.n_tested and scores:
                break
            for value in sorted({x[column] for x, w in examples if not is_missing(x[column])}):
                if isinstance(value, float):  # a running sum over sorted examples
                    passing = sorted(
                        (e for e in examples if e[0][column] <= value), key=lambda e: e[0][column]
                    )
                else:
                    passing = [e for e in examples if e[0][column] == value]
                score = self._score(counts, self._counts(passing))
                if score is not None:
                    scores[column, value] = score
        return scores

    def _columns_for(self, examples):
        """Columns in the order in which a node with these examples considers them."""
        if self.n_tested is None:
            return range(len(examples[0][0]) - 1)
        number = {example: n for n, example in enumerate(self.weights)}
        drawn = sum(int(row_key(self.key, number[x])) for x, _ in examples) % 2**64
        return [self.columns[a] for a in permutation(len(self.columns), np.uint64(drawn))]

    def _score(self, counts, yes):
        no = [max(n - n_yes, 0.0) for n, n_yes in zip(counts, yes, strict=True)]
        if sum_of(yes) <= 0.0 or sum_of(no) <= 0.0:
            return None
        x_all, x_yes, x_no = (n_log_n(sum_of(part)) for part in (counts, yes, no))
        spread, spread_yes, spread_no = (
            n_log_n(sum_of(part)) - sum_of(n_log_n(n) for n in part) for part in (counts, yes, no)
        )
        gain = spread - (spread_yes + spread_no)
        if gain < 1e-12 * sum_of(counts):
            gain = 0.0
        if not self.gain_ratio:
            return gain
        information = x_all - (x_yes + x_no)
        return gain / information if information > 0.0 else 0.0

    def classify(self, x):
        """Class of the leaf, or None for a tree that has learned nothing; `None` in `x` is unknown."""
        if not self.weights:
            return None
        node = self.tree()
        while "test" in node and not node["cut"]:
            column, value = node["test"]
            if x[column] is None:
                answer = sum_of(node["yes"]["counts"]) >= sum_of(node["no"]["counts"])
            else:
                answer = passes(x[column], value)
            node = node["yes" if answer else "no"]
        return self.classes[node["counts"].index(max(node["counts"]))]


MISSING = math.nan  # one object, so that two examples without a number are equal


def is_missing(v):
    return v is None or v != v


def _canonical(v):
    return v if not isinstance(v, float) else MISSING if is_missing(v) else v + 0.0


def passes(v, value):
    return v <= value if isinstance(value, float) else v == value


def n_log_n(n):
    return n * log(n) if n > 0.0 else 0.0


def sum_of(values):
    """Left to right, rounding each time, as the kernels do (the built-in sum compensates)."""
    total = 0.0
    for value in values:
        total = total + value
    return total


class NeuralNetwork:
    """One hidden layer (thesis section 2.1.3), with every input written out, even if it is 0.

    `values` holds for each attribute the list of its nominal values, or None for a numeric one.
    """

    MOST_COPIES = 100

    def __init__(
        self, classes, values, key, m=0, hidden=10, rate=0.5, epochs=10, updates=1, initial_range=0.05
    ):
        self.classes, self.values = classes, values
        self.rate, self.epochs, self.updates = rate, epochs, updates
        self.n_updates = self.n_bounded = 0
        n_inputs = 1 + sum(1 if v is None or len(v) == 2 else len(v) for v in values)
        row = np.uint64(row_key(key, m))
        draws = (initial_range * (2.0 * uniform(np.uint64(draw_in_row(row, i))) - 1.0) for i in count())
        self.w1 = [[next(draws) for _ in range(hidden)] for _ in range(n_inputs)]  # w1[i][j]
        self.w2 = [[next(draws) for _ in range(hidden + 1)] for _ in classes]  # w2[k][j], the bias last

    def inputs(self, x):
        """The inputs that are 0 or 1, the bias first, and the numeric ones."""
        nominal, numeric = [1.0], []
        for v, known in zip(x, self.values, strict=True):
            if known is None:
                numeric.append(0.0 if is_missing(v) else v)
            else:
                nominal += [float(v == value) for value in (known[1:] if len(known) == 2 else known)]
        return nominal, numeric

    def sums(self, x):
        """Weighted sums of the hidden units: two alternating sums of inputs that are 1, then numeric ones."""
        nominal, numeric = self.inputs(x)
        sums = []
        for j in range(len(self.w1[0])):
            on = [w[j] for w, v in zip(self.w1, nominal, strict=False) if v]
            total = sum_of(on[0::2]) + sum_of(on[1::2])
            for w, v in zip(self.w1[len(nominal) :], numeric, strict=True):
                total += w[j] * v
            sums.append(total)
        return sums

    def respond(self, sums):
        """Activations of the hidden units, with the bias unit, and the outputs."""
        z = [*map(sigmoid, sums), 1.0]
        return z, [sigmoid(sum_of(w[j] * z[j] for j in range(len(z)))) for w in self.w2]

    def outputs(self, x):
        return self.respond(self.sums(x))[1]

    def update(self, x, y, steps):
        """Several steps on one example, whose inputs are summed only once.

        A step changes the weight of an input of v by v times as much as that of an input of 1, so it
        changes a weighted sum in proportion to the sum of the squared inputs.
        """
        nominal, numeric = self.inputs(x)
        square = sum_of([float(nominal.count(1.0)), *(v * v for v in numeric)])
        targets = [float(c == y) for c in self.classes]
        sums = self.sums(x)
        moves = [0.0 for _ in sums]
        for step in steps:
            z, o = self.respond(sums)
            dk = [(t - o_k) * o_k * (1.0 - o_k) for t, o_k in zip(targets, o, strict=True)]
            for j in range(len(sums)):
                back = sum_of(w[j] * d for w, d in zip(self.w2, dk, strict=True))
                move = step * (z[j] * (1.0 - z[j]) * back)
                moves[j] += move
                sums[j] += move * square
            for w, d in zip(self.w2, dk, strict=True):
                for j in range(len(z)):
                    w[j] += step * d * z[j]
        for w, v in zip(self.w1, [*nominal, *numeric], strict=True):
            for j, move in enumerate(moves):
                w[j] += move * v
        self.n_updates += len(steps)

    def bounded(self, weight):
        self.n_bounded += weight > self.MOST_COPIES
        return min(weight, self.MOST_COPIES)

    def learn(self, x, y, weight=1.0):
        """Learn `weight` copies: the updates for each whole copy, and shorter steps for the rest."""
        weight = self.bounded(weight)
        rest = weight - int(weight)
        steps = [self.rate] * (int(weight) * self.updates) + [self.rate * rest] * (
            self.updates if rest else 0
        )
        if steps:
            self.update(x, y, steps)

    def learn_scaled(self, x, y, weight=1.0):
        weight = self.bounded(weight)
        if weight > 0:
            self.update(x, y, [self.rate * weight] * self.updates)

    def learn_batch(self, rows, labels, weights, sample):
        for _ in range(self.epochs):
            for n in sample:
                weight = self.bounded(weights[n])
                if weight > 0:
                    self.update(rows[n], labels[n], [self.rate * weight])

    def classify(self, x):
        """The class of the largest output, or None for a model that has seen nothing."""
        if self.n_updates == 0:
            return None
        o = self.outputs(x)
        return self.classes[o.index(max(o))]


class DecisionStump(Counting):
    """Thesis section 2.1.1: the test with the highest gain, and a majority class for each outcome."""

    def __init__(self, classes, values):
        self.classes = classes
        self.values = values  # values of each nominal attribute, in order; None for numeric ones
        self.n_c = dict.fromkeys(classes, 0.0)
        self.tables = [{} for _ in values]  # attribute: value: class: weight

    def learn(self, x, y, weight=1.0):
        self.n_c[y] += weight
        for table, v in zip(self.tables, self._values(x), strict=True):
            table.setdefault(v, dict.fromkeys(self.classes, 0.0))[y] += weight

    def _values(self, x):
        """The example with None for each value that is missing or not known."""
        pairs = zip(x, self.values, strict=True)
        return [None if is_missing(v) or (known is not None and v not in known) else v for v, known in pairs]

    def left_open(self, n_c):
        """n log n − Σ n_c log n_c."""
        return _x_log_x(sum_of(n_c[c] for c in self.classes)) - sum_of(_x_log_x(n_c[c]) for c in self.classes)

    def together(self, tables):
        total = dict.fromkeys(self.classes, 0.0)
        for n_c in tables:
            for c in self.classes:
                total[c] += n_c[c]
        return total

    def best_test(self):
        """(remaining entropy, attribute, threshold, class counts for each outcome)."""
        return min(self._tests(), key=lambda test: test[:3])

    def _tests(self):
        for a, table in enumerate(self.tables):
            if self.values[a] is not None:
                groups = {v: table[v] for v in [*self.values[a], None] if v in table}
                yield sum_of(self.left_open(n_c) for n_c in groups.values()), a, 0.0, groups
                continue
            numbers = sorted(v for v in table if v is not None and any(table[v].values()))
            missing = table.get(None, dict.fromkeys(self.classes, 0.0))
            if len(numbers) < 2:
                n_c = self.together(table[v] for v in numbers)
                yield self.left_open(n_c) + self.left_open(missing), a, math.inf, {True: n_c, None: missing}
            for i in range(1, len(numbers)):
                left = self.together(table[v] for v in numbers[:i])
                right = self.together(table[v] for v in reversed(numbers[i:]))
                middle = 0.5 * numbers[i - 1] + 0.5 * numbers[i]
                threshold = middle if numbers[i - 1] <= middle < numbers[i] else numbers[i - 1]
                total = self.left_open(left) + self.left_open(right) + self.left_open(missing)
                yield total, a, threshold, {True: left, False: right, None: missing}

    def classify(self, x):
        """Majority class of the example's group, or of all; None if nothing was seen."""
        _, a, threshold, groups = self.best_test()
        v = self._values(x)[a]
        outcome = v if self.values[a] is not None or v is None else v <= threshold
        for n_c in (groups.get(outcome), self.n_c):
            if n_c and any(n_c.values()):
                return max(self.classes, key=n_c.get)
        return None


def _x_log_x(x):
    return x * log(x) if x > 0.0 else 0.0


def _log(x):
    return log(x) if x > 0.0 else -math.inf


class OptionTree:
    """Hoeffding option tree: with `max_options` of 1, a Hoeffding tree.

    `sizes` holds the number of values of each column, None for numeric ones; values are 0, 1, ...
    """

    def __init__(
        self,
        classes,
        sizes,
        leaf_prediction,
        max_options=5,
        option_delta=0.1,
        grace=200,
        delta=1e-7,
        tie=0.05,
    ):
        self.classes, self.sizes, self.leaf_prediction = classes, sizes, leaf_prediction
        self.max_options, self.option_delta = max_options, option_delta
        self.grace, self.delta, self.tie = grace, delta, tie
        self.root = OptionNode(dict.fromkeys(classes, 0.0), None)

    def learn(self, x, y, weight=1.0):
        if weight > 0.0:
            self._learn_in(self.root, x, y, weight)

    def _learn_in(self, node, x, y, weight):
        """Learn in the nodes below first, from the latest test of each on."""
        is_leaf = not node.tests
        for test in reversed(node.tests):
            self._learn_in(test.child_of(x), x, y, weight)
        if is_leaf:
            guesses = node.majority(), node.majority()
            if node.tables is not None:
                guesses = guesses[0], self._naive_bayes(node, x)[0]
            else:
                node.start(self.classes, self.sizes)
            for k, guess in enumerate(guesses):
                node.right[k] += weight * (guess == y)
        if is_leaf or self.max_options > 1:
            node.counts[y] += weight
        if node.tables is None:
            return
        node.count(x, y, weight)
        total = sum_of(node.counts.values())
        if total - node.last_try >= self.grace:
            node.last_try = total
            self._try(node, total)

    def _try(self, node, total):
        untested = [a for a in range(len(self.sizes)) if a not in [test.column for test in node.tests]]
        if node.tests and not (untested and self._may_have_option(node)):
            node.tables = None
            return
        if sum(weight > 0.0 for weight in node.counts.values()) < 2:
            return
        delta = self.option_delta if node.tests else self.delta
        gain_range = log(float(len(self.classes))) / math.log(2.0)
        bound = math.sqrt(gain_range * gain_range * -log(delta) / (2.0 * total))
        entropy = self._entropy(node.counts)
        gains = []
        for a in untested:
            tests = [(self._gain(entropy, branches), test, branches) for test, branches in node.candidates(a)]
            gains.append(max(tests, key=lambda found: found[0], default=(-math.inf, None, None)))
        best, test, branches = max(gains, key=lambda found: found[0])
        if node.tests:
            rivals = [[child.counts for child in one.children] for one in node.tests]
            is_better = best - max(self._gain(entropy, rival) for rival in rivals) > bound
        else:
            second = sorted(gain for gain, *_ in gains)[-2] if len(gains) > 1 else -math.inf
            is_better = best - second > bound or bound < self.tie
        if best > -math.inf and is_better:
            node.tests.append(OptionTest(*test, [OptionNode(branch, node) for branch in branches]))
            if not self._may_have_option(node):
                node.tables = None

    def _may_have_option(self, node):
        """Try it out."""
        node.tests.append(OptionTest(0, "=", 0, [OptionNode({}, node)]))
        n_paths = self.root.n_paths()
        del node.tests[-1]
        return n_paths <= self.max_options

    def _entropy(self, counts):
        total = sum_of(counts.values())
        left = _x_log_x(total) - sum_of(_x_log_x(weight) for weight in counts.values())
        return left / (total * math.log(2.0)) if total > 0.0 else 0.0

    def _gain(self, entropy, branches):
        weights = [sum_of(branch.values()) for branch in branches]
        total = sum_of(weights)
        if sum(weight > 0.01 * total for weight in weights) < 2:
            return -math.inf
        return (
            entropy
            - sum_of(weight * self._entropy(branch) for weight, branch in zip(weights, branches, strict=True))
            / total
        )

    def leaves(self, x, node=None):
        """The leaves that an example comes to."""
        node = node or self.root
        if not node.tests:
            return [node]
        return [leaf for test in node.tests for leaf in self.leaves(x, test.child_of(x))]

    def predict_then_shares(self, x):
        """(class, probability of each class); None for the class if nothing has been learned."""
        found = [self._in_leaf(leaf, x) for leaf in self.leaves(x)]
        shares = {c: sum_of(of_leaf[c] for _, of_leaf in found) / len(found) for c in self.classes}
        return found[0][0] if len(found) == 1 else max(self.classes, key=shares.get), shares

    def _in_leaf(self, leaf, x):
        uses = {"majority": False, "naive_bayes": True, "adaptive": leaf.right[0] <= leaf.right[1]}
        if leaf.tables is not None and uses[self.leaf_prediction]:
            return self._naive_bayes(leaf, x)
        return leaf.majority(), leaf.shares()

    def _naive_bayes(self, leaf, x):
        """By logarithms, so that no product underflows."""
        scores = {}
        for c in self.classes:
            factors = [leaf.log_factor(a, v, c) for a, v in enumerate(x) if not is_missing(v)]
            scores[c] = _log(leaf.counts[c]) + sum_of(factors)
        highest = max(scores.values())
        if highest == -math.inf:
            return leaf.majority(), leaf.shares()
        odds = {c: exp(max(scores[c] - highest, -700.0)) for c in self.classes}
        return max(self.classes, key=scores.get), {c: odds[c] / sum_of(odds.values()) for c in self.classes}


class OptionTest(NamedTuple):
    """A test of a node."""

    column: int
    kind: str  # "each" value, "=" one value, or "≤" a threshold
    value: float
    children: list

    def child_of(self, x):
        v = x[self.column]
        if is_missing(v):
            return self.children[max(range(len(self.children)), key=lambda j: self.children[j].inherited)]
        if self.kind == "each":
            return self.children[v]
        return self.children[int(v != self.value if self.kind == "=" else v > self.value)]


class OptionNode:
    """A node of an option tree: a leaf as long as it has no tests."""

    def __init__(self, counts, parent):
        self.counts, self.parent, self.tests, self.tables = dict(counts), parent, [], None
        self.inherited = sum_of(counts.values())
        self.right = [0.0, 0.0]  # by majority, by Naive Bayes

    def start(self, classes, sizes):
        self.last_try = sum_of(self.counts.values())
        self.classes, self.sizes = classes, sizes
        self.tables = [
            {c: [0.0] * size if size else [0.0, 0.0, 0.0, math.inf, -math.inf] for c in classes}
            for size in sizes
        ]  # weights of values; weight, mean, squared deviations, smallest, largest number

    def count(self, x, y, weight):
        for size, table, v in zip(self.sizes, self.tables, x, strict=True):
            if is_missing(v):
                continue
            if size:
                table[y][v] += weight
                continue
            n, mean, squares, low, high = table[y]
            new_mean = mean + weight * (v - mean) / (n + weight) if n else v
            squares += weight * (v - mean) * (v - new_mean)
            table[y] = [n + weight, new_mean, squares, min(low, v), max(high, v)]

    def candidates(self, a):
        """The tests of a column, (column, kind, value), and the class weights of their branches."""
        table, size = self.tables[a], self.sizes[a]
        if size:
            values = [{c: table[c][v] for c in self.classes} for v in range(size)]
            yield (a, "each", None), values
            met = [v for v in range(size) if any(values[v].values())]
            for v in met if len(met) > 2 else ():
                rest = {c: sum_of(table[c]) - table[c][v] for c in self.classes}
                yield (a, "=", v), [values[v], rest]
            return
        seen = [c for c in self.classes if table[c][0] > 0.0]
        low, high = (
            min((table[c][3] for c in seen), default=0.0),
            max((table[c][4] for c in seen), default=0.0),
        )
        for j in range(10):
            threshold = (high - low) / 11.0 * (j + 1.0) + low
            if low < threshold < high:
                below = {c: self._below(a, c, threshold) for c in self.classes}
                above = {c: table[c][0] - below[c] for c in self.classes}
                yield (a, "≤", threshold), [below, above]

    def _below(self, a, c, threshold):
        """Weight of the numbers of a class below a threshold, by its Gaussian."""
        n, mean, squares, low, high = self.tables[a][c]
        if n == 0.0 or threshold < low:
            return 0.0
        if threshold >= high:
            return n
        deviation = math.sqrt(squares / (n - 1.0)) if n > 1.0 else 0.0
        if deviation > 0.0:
            return n * normal_cdf((threshold - mean) / deviation)
        return n if mean <= threshold else 0.0

    def log_factor(self, a, v, c):
        if self.sizes[a]:
            weights = self.tables[a][c]
            return _log((weights[v] + 1.0) / (sum_of(weights) + len(weights)))
        n, mean, squares, *_ = self.tables[a][c]
        if n == 0.0:
            return -math.inf
        if not (n > 1.0 and squares > 0.0):
            return 0.0 if v == mean else -math.inf
        precision = (n - 1.0) / squares
        return 0.5 * (log(precision / (2.0 * math.pi)) - (v - mean) ** 2 * precision)

    def _with_weight(self):
        """The nearest of this node and those above that has had an example."""
        node = self
        while node.parent and not any(node.counts.values()):
            node = node.parent
        return node

    def majority(self):
        counts = self._with_weight().counts
        return max(counts, key=counts.get) if any(counts.values()) else None

    def shares(self):
        counts = self._with_weight().counts
        total = sum_of(counts.values())
        return {c: counts[c] / total if total else 1.0 / len(counts) for c in counts}

    def n_paths(self):
        """The most leaves that an example may come to from here."""
        return sum(max(child.n_paths() for child in test.children) for test in self.tests) or 1

    def below(self):
        """All nodes from this one on."""
        return [self, *(n for test in self.tests for child in test.children for n in child.below())]
