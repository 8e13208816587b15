#!/usr/bin/env bash
# Makes the shop's pictures: installs what the studio needs, draws, renders what is missing or changed.
#   studio/run.sh            print what will be rendered and how long it takes, then render it
#   studio/run.sh plan       only print it
#   studio/run.sh render --only 'goda-masala*'     any arguments of "python -m studio"
# STUDIO_DEVICE=CPU|CUDA|OPTIX|HIP|METAL forces a device; STUDIO_CACHE moves the cache (default ~/.cache/mirasa/studio).
# STUDIO_SAMPLES sets the samples per pixel: fewer for a quick preview, more against noise.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${STUDIO_CACHE:-$HOME/.cache/mirasa/studio}
venv=$cache/venv
export STUDIO_CACHE=$cache
# A Node that the shop's own setup has fetched.
export PATH="${XDG_CACHE_HOME:-$HOME/.cache}/mirasa/node/bin:$PATH"
. studio/install.sh

mkdir -p "$cache"
install_programs
install_python

studio() { nice -n 10 "$venv/bin/python" -m studio "$@"; }
if [ $# -gt 0 ]; then
    studio "$@"
else
    studio draw
    studio render
    studio share
fi
