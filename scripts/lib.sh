# shellcheck shell=bash
# Shared by all scripts: paths, progress messages, and running a command so that none of its processes is left behind.
# Sourced, never run.

set -euo pipefail

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
# The build folder is outside the checkout, so that a fresh clone can reuse it.
CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/mirasa"
export CARGO_TARGET_DIR="$CACHE/target"
# Tools that setup.sh installed come first: it installs them only if the system's version is too old.
export PATH="$CACHE/node/bin:${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
cd "$ROOT"

bold='' plain=''
if [[ -t 1 ]]; then bold=$'\e[1m' plain=$'\e[0m'; fi
say() { printf '%s==> %s%s\n' "$bold" "$*" "$plain"; }
fail() {
  printf '%s==> %s%s\n' "$bold" "$*" "$plain" >&2
  exit 1
}

# The last lines of a log, indented.
show_end_of() { tail -n "${2:-20}" "$1" | sed 's/^/    /' >&2; }

# Builds the server with the profile and the features of the tests, so that `make run`, `make dev` and `make test` share
# what is compiled: `--examples` makes cargo unify the features of dev-dependencies. There is one small example.
build_dev() { cargo build --workspace --bin mirasa --examples --locked "$@"; }

# version_at_least 20.19 20.20.2
version_at_least() {
  [[ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" == "$1" ]]
}

# The compiler's version in rust-toolchain.toml.
pinned_rust() { sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml; }

# rustup downloads the pinned toolchain when it is not installed under that name. Where `stable` is the same version,
# use `stable` instead: this also works without a network.
use_installed_rust() {
  local version toolchains="${RUSTUP_HOME:-$HOME/.rustup}/toolchains"
  version="$(pinned_rust)"
  if [[ -n "${RUSTUP_TOOLCHAIN:-}" ]] || compgen -G "$toolchains/$version-*" >/dev/null; then return; fi
  if compgen -G "$toolchains/stable-*/bin/rustc" >/dev/null \
    && [[ "$(RUSTUP_TOOLCHAIN=stable rustc --version 2>/dev/null)" == "rustc $version "* ]]; then
    export RUSTUP_TOOLCHAIN=stable
  fi
}
use_installed_rust

# Cargo compares file times only, and all checkouts share one build folder: it would take what another checkout has compiled
# for this one's. So if another checkout has built last, files with the same content get its times, all others a new one.
# (No code may contain the path of its checkout: it would not be compiled again.)
copy_file_times() {
  local other="$1" file changed=()
  # Cargo does not know which lint settings were used.
  cmp -s clippy.toml "$other/clippy.toml" || other=/nonexistent
  while IFS= read -r -d '' file; do
    if cmp -s "$file" "$other/$file"; then touch -r "$other/$file" "$file"; else changed+=("$file"); fi
  done < <(find mirasa.toml crates -type f -print0)
  if ((${#changed[@]})); then touch "${changed[@]}"; fi
  # A release binary contains the web app of its own checkout.
  touch -c web/dist/client/index.html
}
last_checkout="$(cat "$CARGO_TARGET_DIR/.checkout" 2>/dev/null || true)"
if [[ "$last_checkout" != "$ROOT" ]]; then
  mkdir -p "$CARGO_TARGET_DIR"
  copy_file_times "${last_checkout:-/nonexistent}"
  echo "$ROOT" >"$CARGO_TARGET_DIR/.checkout"
fi

# Prints a port without a listener, below the kernel's ephemeral range.
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# Prints the path of the first Chromium found, or nothing.
find_chromium() {
  local name
  for name in ${MIRASA_CHROMIUM:+"$MIRASA_CHROMIUM"} chromium chromium-browser google-chrome-stable google-chrome; do
    if command -v "$name" >/dev/null; then
      command -v "$name"
      return
    fi
  done
}

# The same for Firefox.
find_firefox() { command -v firefox-esr || command -v firefox || true; }

# The same for the program that drives Firefox. setup.sh builds the pinned version where the system has none.
GECKODRIVER_VERSION=0.37.1
find_geckodriver() {
  local built="$CACHE/geckodriver-$GECKODRIVER_VERSION/bin/geckodriver"
  if [[ -x "$built" ]]; then echo "$built"; else command -v geckodriver || true; fi
}

# The same for WebKitGTK's browser, with the program that drives it.
find_minibrowser() {
  local browser
  if ! command -v WebKitWebDriver >/dev/null; then return; fi
  for browser in /usr/lib/*/webkit2gtk-4.1/MiniBrowser /usr/libexec/webkit2gtk-4.1/MiniBrowser; do
    if [[ -x "$browser" ]]; then
      echo "$browser"
      return
    fi
  done
}

# Prints the folder of the newest PostgreSQL server's binaries, or nothing.
find_postgres() {
  local initdb
  initdb="$(printf '%s\n' /usr/lib/postgresql/*/bin/initdb | sort -V | tail -n 1)"
  if [[ -x "$initdb" ]]; then
    dirname "$initdb"
  elif initdb="$(command -v initdb)"; then
    dirname "$(readlink -f "$initdb")"
  fi
}

# Runs a command in its own process group and stops the whole group when this script receives a signal. (In the
# foreground, bash would wait for the command first, and a plain kill would miss the command's children.)
supervise() {
  local status=0
  set -m
  "$@" </dev/null &
  SUPERVISED=$!
  set +m
  trap 'stop_supervised; exit 130' INT
  trap 'stop_supervised; exit 143' TERM HUP
  wait "$SUPERVISED" || status=$?
  trap - INT TERM HUP
  return "$status"
}

stop_supervised() {
  trap '' INT TERM HUP
  kill -TERM -- "-$SUPERVISED" 2>/dev/null || true
  wait "$SUPERVISED" 2>/dev/null || true
}
