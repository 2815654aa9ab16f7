"""Pieces to play with: they compute what the library computes, and work by keyboard and by pointer."""

import itertools
import json
import math
import re
import shutil
from collections import Counter
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from oza_pieces import PIECES, data_script, write_pieces
from scipy.special import xlogy
from scipy.stats import binom

from oza import DecisionTreeClassifier, OnlineBoostingClassifier
from oza.drift import ADWIN
from oza.ensembles.bagging.kernels import draw_samples
from oza.kernels.draws import uniforms
from oza.models.decision_tree.split import score_of, spreads
from oza.models.hoeffding_tree.split import hoeffding_bound
from reproduction.statistics import BY_EQUALITY, cell_verdict, equality_margin, equivalence
from reproduction.theory import sampling, schapire, voting
from reproduction.topics.online_boosting import shuffled
from reproduction.topics.repairing_online_boosting import passed_on
from reproduction.topics.scorecard import scorecard
from tools.book import PAGES, is_up_to_date
from tools.pieces import SHOWN, SOURCE, first_state, write_page
from tools.shot import DESKTOP, PHONE

# What is marked `full` takes a browser long, or asks for more than that a page is whole.
SCREENS = list(itertools.product(("light", "dark"), (DESKTOP, PHONE)))

every_piece = pytest.mark.parametrize("name", PIECES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the scripts and data of all pieces, of the book if that is up to date, for pages."""
    target = tmp_path_factory.mktemp("pieces")
    if is_up_to_date():
        shutil.copytree(PAGES / "_static" / "pieces", target, dirs_exist_ok=True)
    else:
        write_pieces(SOURCE, target, data_script)
    return target


@pytest.fixture(scope="module")
def data_of(folder):
    """The data of a piece, as its page loads them."""

    @cache
    def read(name):
        text = (folder / f"{name}.data.js").read_text(encoding="utf-8")
        return json.loads(text.removeprefix(f'oza.data("{name}",').removesuffix(");\n"))

    return read


@pytest.fixture
def call(browser, folder):
    """Call a function of a piece with several lists of arguments, in the browser."""

    @cache
    def visit(name):
        assert not browser.visit(write_page(name, folder)).problems

    def called(name, function, cases):
        visit(name)
        return browser.ask(f"{json.dumps(cases)}.map(a => oza.pieces['{name}'].pure.{function}(...a))")

    return called


@pytest.fixture(scope="module")
def look(browser, folder):
    """What a piece shows at first on a screen; each is loaded once for all."""

    @cache
    def seen(name, width):
        asked = {"shown": SHOWN, "unnamed": UNNAMED, "said": SAID}
        visit = browser.visit(write_page(name, folder), width=width, scripts=tuple(asked.values()))
        return SimpleNamespace(problems=visit.problems, **dict(zip(asked, visit.values, strict=True)))

    return seen


# ------------------------------------------------------------------------------ every piece


@every_piece
def test_the_stored_picture_is_what_the_script_shows_at_first(look, name):
    stored = (SOURCE / f"{name}.html").read_text(encoding="utf-8")
    shown = first_state(look(name, DESKTOP).shown, look(name, PHONE).shown)
    assert shown == stored, f"run: python tools/pieces.py {name}"


PRESSED = {"ArrowRight": (39, ""), "ArrowLeft": (37, ""), "ArrowDown": (40, ""), "Space": (32, " ")}


def press(tab, key):
    """Press a key as a reader does, on what has the focus."""
    code, text = PRESSED[key]
    what = {"key": text or key, "code": key, "windowsVirtualKeyCode": code, "text": text}
    tab("Input.dispatchKeyEvent", type="keyDown", **what)
    tab("Input.dispatchKeyEvent", type="keyUp", **what)


def click(tab, x, y, *, to=None):
    """Press the mouse at a point, and release it there or at another one."""
    x_to, y_to = to or (x, y)
    for kind, at_x, at_y in (("Pressed", x, y), ("Moved", x_to, y_to), ("Released", x_to, y_to)):
        tab("Input.dispatchMouseEvent", type=f"mouse{kind}", x=at_x, y=at_y, button="left", clickCount=1)


NOW = "document.querySelector('.piece-picture').innerHTML + document.querySelector('.piece-said').innerText"
NOTE, CHANGED = f"void (window.noted = {NOW})", f"window.noted !== {NOW}"
KINDS = """[...document.querySelectorAll('.piece-controls :is(input, select, button)')].map(e => e.type)"""
CONTROL = "document.querySelectorAll('.piece-controls :is(input, select, button)')[{}]"
PLACE = """(e => { e.scrollIntoView({block: "center"}); const b = e.getBoundingClientRect();
    return [b.left + b.width * SHARE, b.top + b.height / 2]; })(ELEMENT)"""


def place(element, share=0.5):
    """A script that scrolls to an element and gives a point of it, at a share of its width."""
    return PLACE.replace("SHARE", str(share)).replace("ELEMENT", element)


def key_used(tab, i, kind):
    """Use a control by keyboard alone, until something changes."""
    tab.evaluate(f"{CONTROL.format(i)}.focus()")
    for key in ("Space",) if kind in ("button", "checkbox") else ("ArrowRight", "ArrowLeft"):
        press(tab, "ArrowDown" if kind == "select-one" else key)
        if tab.evaluate(CHANGED):
            break
    assert tab.evaluate(f"document.activeElement === {CONTROL.format(i)}"), f"{i} lost the focus"


def pointer_used(tab, i, kind):
    """Use a control by pointer.  The browser draws lists itself, which the keyboard opens too."""
    if kind == "select-one":
        return key_used(tab, i, kind)
    for share in (0.5,) if kind != "range" else (0.3, 0.8):
        click(tab, *tab.evaluate(place(CONTROL.format(i), share)))


def idle_after(use):
    """A function of a tab that uses each control, twice if need be, and gives those that change nothing."""

    def used(tab):
        tab("Browser.setDownloadBehavior", behavior="deny")
        kinds = dict(enumerate(tab.evaluate(KINDS)))
        for _ in range(2):  # what can be done only after something else, such as a step back
            for i, kind in list(kinds.items()):
                tab.evaluate(NOTE)
                use(tab, i, kind)
                if tab.evaluate(CHANGED):
                    del kinds[i]
        return list(kinds.values())

    return used


#: Controls that need more than another control: points are put back only where one was moved.
IDLE = {"toy": ["button"]}


@pytest.mark.full
@every_piece
@pytest.mark.parametrize(
    ("use", "screens"), [(key_used, (SCREENS[0], SCREENS[3])), (pointer_used, (SCREENS[1], SCREENS[2]))]
)
def test_every_control_works(browser, folder, name, use, screens):
    """By each way in both schemes and on both widths, and on each screen by one way."""
    for scheme, width in screens:
        page = write_page(name, folder, scheme)
        seen = browser.visit(page, width=width, scheme=scheme, scripts=(idle_after(use),))
        assert seen.problems == [] and seen.values == [IDLE.get(name, [])], f"{scheme}, {width} px"


UNNAMED = """[...document.querySelectorAll('.piece-controls :is(input, select, button)')]
    .filter(e => !(e.labels?.[0]?.innerText || e.innerText).trim()).length"""
SAID = "document.querySelector('.piece-said[aria-live=polite]').innerText"


@pytest.mark.full
@every_piece
def test_controls_have_names_and_the_state_is_announced(look, name):
    seen = look(name, DESKTOP)
    assert seen.unnamed == 0
    assert re.fullmatch(r"[A-Z].*\.", seen.said)


@pytest.mark.full
@every_piece
def test_without_scripts_the_picture_shows_and_no_control(browser, folder, name):
    stored = (SOURCE / f"{name}.html").read_text(encoding="utf-8")
    script = """[...document.querySelectorAll('.piece-picture svg, .piece-controls')]
        .map(e => e.getBoundingClientRect().height > 100)"""
    for width, shown in ((DESKTOP, [True, False, False]), (PHONE, [False, True, False])):
        page = write_page(name, folder, first_state=stored)
        seen = browser.visit(page, width=width, scripts=(script,), scripting=False)
        assert seen.problems == [] and seen.values == [shown]


# ------------------------------------------------------------------------------ the library's numbers


def test_poisson_desk(call, data_of):
    data = data_of("poisson")
    sizes, deals = data["sizes"], data["deals"]
    distances = call("poisson", "distance", [[n] for n in sizes])
    assert distances == pytest.approx([sampling.total_variation(n) for n in sizes], rel=0, abs=1e-12)
    bounds = call("poisson", "bound", [[n] for n in sizes])
    assert all(d < b for d, b in zip(distances, bounds, strict=True))
    for scheme in ("batch", "online"):
        counts = np.array([deal[scheme] for deal in deals])
        assert (counts.sum(axis=2) == 10).all() == (scheme == "batch")
    first = draw_samples(3, 10, 0)
    assert deals[0]["batch"] == [np.bincount(s, minlength=10).tolist() for s in first]


@pytest.mark.full
def test_boosting_stepper(call, data_of):
    data, seed = data_of("boosting"), 1
    stream = shuffled("car-evaluation", seed)
    n = len(data["labels"])
    for base, estimator in {"bayes": None, "tree": DecisionTreeClassifier()}.items():
        for tested, is_right in data["right"][base].items():
            model = OnlineBoostingClassifier(estimator, 4, tested=tested, random_state=seed)
            trace = model.trace(stream.X[:n], stream.y[:n], np.unique(stream.y))
            (found,) = call("boosting", "compute", [[is_right]])
            for name, expected in (("lam", trace.lam), ("error", trace.error)):
                np.testing.assert_allclose(
                    [[m[name] for m in row] for row in found], expected, rtol=0, atol=1e-12
                )
            ends = [model.lambda_correct_, model.lambda_wrong_]
            last = [[m[k] for m in found[-1]] for k in ("right", "wrong")]
            np.testing.assert_allclose(last, ends, rtol=0, atol=1e-12)
            copies = np.array(data["copies"][base][tested])
            assert (copies[trace.lam == 0] == 0).all() and abs(copies.mean() - trace.lam.mean()) < 0.25


@pytest.mark.full
def test_memorising_trees(call, data_of):
    data, seed, n = data_of("memorisation"), 1, 1000
    X = np.random.default_rng(seed).integers(0, 2, (2 * n, 8))
    truth = (X.sum(axis=1) >= 5).astype(int)
    tree = DecisionTreeClassifier(prune=True, categorical_features=range(8))
    for tested, at in itertools.product(("after", "before"), (0, 2)):
        run = data["runs"][tested][at]
        (wrong,) = call("memorisation", "bits", [[data["wrong"][at], n]])
        y = truth[:n] ^ np.array(wrong)
        assert np.mean(wrong) == pytest.approx(data["shares"][at] / 100, abs=0.03)
        known = {"tested": tested, "categorical_features": range(8), "random_state": seed}
        model = OnlineBoostingClassifier(DecisionTreeClassifier(prune=True), 10, **known)
        trace = model.trace(X[:n], y, [0, 1])
        is_right = call("memorisation", "bits", [[text, n] for text in run[tested]])
        assert np.array_equal(np.transpose(is_right), trace.is_right)
        (found,) = call("memorisation", "compute", [[is_right]])
        np.testing.assert_allclose(np.transpose([each["lam"] for each in found]), trace.lam, rtol=1e-9)
        np.testing.assert_allclose([each["error"] for each in found], trace.error[-1], rtol=0, atol=1e-12)
        model.fit(X[:n], y)
        assert run["vote"][-1] == np.mean(model.predict(X[n:]) == truth[n:])
        assert run["voting"] == np.count_nonzero(model.vote_weights_)
        assert data["single"][at] == tree.fit(X[:n], y).score(X[n:], truth[n:])
    cases = [[[1, 0, 1, 1], [1, 1, 0, 0]], [[0, 1, 1, 0], [0, 1, 1, 1]]]
    assert call("memorisation", "agreement", cases) == pytest.approx([1 / 2, 2 / 3])
    assert call("memorisation", "median", [[[3, 1, 2]], [[4, 1, 2, 3]]]) == [2, 2.5]


@pytest.mark.full
def test_ways_of_boosting_online(call, data_of):
    data, expected = data_of("ways"), passed_on(seed=1)
    (is_wrong,) = call("ways", "bits", [[data["wrong"], data["examples"]]])
    is_right = call("ways", "bits", [[text, data["examples"]] for text in data["right"]])
    assert np.array_equal(is_wrong, expected.is_wrong)
    assert np.array_equal(np.transpose(is_right), expected.answers == expected.y[:, None])
    ways = {
        "online_boosting": ("thesis", []),
        "os_boost": ("smooth", [0.1]),
        "online_bbm": ("majority", [0.1]),
    }
    for name, (function, gamma) in ways.items():
        (weights,) = call("ways", function, [[is_right, *gamma]])
        found = np.transpose(weights)
        np.testing.assert_allclose(found / found.mean(axis=0), expected.weights[name], rtol=1e-9, atol=1e-300)
        for seen in (1, 57, 400):
            (shares,) = call("ways", "shares", [[weights, is_wrong, seen]])
            part, wrong = found[:seen], np.array(is_wrong[:seen], bool)
            sums = part.sum(axis=0)  # 0 where Online BBM has given all of them up
            np.testing.assert_allclose(shares * sums, part[wrong].sum(axis=0), rtol=1e-12)


@pytest.mark.full
def test_tolerance_desk(call, data_of):
    data, margins = data_of("tolerance"), [0.0, 0.003, 0.01, 0.02, 0.03]
    found = call("tolerance", "compute", [[data, margin] for margin in margins])
    for margin, verdicts in zip(margins, found, strict=True):
        with equality_margin(margin):
            nan = float("nan")
            expected = [cell_verdict(c[3], nan if c[4] is None else c[4], c[5]) for c in data["cells"]]
        assert verdicts == expected
    counts = scorecard().cell_counts().loc["all"]
    counts["differs"] += counts["explained"]
    assert [found[2].count(name) for name in BY_EQUALITY] == counts[[*BY_EQUALITY]].tolist()
    (text,) = call("tolerance", "csv", [[[{"table": "3.3", "dataset": "Chess", "ours": 0.5}]]])
    assert text.splitlines()[1] == "3.3,Chess,,0.5,,,"


def test_vote_bench(call, data_of):
    error = voting.correlated_vote_error
    cases = list(itertools.product([0.0, 0.05, 0.3, 0.5, 0.55], [1, 2, 3, 11, 101], [0.0, 0.05, 0.5, 1.0]))
    expected = [error(*case) for case in cases]
    np.testing.assert_allclose(call("votes", "correlated", cases), expected, rtol=0, atol=1e-12)
    for p, models in ((0.3, 11), (0.05, 101), (0.4, 5)):
        (turn,) = call("votes", "crossing", [[p, models]])
        assert error(p, models, turn - 0.01) <= error(p, 3, turn - 0.01)
        assert error(p, models, turn) > error(p, 3, turn)
    assert call("votes", "crossing", [[0.3, 3], [0.5, 11]]) == [None, None]

    hard = uniforms(100, "difficulty", "piece")[:, None]
    own, shared = (uniforms((100, 101), name, "piece") for name in ("own error", "shared"))
    for p, models, correlation in itertools.product((0.05, 0.3), (31, 101), (0.0, 0.3, 1.0)):
        (found,) = call("votes", "simulate", [[data_of("votes"), p, models, correlation]])
        wrong = np.where(shared < np.sqrt(correlation), hard < p, own < p)
        assert np.array_equal(found, wrong[:, :models])
        assert abs(np.mean(found) - p) < (0.2 if correlation else 0.04)


def test_adaboosts_toy(call):
    moved = schapire.POINTS.astype(float)
    moved[2] = 9.5, 1.5
    alike = schapire.POINTS.astype(float)
    alike[6] = alike[5]
    for points in (schapire.POINTS, moved, alike, np.array([[i + 0.5, i + 0.5] for i in range(10)])):
        expected = schapire.run_on(points, n_rounds=6)
        (found,) = call("toy", "compute", [[points.tolist(), schapire.CLASSES.tolist(), 6]])
        assert found["errors"] == [str(error) for error in expected.run.errors]
        assert found["weights"] == [[str(w) for w in row] for row in expected.run.weights]
        assert [tuple(border) for border in found["borders"]] == expected.borders
        np.testing.assert_allclose(found["alphas"], expected.alphas, rtol=0, atol=1e-12)
        wrong = [
            int((np.sign(expected.vote(points, t + 1)) != schapire.CLASSES).sum())
            for t in range(len(expected.alphas))
        ]
        assert found["wrong"] == wrong


def test_adwins_window(call, data_of):
    data = data_of("adwin")
    numbers = np.array(data["numbers"]) / 10_000
    rates = np.repeat([0.2, 0.5], data["change"])
    for stream, delta in itertools.product(range(3), (0.0001, 0.002, 0.3)):
        errors = numbers[stream] < rates
        (found,) = call("adwin", "follow", [[errors.astype(int).tolist(), delta]])
        detector, widths, means, alarms = ADWIN(delta=delta), [], [], []
        for start in range(0, len(errors), 32):
            alarms += (start + 1 + np.flatnonzero(detector.update(errors[start : start + 32]))).tolist()
            widths.append(detector.width_)
            means.append(detector.mean_)
        assert (found["alarms"], found["widths"]) == (alarms, widths)
        np.testing.assert_allclose(found["means"], means, rtol=0, atol=1e-12)


def test_split_or_wait(call):
    cases = list(itertools.product([50, 1000, 50000], [1e-9, 1e-3, 0.1], [2, 3, 10]))
    expected = [hoeffding_bound(n, classes, -math.log(delta)) for n, delta, classes in cases]
    np.testing.assert_allclose(call("split", "bound", cases), expected, rtol=0, atol=1e-12)
    for n, delta in itertools.product([50, 3000], [1e-7, 1e-3, 0.1]):
        counts = np.arange(n + 1)
        above = entropy(counts / n) - entropy(0.1) > hoeffding_bound(n, 2, -math.log(delta))
        exact = binom.pmf(counts, n, 0.1)[above].sum()
        assert call("split", "exceeds", [[n, delta, 0.1]])[0] == pytest.approx(exact, rel=1e-8, abs=1e-12)
    decided = call(
        "split", "decide", [[n, 1e-7, 0.05, 0.08, 2] for n in (1000, 1300)] + [[4000, 1e-7, 0.05, 0, 2]]
    )
    assert decided == ["wait", "split", "tie"]


@pytest.mark.full
def test_difference_viewer(call, data_of):
    data = data_of("differences")
    pairs = [pair for of_base in data["rows"].values() for pair in of_base.items()]
    words = {"equal": "equal", "undecided": "undecided", "better": "different", "worse": "different"}
    found = call("differences", "compute", [[rows, data["margin"], data["rounding"]] for _, rows in pairs])
    for (pair, rows), likely in zip(pairs, found, strict=True):
        expected = [equivalence(row[1], math.nan if row[2] is None else row[2], row[3]) for row in rows]
        assert [words[word] for word in likely] == expected, pair


@pytest.mark.full
def test_tree_that_restructures_itself(call, data_of):
    data = data_of("tree")
    X, y = np.array(data["answers"]), np.array(data["defaults"])
    columns = {"categorical_features": [0, 1, 2], "categories": [[0, 1]] * 3}
    cases = []
    for n, tree in enumerate(data["trees"], 1):
        asked = list(questions_of(tree))
        batch = DecisionTreeClassifier(**columns).fit(X[:n], y[:n]).tree_
        is_test = batch.feature >= 0
        expected = zip(batch.depth[is_test], batch.feature[is_test], strict=True)
        assert Counter((len(path), question) for path, question in asked) == Counter(expected)
        assert total_of(tree) == np.bincount(y[:n], minlength=2).tolist()
        cases += [(n, path, question) for path, question in asked]
    found = call("tree", "tests", [[data, n, path] for n, path, _ in cases])
    for (n, path, question), scores in zip(cases, found, strict=True):
        here = [all(answers[q] == answer for q, answer in path) for answers in X[:n]]
        expected = [library_scores(X[:n][here, q], y[:n][here]) for q in range(3)]
        ratios = [-1.0 if score is None else score["ratio"] for score in scores]
        assert ratios[question] == pytest.approx(max(ratios), rel=0, abs=1e-12)
        for score, library in zip(scores, expected, strict=True):
            assert (score is None) == (library is None)
            if score is not None:
                assert [score["gain"], score["ratio"]] == pytest.approx(library, rel=0, abs=1e-12)
    changes = call("tree", "rebuilt", [list(pair) for pair in itertools.pairwise(data["trees"])])
    roots = [tree[0] if len(tree) == 3 else None for tree in data["trees"]]
    assert [[] in change for change in changes] == [
        None not in (before, after) and before != after for before, after in itertools.pairwise(roots)
    ]
    assert any(path for change in changes for path in change)


def total_of(tree):
    """Numbers of the examples of each class in a tree in lists."""
    return [sum(pair) for pair in zip(*map(total_of, tree[1:]), strict=True)] if len(tree) == 3 else tree


def questions_of(tree, path=()):
    """Paths to the tests of a tree in lists, with the number of the question."""
    if len(tree) == 3:
        yield path, tree[0]
        for answer in (1, 0):
            yield from questions_of(tree[2 - answer], (*path, (tree[0], answer)))


def library_scores(answers, classes):
    """Gain in bits and gain ratio of a question, by the library's kernels; None if it divides nobody."""
    counts = np.bincount(classes, minlength=2)[None].astype(float)
    tables = np.bincount(classes[answers == 1], minlength=2).astype(float)[None, :, None]
    logs = np.append(0.0, np.log(np.arange(1.0, 100.0)))
    total, whole, spread = spreads(logs, counts, 0)
    node = counts, 0, whole, spread, total, tables, 0, 0
    ratio, gain = (score_of(logs, is_ratio, *node)[0] for is_ratio in (True, False))
    return None if ratio < 0 else [gain / total / math.log(2), ratio]


def entropy(p):
    """Entropy in bits of two classes."""
    return -(xlogy(p, p) + xlogy(1 - p, 1 - p)) / math.log(2)
