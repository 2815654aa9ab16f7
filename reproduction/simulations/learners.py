"""Properties of learners: what repeated examples change, what online learning loses, and passes."""

from oza.datasets import load_dataset
from oza.ensembles import BaggingClassifier, OnlineBaggingClassifier
from oza.models import NeuralNetworkClassifier

from ..columns import nominal_columns
from ..record.simulation import simulation
from ..theory.passes import stream_passes


@simulation(small={"n_models": 2})
def network_passes(n_models: int = 100) -> dict[str, float]:
    """Count how often bags of networks learn each of some examples of Balance, in batch and online.

    For "bagging" these are the updates of all networks, for "online_bagging" the passes.
    """
    data = load_dataset("balance")
    X, y = data.data[::31], data.target[::31]
    network = NeuralNetworkClassifier()
    batch = BaggingClassifier(network, n_models, categorical_features=nominal_columns(X), random_state=1).fit(
        X, y
    )
    values = [range(len(v)) for v in data.categories]
    online = OnlineBaggingClassifier(network, n_models, categories=values, random_state=1)
    updates = sum(each.n_updates_ for each in batch.estimators_)
    return {"bagging": updates / len(y), "online_bagging": stream_passes(online, X, y)}
