"""VW: bagging-answer. The labels are −1 and 1, and 0 is predicted."""

import random
from collections import Counter

from vowpalwabbit import Workspace

draw, model = random.Random(1).random, Workspace("--bootstrap 10 --bs_type vote --quiet")
rows = [(draw(), draw()) for _ in range(400)]
for a, b in rows:
    model.learn(f"{1 if a > 0.5 else -1} | a:{a} b:{b}")
said = Counter(model.predict(f"| a:{a} b:{b}") for a, b in rows)
print("predicted:", dict(said))
assert said[0] > 0
