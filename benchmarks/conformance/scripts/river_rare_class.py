"""River: tree-rare-class. A class of .006, three deviations away, is never predicted."""

import random

from river import tree

for share in (0.99, 1.0):  # the default, and without the rule that loses it
    r, model, hits = random.Random(3), tree.HoeffdingTreeClassifier(max_share_to_split=share), []
    for i in range(20_000):
        y = int(r.random() < 0.006)
        x = {0: r.gauss(3 * y, 1), 1: r.random()}
        if y and i >= 8000:
            hits.append(model.predict_one(x) == 1)
        model.learn_one(x, y)
    print("max_share_to_split", share, "recall", sum(hits) / len(hits))
    assert (sum(hits) == 0) == (share == 0.99)
