"""Weka: adaboost-perfect. The second model makes no error and is thrown away."""

import capymoa  # noqa: F401  Weka is in its jar, with which it starts Java
from java.util import ArrayList
from weka.classifiers.meta import AdaBoostM1
from weka.classifiers.trees import J48
from weka.core import Attribute, DenseInstance, Instances

data = Instances("d", ArrayList([Attribute("a"), Attribute("y", ArrayList(["0", "1"]))]), 0)
data.setClassIndex(1)
for a in range(12):
    data.add(DenseInstance(1.0, [float(a), float(a == 11)]))
boosted, second = AdaBoostM1(), J48()
boosted.setClassifier(J48())  # with equal weights it says 0 of all 12, an error of 1/12
boosted.buildClassifier(data)
weighted = Instances(data)  # as the first model leaves it: 1/2 for the example that it gets wrong
for example in weighted:
    example.setWeight(6.0 if example.classValue() == 1 else 6 / 11)
second.buildClassifier(weighted)
errors = [sum(m.classifyInstance(each) != each.classValue() for each in data) for m in (second, boosted)]
print("errors of the second model, and of the ensemble:", errors)
assert errors == [0, 1]
