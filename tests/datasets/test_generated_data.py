"""The generated data: the archive's bytes, and the distributions of Table 3.2."""

import hashlib

import numpy as np
import pytest

from oza.datasets import dataset_info, load_dataset
from oza.datasets.generate import chain_parameters, draw_chain, generated_text
from oza.kernels.random import draw, key_of, uniform

SYNTHETIC = ["synthetic1", "synthetic2", "synthetic3"]


@pytest.mark.parametrize("name", ["balance", "car-evaluation", "nursery"])
def test_the_text_equals_the_archives_file(name):
    info = dataset_info(name)
    text = generated_text(info)
    assert len(text) == info.files[0].bytes
    assert hashlib.sha256(text).hexdigest() == info.files[0].sha256


def test_the_parameters_are_those_of_table_3_2():
    firsts = {"Synthetic1": [0.495, 0.505], "Synthetic2": [0.1, 0.8], "Synthetic3": [0.01, 0.975]}
    for name, expected in firsts.items():
        prior, first, step = chain_parameters(name)
        assert (prior, first.tolist(), step.tolist()) == (0.5, expected, [[0.8, 0.2], [0.9, 0.1]]), name


@pytest.mark.parametrize("name", SYNTHETIC)
def test_every_conditional_frequency_is_near_its_probability(name):
    X, y = load_dataset(name, return_X_y=True)
    prior, first, step = chain_parameters(dataset_info(name).thesis_name)

    def z(zeros, n, p):
        return (zeros - n * p) / np.sqrt(n * p * (1 - p))

    scores = [z((y == 0).sum(), len(y), prior)]
    for c in (0, 1):
        of_class = X[y == c]
        scores.append(z((of_class[:, 19] == 0).sum(), len(of_class), first[c]))
        for a in range(19):
            for v in (0, 1):
                rows = of_class[of_class[:, a + 1] == v]
                scores.append(z((rows[:, a] == 0).sum(), len(rows), step[c, v]))
    assert np.abs(scores).max() < 4.5
    assert abs(np.mean(np.square(scores)) - 1) < 4.5 * np.sqrt(2 / len(scores))


def test_the_kernel_draws_what_plain_python_draws():
    key, (prior, first, step) = np.uint64(key_of("a test")), chain_parameters("Synthetic3")
    values, classes = np.empty((40, 20), np.int16), np.empty(40, np.int16)
    draw_chain(key, np.arange(40), prior, first, step, values, classes)
    for i in range(40):
        chance = [uniform(np.uint64(draw(key, i, j))) for j in range(21)]
        c = int(chance[0] >= prior)
        plain = [int(chance[20] >= first[c])]
        for a in range(19, 0, -1):
            plain.insert(0, int(chance[a] >= step[c, plain[0]]))
        assert classes[i] == c and values[i].tolist() == plain
