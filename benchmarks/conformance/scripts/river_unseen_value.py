"""River: leaf-unseen-value. The value a came with class 0 only, and class 1 is predicted for it."""

from river import tree

leaf = tree.HoeffdingTreeClassifier(leaf_prediction="nb", grace_period=10**9, nominal_attributes=["v"])
for i in range(1000):
    leaf.learn_one({"v": "c" if i % 5 < 3 else "ab"[i % 2]}, int(i % 5 < 3))
print("P(class | a):", leaf.predict_proba_one({"v": "a"}))
assert leaf.predict_one({"v": "a"}) == 1
