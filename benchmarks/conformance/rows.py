"""The rows of the table: one rule of one algorithm each, with the probe that looks whether it holds.

A probe knows an implementation by `make(algorithm, **options)` alone, which returns a learner: see
`benchmarks.conformance.cells`. Most ensembles are made over a stub, whose member j says about the
numbers x that class 1 has the probability x[j], or x[0] if there is only one; above 1 it is the class.
Nothing here needs a library, so that a probe runs wherever an implementation is.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

Make = Callable[..., Any]
Found = Mapping[str, float]


@dataclass(frozen=True)
class Row:
    """A rule in our words, where it is printed, what a probe feeds, and the bounds of what it finds."""

    name: str
    algorithm: str
    rule: str
    place: str
    fed: str
    probe: Callable[[Make], Found]
    bounds: Mapping[str, tuple[float, float]]

    @property
    def expected(self) -> str:
        """The bounds in words."""
        return "; ".join(
            f"{what} {low:g}" + ("" if low == high else " or more" if high == inf else f" to {high:g}")
            for what, (low, high) in self.bounds.items()
        )

    def conforms(self, found: Found) -> bool:
        return all(low <= found[what] <= high for what, (low, high) in self.bounds.items())


def errors(shares: Sequence[float], n: int, seed: int = 1) -> list[int]:
    """Zeros and ones: n of each share of ones, one share after the other."""
    draw = random.Random(seed).random
    return [int(draw() < share) for share in shares for _ in range(n)]


def given(learner: Any, examples: Sequence[tuple[list[float], int]], weight: float = 1.0) -> Iterator[list]:
    """Let an ensemble of stubs learn: for each example the weight that each member was given.

    It is negative if the member begins anew.
    """
    before: list[float] = []
    for x, y in examples:
        learner.learn(x, y, weight)
        after = [member.weight for member in learner.members()]
        yield [now - then for now, then in zip(after, before or [0.0] * len(after), strict=True)]
        before = after


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def copies(algorithm: str) -> Callable[[Make], Found]:
    """How often each of four members learns each of 2,000 examples."""

    def probe(make: Make) -> Found:
        each = list(given(make(algorithm, n_models=4), [([0.0], 0)] * 2000))
        every = [k for one in each for k in one]
        return {
            "mean": mean(every),
            "share of none": mean([k == 0 for k in every]),
            "first two members alike": mean([one[0] == one[1] for one in each]),
            "least": min(every),
            "most": max(every),
        }

    return probe


def right_and_wrong(algorithm: str, member: int, n_models: int = 3) -> Callable[[Make], Found]:
    """Mean weight that a member is given of examples that all stubs get right, and wrong (every fifth)."""

    def probe(make: Make) -> Found:
        labels = [int(i % 5 == 0) for i in range(4000)]
        each = list(given(make(algorithm, n_models=n_models), [([0.0], y) for y in labels]))
        late = list(zip(labels, each, strict=True))[1000:]
        return {
            name: mean([one[member] for y, one in late if y == wanted])
            for wanted, name in enumerate(("right", "wrong"))
        }

    return probe


def large_lambda(make: Make) -> Found:
    *_, last = given(make("online boosting", n_models=2), [([0.0], int(i == 7999)) for i in range(8000)])
    return {"weight": last[1]}


def order(make: Make) -> Found:
    """Mean weights of the first member to learn, and of the second where the first is wrong, and right."""
    labels = [[0.0, float(i % 10 in (4, 5)), float(i % 10 < 4)] for i in range(4000)]
    late = list(zip(labels, given(make("BOLE", n_models=3), [(x, 0) for x in labels]), strict=True))[1000:]
    return {
        "least accurate": mean([one[2] for _, one in late]),
        "next if wrong": mean([one[1] for x, one in late if x[2]]),
        "next if right": mean([one[0] for x, one in late if not x[2]]),
    }


def example_weight(make: Make) -> Found:
    examples = [([0.0], int(i % 5 == 0)) for i in range(1500)]
    return {"weight": mean([one[1] / 2 for one in given(make("online boosting", n_models=2), examples, 2.0)])}


def answers(
    algorithm: str, misses: Sequence[Callable[[int], bool]], asked: Sequence[list[float]], n: int = 1000
) -> Callable[[Make], Found]:
    """What an ensemble says, if member j was wrong about example i where `misses[j](i)`."""

    def probe(make: Make) -> Found:
        learner = make(algorithm, n_models=len(misses))
        for i, y in enumerate(errors([0.5], n)):
            learner.learn([float(y ^ misses_it(i)) for misses_it in misses], y, 1.0)
        return {f"said of {x}": learner.predict(x) for x in asked}

    return probe


def is_a_class(make: Make) -> Found:
    learner, draw = make("online bagging", n_models=10, over="tree", n_columns=2), random.Random(1).random
    rows = [[draw(), draw()] for _ in range(400)]
    for x in rows:
        learner.learn(x, int(x[0] > 0.5), 1.0)
    return {"share": mean([learner.predict(x) in (0, 1) for x in rows])}


def adwin(make: Make) -> Found:
    alarms: list[int] = []
    detector, next_width = make("ADWIN"), 0
    for i, value in enumerate(errors([0.1, 0.5], 3000)):
        is_next = len(alarms) > 0 and alarms[-1] == i - 1
        if detector.update(value):
            alarms.append(i)
        if is_next and next_width == 0 and i > 3000:
            next_width = detector.width
    late = [i for i in alarms if i >= 3000]
    return {
        "false alarms": len(alarms) - len(late),
        "delay": late[0] - 3000 if late else inf,
        "width after the alarm": next_width,
    }


def restarts(learner: Any, examples: Sequence[tuple[list[float], int]]) -> list[int]:
    """Numbers of the members that began anew."""
    return [j for one in given(learner, examples) for j, weight in enumerate(one) if weight < 0]


def sense(algorithm: str) -> Callable[[Make], Found]:
    """How many of four members begin anew when the error of all rises, and when it falls."""

    def probe(make: Make) -> Found:
        found = {}
        for name, shares in (("error rises", (0.1, 0.6)), ("error falls", (0.6, 0.1))):
            examples = [([0.0], wrong) for wrong in errors(shares, 1500)]
            found[name] = len(restarts(make(algorithm, n_models=4), examples))
        return found

    return probe


def who_goes(make: Make) -> Found:
    per_member = [errors(shares, 1500, j) for j, shares in enumerate(((0.2, 0.2), (0.1, 0.5), (0.8, 0.8)))]
    examples = [([float(wrong) for wrong in one], 0) for one in zip(*per_member, strict=True)]
    return {"member": next(iter(restarts(make("ADWIN bagging", n_models=3), examples)), -1)}


def after_a_restart(make: Make) -> Found:
    examples = [([0.0], wrong) for wrong in errors((0.1, 0.1, 0.4), 2000)]
    each = list(given(make("ADWIN boosting", n_models=3), examples))[4000:]
    return {
        "restarts": sum(min(one) < 0 for one in each),
        "largest weight": max(max(one) for one in each),
    }


def codes(n_classes: int) -> Callable[[Make], Found]:
    """In how many of ten members half of the classes, or nearly half of an odd number, have the code 0."""

    def probe(make: Make) -> Found:
        learner = make("leveraging bagging MC", n_models=10, n_classes=n_classes)
        code: list[dict] = [{} for _ in range(10)]
        examples = [([0.0], c) for c in 20 * list(range(n_classes))]
        for (_, c), one in zip(examples, given(learner, examples), strict=True):
            for j, (k, member) in enumerate(zip(one, learner.members(), strict=True)):
                if k > 0:
                    code[j][c] = member.label
        n_zero = [sum(bit == 0 for bit in one.values()) for one in code]
        return {"balanced": sum(n in (n_classes // 2, (n_classes + 1) // 2) for n in n_zero)}

    return probe


def in_parallel(make: Make) -> Found:
    learner = make("leveraging bagging", n_models=5, jobs=2)
    for _ in range(1000):
        learner.learn([0.0], 0, 1.0)
    return {"distinct weights": len({float(member.weight) for member in learner.members()})}


def random_rows(n: int, n_columns: int, seed: int = 1) -> list[list[float]]:
    draw = random.Random(seed).random
    return [[draw() for _ in range(n_columns)] for _ in range(n)]


def random_labels(make: Make) -> Found:
    learner = make("accuracy weighted", n_models=10, over="naive Bayes", n_columns=2)
    for x, y in zip(random_rows(3000, 2), errors([0.5], 3000, 2), strict=True):
        learner.learn(x, y, 1.0)
    return {"largest weight": max(learner.vote_weights())}


def forest_columns(make: Make) -> Found:
    learner, asked = make("adaptive forest", n_models=30, n_columns=10), [0.5] * 9
    for x in random_rows(200, 10):
        learner.learn(x, int(x[0] > 0.5), 1.0)
    below, above = (learner.predict_each([value, *asked]) for value in (0.1, 0.9))
    return {"trees": sum(one != other for one, other in zip(below, above, strict=True))}


def forest_replaces(make: Make) -> Found:
    found = {}
    for name in ("error rises", "error falls"):
        learner = make("adaptive forest", n_models=5, n_columns=4)
        for i, (x, noise) in enumerate(zip(random_rows(3000, 4), errors([0.5], 3000, 2), strict=True)):
            label, is_late = int(x[0] > 0.5), i >= 1500
            learner.learn(x, label ^ is_late if name == "error rises" else label if is_late else noise, 1.0)
        found[name] = learner.n_replaced()
    return found


def background(make: Make) -> Found:
    learner, weights = make("adaptive forest", n_models=5, n_columns=4), []
    before: list[float | None] = [None] * 5
    for x, flip in zip(random_rows(4500, 4), errors([0.0, 0.1, 0.2], 1500), strict=True):
        learner.learn(x, int(x[0] > 0.5) ^ flip, 1.0)
        now = learner.background_weights()
        weights += [b - a for a, b in zip(before, now, strict=True) if None not in (a, b) and b >= a]
        before = now
    return {"mean": mean(weights) if weights else 0.0, "examples": len(weights)}


def noise(make: Make) -> Found:
    tree = make("Hoeffding tree", n_columns=1)
    for x, y in zip(random_rows(10_000, 1), errors([0.5], 10_000, 2), strict=True):
        tree.learn(x, y, 1.0)
    return {"nodes": tree.n_nodes()}


def own_examples(make: Make) -> Found:
    tree, splits, n_before = make("Hoeffding tree", n_columns=4), [], 1
    draw = random.Random(1).random
    for i in range(12_000):
        a, b = draw(), draw()
        share = 0.1 + 0.5 * (a > 0.5) + 0.3 * (b > 0.5)
        tree.learn([a, b, a, b], int(draw() < share), 1.0)
        if tree.n_nodes() > n_before:
            splits.append(i + 1)
            n_before = tree.n_nodes()
    first, second = (*splits, inf, inf)[:2]
    return {"first": first, "second after": second - first}


def rare_class(make: Make) -> Found:
    tree, r, hits = make("Hoeffding tree", n_columns=2), random.Random(3), []
    for i in range(20_000):
        y = int(r.random() < 0.006)
        x = [r.gauss(3 * y, 1), r.random()]
        if y and i >= 8_000:
            hits.append(tree.predict(x) == 1)
        tree.learn(x, y, 1.0)
    return {"recall": mean(hits)}


def unseen_value(make: Make) -> Found:
    leaf = make("Naive Bayes leaf", n_values=3)  # one column of three names: 0, 1 and 2
    for i in range(1000):
        leaf.learn([2.0 if i % 5 < 3 else float(i % 2)], int(i % 5 < 3), 1.0)
    return {"class": leaf.predict([0.0])}


def wide(make: Make) -> Found:
    model, r, right = make("naive Bayes", n_columns=120), random.Random(1), []
    for i in range(1000):
        y = r.randrange(2)
        x = [1000 * r.gauss(0.5 * y, 1) for _ in range(120)]
        if i >= 500:
            right.append(model.predict(x) == y)
        model.learn(x, y, 1.0)
    return {"accuracy": mean(right)}


def kept(make: Make) -> Found:
    rows, labels = [], []
    for i in range(300):
        y, other = i % 3, (i + 1) % 3
        place = (i // 3) % 10
        said = [other if place < 2 else y, y if place in (0, 2, 3, 4) else other, y]
        rows.append([float(value) for value in said])
        labels.append(y)
    return {"models": make("AdaBoost.M1", n_models=3, n_classes=3).fit(rows, labels).n_kept()}


def perfect_model(make: Make) -> Found:
    labels = [i % 2 for i in range(200)]
    rows = [[float(y ^ (i // 2 % 5 == 0)), float(y)] for i, y in enumerate(labels)]
    model = make("AdaBoost.M1", n_models=2).fit(rows, labels)
    return {f"said of {x}": model.predict(x) for x in ([1.0, 0.0], [0.0, 1.0])}


def majority(make: Make) -> Found:
    labels = [i % 2 for i in range(100)]
    model = make("bagging", n_models=3).fit([[float(y)] * 3 for y in labels], labels)
    return {f"said of {x}": model.predict(x) for x in ([0.6, 0.6, 0.0], [0.4, 0.4, 1.0])}


def seeds(make: Make) -> Found:
    labels = [i % 2 for i in range(200)]
    marks = [[draw] for (draw,) in random_rows(200, 1)]
    samples = [make("bagging", n_models=10, seed=seed).fit(marks, labels).members() for seed in (1, 2)]
    first, second = ({round(float(member.mark), 6) for member in members} for members in samples)
    return {"shared": len(first & second)}


RIGHT = {"said of [1.0, 0.0, 0.0]": (1, 1), "said of [0.0, 1.0, 1.0]": (0, 0)}
ASKED = [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]
LECTURE = "A. Bifet, Ensemble Methods (lecture, 2012)"
PROGRAM = "the authors' program, MOA, since the paper was not at hand"
VFDT = "Domingos and Hulten, Mining High-Speed Data Streams (2000), as later texts quote it"
SENSE = "1,500 examples of which all members get .1 (.6) wrong, then 1,500 of which they get .6 (.1) wrong"

ROWS = (
    Row(
        "bagging-copies",
        "online bagging",
        "Each member learns each example k times, k drawn for it from Poisson(1).",
        "thesis, Figure 3.3; KDD paper, Figure 1",
        "2,000 examples, four stubs",
        copies("online bagging"),
        {"mean": (0.95, 1.05), "share of none": (0.34, 0.40), "first two members alike": (0.26, 0.36)},
    ),
    Row(
        "bagging-vote",
        "online bagging",
        "The class that most members predict is predicted, however sure they are.",
        "thesis, Figures 3.1 and 3.3",
        "100 examples; then two of three members favour a class by .6, and the third is sure of the other",
        answers("online bagging", [lambda i: False] * 3, [[0.6, 0.6, 0.0], [0.4, 0.4, 1.0]], 100),
        {"said of [0.6, 0.6, 0.0]": (1, 1), "said of [0.4, 0.4, 1.0]": (0, 0)},
    ),
    Row(
        "bagging-answer",
        "online bagging",
        "What is predicted is one of the classes.",
        "thesis, Figure 3.1",
        "400 examples of two classes; the same asked again; members are the library's own",
        is_a_class,
        {"share": (1, 1)},
    ),
    Row(
        "boosting-lambda",
        "online boosting",
        "An example that member 1 gets right reaches member 2 with λ/(2(1 − ε)), a wrong one with λ/(2ε).",
        "thesis, Figure 4.3; KDD paper, Figure 2",
        "4,000 examples, of which every stub gets each fifth wrong; the mean after 1,000. For member 2 "
        "MOA's form, λN/(2λᶜ) and λN/(2λʷ), is the same",
        right_and_wrong("online boosting", 1),
        {"right": (0.55, 0.70), "wrong": (2.2, 2.8)},
    ),
    Row(
        "boosting-large-lambda",
        "online boosting",
        "k is drawn from Poisson(λ), however large λ is.",
        "thesis, Figure 4.3",
        "8,000 examples, of which the stubs get only the last wrong: λ is 4,000 for member 2, or 2,000 or "
        "1,333 if member 1, while it had learned nothing, was counted as wrong once or twice",
        large_lambda,
        {"weight": (1200, 4300)},
    ),
    Row(
        "boosting-first-l",
        "online boosting",
        "Only the first L members vote, if member L + 1 has an error above 1/2.",
        "KDD paper, section 4.4, on its experiments; by its Figure 2 and the thesis's Figure 4.3 all members "
        "vote, so that a program without this rule breaks no printed algorithm",
        "1,000 examples; member 1 errs on each fifth, member 2 always, member 3 on each twentieth",
        answers("online boosting", [lambda i: i % 5 == 0, lambda i: True, lambda i: i % 20 == 3], ASKED),
        RIGHT,
    ),
    Row(
        "boosting-perfect",
        "online boosting",
        "A vote is log((1 − ε)/ε): a member that has never erred outvotes those that have.",
        "thesis, Figure 4.1; KDD paper, Figure 2",
        "1,000 examples; member 1 never errs, member 2 on each fifth, member 3 on each fourth",
        answers("online boosting", [lambda i: False, lambda i: i % 5 == 0, lambda i: i % 4 == 1], ASKED),
        RIGHT,
    ),
    Row(
        "boosting-vote",
        "online boosting",
        "A member votes with all its weight for the class that it predicts, however sure it is.",
        "thesis, Figure 4.1; KDD paper, Figure 2",
        "1,000 examples, of which members 1 and 2 get .1 and .3 wrong, weights 2.2 and 1.6; then member 1 "
        "favours a class by .6, and member 2 is sure of the other",
        answers(
            "online boosting",
            [lambda i: i % 10 == 0, lambda i: i % 10 in (1, 3, 7)],
            [[0.6, 0.0], [0.4, 1.0]],
        ),
        {"said of [0.6, 0.0]": (1, 1), "said of [0.4, 1.0]": (0, 0)},
    ),
    Row(
        "boosting-weight",
        "online boosting",
        "An example of weight 2 counts as two copies of it.",
        "R. J. Mooney, Ensembles (lecture), Learning with Weighted Examples, for learners of weighted "
        "examples; no source says it of online boosting",
        "1,500 examples of weight 2, each fifth wrong; the mean weight at member 2, divided by 2",
        example_weight,
        {"weight": (0.9, 1.1)},
    ),
    Row(
        "bole-order",
        "BOLE",
        "The least accurate member learns first; after an error the least accurate one left is next, with "
        "λ/(2ε), otherwise the most accurate one, with λ/(2(1 − ε)).",
        PROGRAM,
        "4,000 examples, of which member 3 gets .4 wrong, member 2 others, .2, and member 1 none",
        order,
        {"least accurate": (0.92, 1.08), "next if wrong": (1.12, 1.38), "next if right": (0.74, 0.92)},
    ),
    Row(
        "bole-vote",
        "BOLE",
        "A member with an error above 1/2 has no vote, and those after it still have theirs, log((1 − ε)/ε).",
        PROGRAM,
        "1,000 examples; member 1 errs on each fifth, member 2 always, member 3 on each twentieth",
        answers("BOLE", [lambda i: i % 5 == 0, lambda i: True, lambda i: i % 20 == 3], ASKED),
        {"said of [1.0, 0.0, 0.0]": (0, 0), "said of [0.0, 1.0, 1.0]": (1, 1)},
    ),
    Row(
        "adwin-window",
        "ADWIN",
        "At a change the oldest values are dropped until no cut differs; the recent ones stay.",
        f"{LECTURE}, ADWIN: the window adapts to the rate of change; Bifet and Gavaldà (2007), Figure 1",
        "3,000 bits of mean .1, then 3,000 of mean .5; width one value after the first alarm",
        adwin,
        {"false alarms": (0, 1), "delay": (1, 200), "width after the alarm": (20, 1500)},
    ),
    Row(
        "detector-sense",
        "ADWIN bagging",
        "Detectors are fed with errors: a member is replaced when an error rises, none when it falls.",
        f"{LECTURE}, ADWIN Bagging, lines 6 and 7",
        SENSE,
        sense("ADWIN bagging"),
        {"error rises": (1, 20), "error falls": (0, 0)},
    ),
    Row(
        "worst-goes",
        "ADWIN bagging",
        "The member with the highest error is replaced, not the one whose error has changed.",
        f"{LECTURE}, ADWIN Bagging, line 7",
        "three members: 0 errs on .2, 1 on .1 and after 1,500 examples on .5, 2 always on .8",
        who_goes,
        {"member": (2, 2)},
    ),
    Row(
        "boosting-sense",
        "ADWIN boosting",
        "Detectors are fed with errors: a member is replaced when an error rises, none when it falls.",
        "the authors' program, MOA; no paper describes it",
        SENSE,
        sense("ADWIN boosting"),
        {"error rises": (1, 20), "error falls": (0, 0)},
    ),
    Row(
        "adwin-boosting-lambda",
        "ADWIN boosting",
        "Until a member is replaced, it is online boosting: λ/(2(1 − ε)) and λ/(2ε).",
        "the authors' program, MOA; thesis, Figure 4.3",
        "as in boosting-lambda",
        right_and_wrong("ADWIN boosting", 1),
        {"right": (0.55, 0.70), "wrong": (2.2, 2.8)},
    ),
    Row(
        "boosting-restart",
        "ADWIN boosting",
        "A member that begins anew has the weights of a new one: all that λ is computed from begins anew.",
        "thesis, Figure 4.3, for a member without examples",
        "4,000 examples of which all members get .1 wrong, then 2,000 of which they get .4 wrong",
        after_a_restart,
        {"restarts": (1, 20), "largest weight": (0, 100)},
    ),
    Row(
        "leveraging-copies",
        "leveraging bagging",
        "Each member learns each example k times, k drawn for it from Poisson(6).",
        f"{LECTURE}, Leveraging Bagging; λ = 6 from {PROGRAM}",
        "2,000 examples, four stubs",
        copies("leveraging bagging"),
        {"mean": (5.85, 6.15), "share of none": (0, 0.01), "first two members alike": (0.08, 0.16)},
    ),
    Row(
        "leveraging-sense",
        "leveraging bagging",
        "Detectors are fed with errors: a member is replaced when an error rises, none when it falls.",
        f"{LECTURE}, ADWIN Bagging, lines 6 and 7",
        SENSE,
        sense("leveraging bagging"),
        {"error rises": (1, 20), "error falls": (0, 0)},
    ),
    Row(
        "leveraging-jobs",
        "leveraging bagging",
        "Members differ when they learn in parallel, too.",
        f"{LECTURE}, Leveraging Bagging: a draw for each member",
        "1,000 examples, five stubs, two jobs, which may need mini-batches; how many different weights they "
        "have learned",
        in_parallel,
        {"distinct weights": (4, 5)},
    ),
    Row(
        "leveraging-codes",
        "leveraging bagging MC",
        "A member's output code gives half of the classes the bit 0.",
        PROGRAM,
        "examples of six classes in turn, ten stubs that note which bit they learn",
        codes(6),
        {"balanced": (10, 10)},
    ),
    Row(
        "leveraging-odd-codes",
        "leveraging bagging MC",
        "With an odd number of classes one bit more or less is 0.",
        f"{PROGRAM}; its loop has this intention",
        "examples of three classes in turn, ten stubs that note which bit they learn",
        codes(3),
        {"balanced": (10, 10)},
    ),
    Row(
        "leveraging-me",
        "leveraging bagging ME",
        "An example that a member gets wrong has the weight 1, another e/(1 − e), or that probability.",
        f"{LECTURE}, Leveraging Bagging ME",
        "4,000 examples, of which every stub gets each fifth wrong: e/(1 − e) = .25",
        right_and_wrong("leveraging bagging ME", 0),
        {"right": (0.19, 0.31), "wrong": (0.98, 1.02)},
    ),
    Row(
        "leveraging-half",
        "leveraging bagging half",
        "Each member learns each example once with probability 1/2.",
        PROGRAM,
        "2,000 examples, four stubs",
        copies("leveraging bagging half"),
        {"mean": (0.46, 0.54), "most": (1, 1)},
    ),
    Row(
        "leveraging-wt",
        "leveraging bagging WT",
        "Each member learns each example 1 + k times, k from Poisson(1), so that none is left out.",
        PROGRAM,
        "2,000 examples, four stubs",
        copies("leveraging bagging WT"),
        {"mean": (1.9, 2.1), "least": (1, 1)},
    ),
    Row(
        "leveraging-subag",
        "leveraging bagging subag",
        "Each member learns each example once if k from Poisson(1) is positive.",
        PROGRAM,
        "2,000 examples, four stubs",
        copies("leveraging bagging subag"),
        {"mean": (0.60, 0.66), "most": (1, 1)},
    ),
    Row(
        "awe-weights",
        "accuracy weighted",
        "A model's weight is MSE_r − MSE_i, and one that is no better than chance has the weight 0.",
        f"{LECTURE}, Accuracy Weighted Ensemble",
        "3,000 examples in chunks of 500 whose labels are random; Naive Bayes",
        random_labels,
        {"largest weight": (0, 0.02)},
    ),
    Row(
        "forest-columns",
        "adaptive forest",
        "Each tree draws its own columns at each node.",
        "Gomes and others (2017), as its program's options say, since the paper was not at hand",
        "200 examples, ten columns of which one tells the class, 30 trees without Naive Bayes; how many "
        "trees have found it",
        forest_columns,
        {"trees": (3, 27)},
    ),
    Row(
        "forest-sense",
        "adaptive forest",
        "A tree is replaced when its error rises, not when it falls.",
        PROGRAM,
        "1,500 examples that can be learned, then all labels flipped; and 1,500 random labels, then some "
        "that can be learned; five trees",
        forest_replaces,
        {"error rises": (3, 50), "error falls": (0, 0)},
    ),
    Row(
        "forest-background",
        "adaptive forest",
        "A background tree learns as the others do, each example Poisson(6) times.",
        "other programs of the method of Gomes and others (2017), since the paper was not at hand; the "
        "authors' own program, MOA, does otherwise",
        "1,500 examples that can be learned, then as many with a tenth of the labels flipped, then a fifth; "
        "five trees",
        background,
        {"mean": (5, 7), "examples": (20, inf)},
    ),
    Row(
        "tree-null-split",
        "Hoeffding tree",
        "A leaf is split only if the best test is better than none, which gains 0, by the bound.",
        VFDT,
        "10,000 examples, one column of noise",
        noise,
        {"nodes": (1, 1)},
    ),
    Row(
        "tree-own-examples",
        "Hoeffding tree",
        "n in the bound is the number of examples that the leaf itself has seen.",
        VFDT,
        "12,000 examples, two columns, each twice, so that a leaf is split at ε < .05, which are 3,224 "
        "examples of its own; the two leaves of the first split need twice as many",
        own_examples,
        {"first": (3224, 3600), "second after": (5600, 7600)},
    ),
    Row(
        "tree-rare-class",
        "Hoeffding tree",
        "A leaf is looked at unless all its examples are of one class.",
        VFDT,
        "20,000 examples, .006 of them of class 1, whose first column is three deviations higher; recall of "
        "it after 8,000",
        rare_class,
        {"recall": (0.3, 1)},
    ),
    Row(
        "leaf-unseen-value",
        "Naive Bayes leaf",
        "A class that a value has never come with has the factor 0 and is not predicted.",
        "thesis, Figure 2.3",
        "1,000 examples, one column: class 0 has the values 0 and 1, class 1 (.6) has only 2; the value 0",
        unseen_value,
        {"class": (0, 0)},
    ),
    Row(
        "naive-bayes-wide",
        "naive Bayes",
        "The class with the largest product is predicted, however small the products are.",
        "thesis, Figure 2.3",
        "1,000 examples, 120 columns of scale 1,000, classes half a deviation apart; accuracy after 500",
        wide,
        {"accuracy": (0.95, 1)},
    ),
    Row(
        "adaboost-half",
        "AdaBoost.M1",
        "A model whose error is 1/2 or more is dropped, and boosting ends.",
        "thesis, Figure 4.1",
        "300 examples of three classes; model 1 errs on .2 of the weight, model 2 on .56",
        kept,
        {"models": (1, 1)},
    ),
    Row(
        "adaboost-perfect",
        "AdaBoost.M1",
        "A vote is log((1 − ε)/ε): a model without error outvotes those that err.",
        "thesis, Figure 4.1",
        "200 examples; model 1 errs on .2, model 2 on none",
        perfect_model,
        {"said of [1.0, 0.0]": (0, 0), "said of [0.0, 1.0]": (1, 1)},
    ),
    Row(
        "batch-bagging-vote",
        "bagging",
        "The class that most models predict is predicted, however sure they are.",
        "thesis, Figure 3.1",
        "100 examples; then two of three models favour a class by .6, and the third is sure of the other",
        majority,
        {"said of [0.6, 0.6, 0.0]": (1, 1), "said of [0.4, 0.4, 1.0]": (0, 0)},
    ),
    Row(
        "bagging-seeds",
        "bagging",
        "Samples are drawn independently: ensembles of other seeds have other samples.",
        "thesis, Figure 3.1",
        "200 examples, ten stubs, seeds 1 and 2; how many samples both have",
        seeds,
        {"shared": (0, 0)},
    ),
)
