#!/bin/sh
# Compares sgppl with what a user would take instead, on one core, and prints one table of medians and ratios a group:
# products of matrices beside OpenBLAS, training steps of networks beside PyTorch.
#
#   bench/peers/run.sh [--yes | --no-install] [flags of bench/peers/networks, see -h]
#
# The peers are Debian's packages below. What is missing is installed with apt-get, after a question unless --yes is given; whoever declines gets the
# comparison with what is there. Stan has a command of its own: go run ./bench/peers/nuts.
set -eu
cd "$(dirname "$0")/../.."

packages="gcc libc6-dev libopenblas-dev python3-torch"
answer=ask
case "${1-}" in
  --yes) answer=yes; shift ;;
  --no-install) answer=no; shift ;;
esac

missing=""
for p in $packages; do
  if ! dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed'; then missing="$missing $p"; fi
done
if [ -n "$missing" ] && ! command -v apt-get >/dev/null; then
  echo "Missing, and no apt-get to install them:$missing" >&2
elif [ -n "$missing" ]; then
  if [ "$answer" = ask ]; then
    printf 'Install%s with apt-get? [y/N] ' "$missing" >&2
    read -r reply || reply=n
    case "$reply" in y* | Y*) answer=yes ;; *) answer=no ;; esac
  fi
  if [ "$answer" = yes ]; then
    become=""
    [ "$(id -u)" = 0 ] || become=sudo
    $become apt-get install -y --no-install-recommends $missing >&2 || echo "The installation failed." >&2
  fi
fi

# Debian's OpenBLAS takes processors newer than itself for old ones.
core=""
if grep -qw avx512f /proc/cpuinfo 2>/dev/null; then core="-coretype SkylakeX"; fi

program=$(mktemp)
trap 'rm -f "$program"' EXIT
go build -o "$program" ./bench/peers/networks
pin=""
if command -v taskset >/dev/null; then pin="taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')"; fi
$pin "$program" $core "$@"
