"""MOA: leveraging-odd-codes. With three classes and ten members the first example is never learned."""

import os
from threading import Thread

import numpy as np
from capymoa.base import MOAClassifier
from capymoa.core import LabeledInstance
from capymoa.stream import Schema
from moa.classifiers.meta import LeveragingBag

schema = Schema.from_custom(["a", "y"], "y", {"y": ["0", "1", "2"]})
model = MOAClassifier(LeveragingBag, schema, "-o")
example = LabeledInstance.from_array(schema, np.zeros(1), 0)
thread = Thread(target=model.train, args=[example], daemon=True)
thread.start()
thread.join(6)
print("the first example is still being learned after 6 seconds:", thread.is_alive(), flush=True)
os._exit(0 if thread.is_alive() else 1)
