#!/bin/sh
# Run the library's tests on another Python, with the newest wheels: tools/python.sh 3.14 [TEST ...]
#
# Where that Python is not installed, root on Debian can do it in a small system of Debian unstable, unpacked
# by debootstrap; it sees this checkout, and needs no network.
set -eu
version=$1; shift
cd "$(dirname "$0")/.."
wheels=_build/python/$version
system=_build/python/debian-$version
tests=${*:-tests/test_bits.py tests/kernels tests/models tests/ensembles tests/experts tests/drift}

mkdir -p _build/python
python3 -m venv _build/uv
_build/uv/bin/python -m pip install --quiet --disable-pip-version-check uv
_build/uv/bin/uv pip compile pyproject.toml --python-version "$version" --upgrade --no-header --quiet \
  --extra cluster --extra excel --extra files --extra report --extra parquet --output-file "$wheels.txt"
_build/uv/bin/uv pip install --quiet --only-binary :all: --python-version "$version" --target "$wheels" \
  -r "$wheels.txt" pytest pytest-xdist hypothesis nbformat nbval papermill
run="env PYTHONPATH=$wheels:. PYTHONDONTWRITEBYTECODE=1 OZA_CACHE=_build/cache python$version -m pytest -q -n 2 -p no:cacheprovider $tests"

if "python$version" -c "" 2>/dev/null; then
  exec $run
fi
if [ ! -x "$system/usr/bin/python$version" ]; then
  echo "python$version is not installed here; unpacking it in $system" >&2
  rm -rf "$system"
  debootstrap --variant=minbase --include="python$version" sid "$system" >"$system.log"
fi
# The checkout is mounted for this one process, and nothing is left behind.
exec unshare --mount sh -c "mount --bind . $system/mnt && mount -t proc proc $system/proc && \
  mount --rbind /dev $system/dev && exec chroot $system sh -c 'cd /mnt && $run'"
