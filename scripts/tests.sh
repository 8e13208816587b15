#!/usr/bin/env bash
# The Rust tests and the browser's, side by side: each waits more than it works, so together they take as long as the
# longer one. The browser is seen at work; what the Rust tests said is shown at their end.
. "$(dirname "$0")/lib.sh"

said="$(mktemp)"
rust=
clean_up() {
  trap '' INT TERM HUP
  if [[ -n "$rust" ]]; then
    kill -TERM -- "-$rust" 2>/dev/null || true
    wait "$rust" 2>/dev/null || true
  fi
  rm -f "$said"
}
trap clean_up EXIT

set -m
scripts/with-postgres.sh cargo test --workspace --locked </dev/null >"$said" 2>&1 &
rust=$!
set +m

browser=passed
supervise scripts/e2e.sh || browser=failed
say "Rust tests on SQLite and PostgreSQL"
if wait "$rust"; then
  rust=
  grep '^test result' "$said"
else
  rust=
  cat "$said"
  fail "The Rust tests failed"
fi
[[ "$browser" == passed ]] || fail "The end-to-end tests in Chromium failed"
