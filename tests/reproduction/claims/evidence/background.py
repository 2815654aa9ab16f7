"""Evidence about single models, ensembles and experts."""

from ..contrasts import BETTER, UNKNOWN, WORSE

EVIDENCE = {
    "C032": ((BETTER,), (WORSE,), (UNKNOWN,)),
}
