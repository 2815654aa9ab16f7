"""MOA, CapyMOA: leveraging-jobs. In mini-batches, which jobs need, members are equal, and learn all twice."""

import os

import numpy as np
from capymoa.base import MOAClassifier
from capymoa.classifier import LeveragingBagging
from capymoa.core import LabeledInstance
from capymoa.stream import Schema
from moa.classifiers.functions import MajorityClass

schema = Schema.from_custom(["a", "y"], "y", {"y": ["0", "1"]})
member = MOAClassifier(MajorityClass, schema)
model = LeveragingBagging(schema, base_learner=member, ensemble_size=5, minibatch_size=25).moa_learner
for i in range(1000):
    model.trainOnInstance(LabeledInstance.from_array(schema, np.zeros(1), i % 2).java_instance)


def hidden(thing, name):
    field = thing.getClass().getDeclaredField(name)
    field.setAccessible(True)
    return field.get(thing)


learned = [hidden(each, "learner").trainingWeightSeenByModel() for each in hidden(model, "trainers")]
print("weights that the members have learned of 1,000 examples:", learned, flush=True)
os._exit(0 if len(set(learned)) == 1 else 1)  # its threads never end
