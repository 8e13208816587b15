#!/usr/bin/env bash
# The main flows and the layout in the engines of Firefox and Safari: the built server with the demo catalogue in a temporary
# folder, Firefox with geckodriver, and WebKitGTK's MiniBrowser with WebKitWebDriver. scripts/setup.sh browsers installs
# them. MIRASA_PROGRAM selects another build. Names of engines run only those, --name only the flows whose name matches:
#   scripts/browsers.sh webkit --name sign-in
# A failed flow leaves a screenshot in web/test-results/.
. "$(dirname "$0")/lib.sh"
. scripts/demo-shop.sh

program="${MIRASA_PROGRAM:-$CARGO_TARGET_DIR/debug/mirasa}"
[[ -x "$program" ]] || fail "$program is not built. Please run:  make browsers"
firefox="$(find_firefox)" geckodriver="$(find_geckodriver)" minibrowser="$(find_minibrowser)"
if [[ -z "$firefox" || -z "$geckodriver" || -z "$minibrowser" ]] || ! command -v Xvfb >/dev/null; then
  fail "A browser or its driver is missing. Please run:  scripts/setup.sh browsers"
fi

on_exit_hook() {
  # A browser that its driver could not end.
  if [[ -n "${SUPERVISED:-}" ]]; then stop_supervised; fi
  if (($1 != 0)) && [[ -s "$folder/shop.log" ]]; then
    say "The program's last words (whole log: data/browsers.log)"
    tail -n 20 "$folder/shop.log"
    mkdir -p data && cp "$folder/shop.log" data/browsers.log
  fi
  rm -rf "$folder"
}

start_server "$program"
# Profiles and caches of the browsers go into the temporary folder too.
mkdir "$folder/browsers"
export MIRASA_E2E_URL="$shop" MIRASA_FIREFOX="$firefox" MIRASA_GECKODRIVER="$geckodriver" MIRASA_MINIBROWSER="$minibrowser"
TMPDIR="$folder/browsers" supervise npm --prefix web run --silent browsers -- "$@"
keep_renditions
