#!/usr/bin/env bash
# Everything that must hold before a change is done, in the order in which it fails fastest.
. "$(dirname "$0")/lib.sh"

# Kept between steps: clippy and the tests see the same profile and the same features, so that
# they share build scripts and macros, and the end-to-end tests run on the tests' own build.
finished=()
step() {
  local name="$1" began=$SECONDS
  shift
  say "$name  (at ${SECONDS} s)"
  supervise "$@" || fail "$name failed after $((SECONDS - began)) s:  $*"
  finished+=("$(printf '%5d s  %s' $((SECONDS - began)) "$name")")
}

step "Setting up what is missing"          scripts/setup.sh test
step "Web packages"                        scripts/web.sh deps
step "Web format, lints and types"         npm --prefix web run --silent check
step "Web build"                           scripts/web.sh build
step "What the shop is built from"         scripts/audit.py
step "Rust format"                         cargo fmt --all --check
step "Rust lints (clippy)"                 cargo clippy --workspace --all-targets --locked -- -D warnings
step "Rust tests on SQLite and PostgreSQL" scripts/with-postgres.sh cargo test --workspace --locked
step "Web unit tests"                      npm --prefix web test
step "Generated files are up to date"      scripts/check-generated.sh
step "End-to-end tests in Chromium"        scripts/e2e.sh
step "A minute of buyers and faults"       soak/run.sh --brief

printf '\n'
printf '%s\n' "${finished[@]}"
say "All tests pass (${SECONDS} s)"
