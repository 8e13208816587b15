# shellcheck shell=bash
# Installs what the studio needs; quick if nothing is missing. Sourced by run.sh, never run.
# Without permission to install, it prints what to install and stops.

stop() {
    echo "$*" >&2
    exit 1
}

# works NAME: the program exists and runs (pyenv leaves stubs that only print an error).
works() { command -v "$1" >/dev/null && "$1" --version >/dev/null 2>&1; }

may_install() { command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# Debian packages: rsvg-convert for the labels, npm for the fonts.
install_programs() {
    local packages=()
    works rsvg-convert || packages+=(librsvg2-bin)
    works npm || packages+=(npm)
    [ ${#packages[@]} = 0 ] || install_packages "${packages[@]}"
}

install_packages() {
    local command="apt-get install -y --no-install-recommends $*"
    may_install || stop "The studio needs these Debian packages. Please run:  sudo apt-get update && sudo $command"
    echo "Installing Debian packages: $*"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
        stop "apt-get could not install: $*"
}

# Blender's module and the drawing tools, in an environment of their own.
install_python() {
    if ! cmp -s studio/requirements.txt "$cache/requirements.txt"; then
        "$venv/bin/python" -m pip --version >/dev/null 2>&1 || make_venv
        echo "Installing Blender and the drawing tools into $venv (once, about 400 MB to fetch)"
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r studio/requirements.txt ||
            stop "pip could not install the studio's tools; what is there is kept, so simply run it again."
        install_libraries
        cp studio/requirements.txt "$cache/requirements.txt"
    fi
}

# Blender links the X libraries even without a window; a minimal server does not have them.
install_libraries() {
    local needs
    needs=$(ldd "$venv"/lib/python3.11/site-packages/bpy/__init__.so 2>/dev/null | awk '/not found/ { print $1 }') || return 0
    [ -z "$needs" ] || install_packages libx11-6 libxrender1 libxfixes3 libxi6 libxkbcommon0 libsm6 libgl1
}

# Python 3.11: the one named in PYTHON, the system's, the distribution's package, or one fetched by uv.
make_venv() {
    local python=${PYTHON:-python3.11}
    rm -rf "$venv"
    try_venv "$python" && return
    if [ -z "${PYTHON:-}" ] && apt-cache show python3.11-venv >/dev/null 2>&1; then
        install_packages python3.11-venv
        try_venv /usr/bin/python3.11 && return
    fi
    if [ -z "${PYTHON:-}" ] && python3 -m venv "$cache/uv" 2>/dev/null; then
        echo "Python 3.11 is missing: fetching one with uv into $cache/python"
        "$cache/uv/bin/python" -m pip install --quiet --disable-pip-version-check uv &&
            UV_PYTHON_INSTALL_DIR=$cache/python "$cache/uv/bin/uv" python install --quiet --no-bin 3.11 &&
            try_venv "$(UV_PYTHON_INSTALL_DIR=$cache/python "$cache/uv/bin/uv" python find --managed-python 3.11)" && return
    fi
    stop "The studio needs Python 3.11 with its venv module, the version bpy is built for ($python will not do).
Debian 12, Ubuntu 22.04:  sudo apt-get install python3.11-venv
elsewhere:                uv python install 3.11  (https://docs.astral.sh/uv), then  PYTHON=\"\$(uv python find 3.11)\" make studio"
}

# try_venv PYTHON: make the environment with it, if it is a 3.11 that can.
try_venv() {
    "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null || return
    "$1" -m venv "$venv" 2>/dev/null || { rm -rf "$venv"; return 1; }
}
