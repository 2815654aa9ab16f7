"""Evidence about ADWIN bagging."""

from .test_leveraging_bagging import PRINTED, runs

EVIDENCE = {"C130": ((PRINTED,), (runs(adwin_bagging=(760, 1.48)),))}
