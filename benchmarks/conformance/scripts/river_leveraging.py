"""River: leveraging-me, leveraging-half. These two variants of leveraging bagging raise."""

from river import ensemble, tree

for method in ("me", "half"):
    model = ensemble.LeveragingBaggingClassifier(
        tree.HoeffdingTreeClassifier(), n_models=3, bagging_method=method, seed=1
    )
    try:
        for i in range(100):
            model.learn_one({"a": i % 7}, i % 2)
    except (AttributeError, TypeError) as error:
        print(method, type(error).__name__, error)
    else:
        raise AssertionError(method)
