#!/usr/bin/env bash
# Make the shop's pictures: install what the studio needs, draw what is drawn, render what is missing or changed.
#   studio/run.sh            say what is to do and how long it takes, then do it
#   studio/run.sh plan       only say it
#   studio/run.sh render --only 'goda-masala*'     any arguments of "python -m studio"
# STUDIO_DEVICE=CPU|CUDA|OPTIX|HIP|METAL forces a device; STUDIO_CACHE moves the cache (default ~/.cache/mirasa/studio).
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${STUDIO_CACHE:-$HOME/.cache/mirasa/studio}
venv=$cache/venv
export STUDIO_CACHE=$cache

need() { command -v "$1" >/dev/null || { echo "The studio needs $1 ($2)." >&2; exit 1; }; }
need npm "Node.js, for the fonts"
need rsvg-convert "Debian package librsvg2-bin, for the labels"
python=${PYTHON:-$(command -v python3.11 || true)}
[ -x "$venv/bin/python" ] || [ -n "$python" ] || { echo "The studio needs Python 3.11, the version bpy is built for." >&2; exit 1; }

mkdir -p "$cache"
if ! cmp -s studio/requirements.txt "$cache/requirements.txt"; then
    echo "Installing Blender and the drawing tools into $venv (once, about 400 MB)"
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r studio/requirements.txt
    cp studio/requirements.txt "$cache/requirements.txt"
fi

studio() { nice -n 10 "$venv/bin/python" -m studio "$@"; }
if [ $# -gt 0 ]; then
    studio "$@"
else
    studio draw
    studio render
    studio share
fi
