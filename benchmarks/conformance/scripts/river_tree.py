"""River: tree-null-split, tree-own-examples. Noise is split, and n counts inherited examples."""

import random

from river import tree

draw, noise, pairs = random.Random(1).random, tree.HoeffdingTreeClassifier(), tree.HoeffdingTreeClassifier()
splits = []
for i in range(12_000):
    a, b = draw(), draw()
    noise.learn_one({0: a}, int(draw() < 0.5))
    pairs.learn_one({0: a, 1: b, 2: a, 3: b}, int(draw() < 0.1 + 0.5 * (a > 0.5) + 0.3 * (b > 0.5)))
    if pairs.n_nodes > 2 * len(splits) + 1:
        splits.append(i + 1)
print("one column of noise, nodes:", noise.n_nodes)
print("splits at", splits[:2], "where the second should need 6,448 more")
assert noise.n_nodes > 20 and splits[1] - splits[0] < 4000
