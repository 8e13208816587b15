#!/usr/bin/env bash
# End-to-end tests: the built server with the demo catalogue in a temporary folder, and a headless Chromium.
# MIRASA_PROGRAM selects another build. File names run only the tests of those files, --name only the tests whose name
# matches:  scripts/e2e.sh home products --name carousel
# A failed test leaves a trace and a screenshot in web/test-results/; with MIRASA_E2E_SNAPSHOTS=1 the trace shows the page
# at every step.
. "$(dirname "$0")/lib.sh"
. scripts/demo-shop.sh

program="${MIRASA_PROGRAM:-$CARGO_TARGET_DIR/debug/mirasa}"
[[ -x "$program" ]] || fail "$program is not built. Please run:  make test"
MIRASA_CHROMIUM="$(find_chromium)"
[[ -n "$MIRASA_CHROMIUM" ]] || fail "Chromium is missing. Please run:  scripts/setup.sh test"
export MIRASA_CHROMIUM

on_exit_hook() {
  if (($1 != 0)) && [[ -s "$folder/shop.log" ]]; then
    say "The program's last words (whole log: data/e2e.log)"
    tail -n 40 "$folder/shop.log"
    mkdir -p data && cp "$folder/shop.log" data/e2e.log
  fi
  rm -rf "$folder"
  if [[ -s web/test-results/failures.txt ]]; then
    say "What failed (web/test-results/failures.txt)"
    cat web/test-results/failures.txt
  fi
}

# No request reaches this host: the tests intercept them.
export MIRASA_PICTURES_IMAGE_HOSTS=images.example.com
start_server "$program"
MIRASA_E2E_URL="$shop" supervise npm --prefix web run --silent e2e -- "$@"
keep_renditions
