"""River: adwin-window. After an alarm the window is empty, the recent values too."""

import random

from river import drift

draw, detector = random.Random(1).random, drift.ADWIN()
for i in range(6000):
    detector.update(int(draw() < (0.1 if i < 3000 else 0.5)))
    if detector.drift_detected:
        width = detector.width
        detector.update(0)
        print("alarm at", i, "width", width, "and after one value more", detector.width)
        break
assert width > 30 and detector.width == 1
