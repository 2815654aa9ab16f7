"""Weka: bagging-seeds, batch-bagging-vote. Seeds 1 and 2 share nine of ten trees; probabilities are added."""

import random

import capymoa  # noqa: F401  Weka is in its jar, with which it starts Java
from java.util import ArrayList
from weka.classifiers.meta import Bagging
from weka.core import Attribute, DenseInstance, Instances

draw, texts = random.Random(1).random, []
data = Instances("d", ArrayList([Attribute("a"), Attribute("y", ArrayList(["0", "1"]))]), 0)
data.setClassIndex(1)
for a in range(400):
    data.add(DenseInstance(1.0, [float(a), float(draw() < 0.3 + 0.4 * (a > 200))]))
for seed in (1, 2):
    model = Bagging()
    model.setOptions(["-S", str(seed), "-print", "-W", "weka.classifiers.trees.J48"])
    model.buildClassifier(data)
    texts.append([part.strip() for part in str(model).split("J48 pruned tree")[1:]])
print("trees that both have:", len(set(texts[0]) & set(texts[1])), "of", len(set(texts[0])))
shares = {round(10 * float(model.distributionForInstance(example)[1]), 3) for example in data}
print("votes of ten trees for class 1:", sorted(shares)[:5])
assert len(set(texts[0]) & set(texts[1])) >= 9 and any(share % 1 for share in shares)
