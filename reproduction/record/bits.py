"""How far a recorded result depends on the processor: exact, close, or of its processor."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bits:
    """What another processor makes of a recorded result, declared where the result is defined.

    Parameters
    ----------
    kind : str
        "exact": the same bits, since it comes from the kernels of the library, integers, IEEE operations and
        sums in a fixed order. "close": through functions of other libraries, without feedback. "of its
        processor": chaotic, since inexact numbers feed back; only its statistics are compared.
    tolerance : float, default=0
        Largest difference of two numbers, relative to the larger one where that is above 1.
    """

    kind: str
    tolerance: float = 0.0

    def agree(self, recorded: Any, computed: Any) -> bool:
        """Compare values, in tuples, lists, dicts and texts in JSON; missing ones (None, NaN) are equal.

        Of a result of its processor only numbers are compared.

        >>> EXACT.agree((1.0, "[0.3]"), (1.0, "[0.30000000000000004]"))
        False
        >>> close(1e-12).agree((1.0, "[0.3]"), (1.0, "[0.30000000000000004]"))
        True
        """
        if recorded == computed:
            return True
        if isinstance(recorded, Mapping) and isinstance(computed, Mapping):
            return list(recorded) == list(computed) and self.agree([*recorded.values()], [*computed.values()])
        if isinstance(recorded, str) or isinstance(computed, str):
            texts = [str(recorded), str(computed)]
            if not all(text[:1] in ("[", "{") and text[-1] in ("]", "}") for text in texts):
                return self is OF_PROCESSOR  # no JSON
            return self.agree(*map(json.loads, texts))
        if isinstance(recorded, Sequence) and isinstance(computed, Sequence):
            return len(recorded) == len(computed) and all(map(self.agree, recorded, computed))
        missing = [one is None or one != one for one in (recorded, computed)]
        if any(missing):
            return all(missing)
        larger = max(1.0, abs(recorded), abs(computed))
        return self.tolerance > 0 and math.fabs(recorded - computed) <= self.tolerance * larger


EXACT, OF_PROCESSOR = Bits("exact"), Bits("of its processor", 0.02)


def close(tolerance: float) -> Bits:
    """Declare results that other processors confirm within a tolerance."""
    return Bits("close", tolerance)
