#!/usr/bin/env bash
# Installs what the tests of the clients use, where it can: packages of Debian, and by pip what
# Debian does not have, for those who reach it. The tests say which of it they lack.
cd "$(dirname "$0")" || exit 1
if command -v apt-get >/dev/null; then
  apt-get install -y -q --no-install-recommends python3-xarray python3-zarr python3-pandas \
    python3-scipy python3-ipykernel python3-jupyter-client python3-pip mypy r-cran-posterior >/dev/null 2>&1 ||
    echo "packages of Debian for the client for Python are not installed, and cannot be"
fi
if [ "${1:-}" = all ]; then
  python3 -m pip install --quiet polars arviz cmdstanpy ||
    echo "polars, arviz and cmdstanpy cannot be installed"
fi
