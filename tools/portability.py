"""Run, as on other processors, what has the same bits on all: classes, simulations, recorded results, pages.

    python -m tools.portability [PROCESSOR ...]         all that differs between processors
    python -m tools.portability --quick [PROCESSOR ...] classes and small simulations only

NumPy, BLAS, the C library and numba are told by variables to do without what a processor of that kind lacks.
AVX-512 cannot be emulated, so a machine without it does not see what only such a one computes.
"""

import argparse
import os
import subprocess
import sys
import time

from tools.run_notebooks import TOP

AVX_512 = "X86_V4 AVX512_ICL AVX512_SPR"
#: What a kind of processor says of itself to those who ask.
PROCESSORS = {
    "no-avx512": {  # as Intel's from 2013 and AMD's before 2022
        "NPY_DISABLE_CPU_FEATURES": AVX_512,
        "OPENBLAS_CORETYPE": "Haswell",
        "NUMBA_CPU_NAME": "haswell",
        "NUMBA_CPU_FEATURES": "",  # those of that processor; numba would take this one's
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD",
    },
    "old": {  # as of 2008
        "NPY_DISABLE_CPU_FEATURES": f"X86_V3 {AVX_512}",
        "OPENBLAS_CORETYPE": "Nehalem",
        "NUMBA_CPU_NAME": "x86-64",
        "NUMBA_CPU_FEATURES": "",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX",
    },
    "generic": {"NUMBA_CPU_NAME": "generic"},  # kernels without anything that not every x86-64 has
}
VERIFY = (sys.executable, "-m", "reproduction", "verify")
PYTEST = (sys.executable, "-m", "pytest", "-q", "-n", "2")
QUICK = {
    "classes": (*PYTEST, "tests/test_bits.py", "tests/test_streams.py", "-k", "on_record"),
    "simulations": (*VERIFY, "--study", "simulations", "--profile", "smoke", "--sample", "1000"),
}
CHECKS = QUICK | {"recorded results": (*VERIFY, "--sample", "200"), "pages": (*PYTEST, "notebooks")}
#: Digests of what NumPy computes by the C library, by itself and by BLAS.
PROBE = """
import hashlib, numpy as np
x = np.random.default_rng(0).random((300, 300))
for name, value in {"exp": np.exp(x), "tanh": np.tanh(x), "products": x @ x}.items():
    print(name, hashlib.sha256(value.tobytes()).hexdigest())
"""


def variables(processor: str) -> dict[str, str]:
    """The environment of a process that is to run as on that processor.

    NumPy warns of features that this processor does not have, and refuses those that its wheel always needs.
    """
    from numpy._core._multiarray_umath import (  # type: ignore[import-not-found]
        __cpu_dispatch__,
        __cpu_features__,
    )

    given = dict(PROCESSORS[processor])
    known = {name for name in __cpu_dispatch__ if __cpu_features__.get(name)}
    unwanted = given.get("NPY_DISABLE_CPU_FEATURES", "").split()
    given["NPY_DISABLE_CPU_FEATURES"] = " ".join(name for name in unwanted if name in known)
    executed = TOP / "_build" / "portability" / processor  # the book shows runs on this processor
    return os.environ | given | {"OZA_EXECUTED": str(executed)}


def probe(environment: dict[str, str]) -> dict[str, str]:
    """What `PROBE` prints there."""
    said = subprocess.run(
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True
    )
    return dict(line.split() for line in said.stdout.splitlines())


def main(arguments: list[str] | None = None) -> int:
    as_written = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_written)
    parser.add_argument("processors", nargs="*", metavar="PROCESSOR", help=f"of {', '.join(PROCESSORS)}")
    parser.add_argument("--quick", action="store_true", help="only classes and small simulations")
    options = parser.parse_args(arguments)
    if unknown := set(options.processors) - PROCESSORS.keys():
        parser.error(f"no processor {', '.join(sorted(unknown))}; there are: {', '.join(PROCESSORS)}")
    here, failed = probe(dict(os.environ)), []
    for processor in options.processors or PROCESSORS:
        environment = variables(processor)
        there = probe(environment)
        differ = [name for name in here if here[name] != there[name]]
        print(f"{processor}: NumPy has other bits in {', '.join(differ) or 'nothing'}", flush=True)
        for name, command in (QUICK if options.quick else CHECKS).items():
            start = time.monotonic()
            if subprocess.call(command, cwd=TOP, env=environment):
                failed.append(f"{processor}: {name}")
            print(f"{processor}: {name}, {(time.monotonic() - start) / 60:.1f} min", flush=True)
    print(f"failed: {'; '.join(failed)}" if failed else "all has the bits on record")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
