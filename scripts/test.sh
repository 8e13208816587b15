#!/usr/bin/env bash
# Runs all checks, the fastest first.
. "$(dirname "$0")/lib.sh"

# clippy compiles the workspace: it is rustc with more lints. So the tests and the lints take one build, and the packages
# that `make run` compiled are used again, which `cargo clippy` would check once more. `cargo clippy` sets the same two
# variables. The end-to-end tests run the binary of this build.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver
export CLIPPY_ARGS='-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__'

finished=()
step() {
  local name="$1" began=$SECONDS
  shift
  say "$name  (at ${SECONDS} s)"
  supervise "$@" || fail "$name failed after $((SECONDS - began)) s:  $*"
  finished+=("$(printf '%5d s  %s' $((SECONDS - began)) "$name")")
}

# Runs commands in parallel; prints the output of each as one block, in this order.
together() {
  local status=0 number=0 folder command job jobs=()
  folder="$(mktemp -d)"
  for command in "$@"; do
    $command >"$folder/${#jobs[@]}" 2>&1 &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do
    wait "$job" || status=$?
    cat "$folder/$((number++))"
  done
  rm -r "$folder"
  return "$status"
}

# More threads than cores: the tests wait for disks and timers as much as they compute. The test programs of a workspace run
# one after the other, so those of the whole program, which mostly wait, run beside the others. (Not `--all-targets`: it
# would run all. There are no doc tests.)
rust_tests() {
  RUST_TEST_THREADS=$(($(nproc) * $1)) scripts/with-postgres.sh cargo test --workspace --locked "${@:2}"
}
whole_program_tests() { rust_tests 3 --test it; }
other_rust_tests() {
  local path name targets=(--lib --bins --examples --benches)
  for path in crates/*/tests/*.rs crates/*/tests/*/main.rs; do
    name="$(basename "${path%/main.rs}" .rs)"
    [[ "$name" == it ]] || targets+=(--test "$name")
  done
  rust_tests 1 "${targets[@]}"
}

step "Setting up what is missing"          scripts/setup.sh test
step "Web packages"                        scripts/web.sh deps
step "Web format, lints and types"         npm --prefix web run --silent check
step "Web build"                           scripts/web.sh build
step "Versions"                            scripts/check-version.sh
step "What the shop is built from"         scripts/audit.py
step "Rust format"                         cargo fmt --all --check
step "Rust lints, building the Rust tests" cargo test --workspace --all-targets --locked --no-run
step "Rust and web tests, a brief soak"    together whole_program_tests other_rust_tests "npm --prefix web test" "soak/run.sh --brief"
step "Generated files are up to date"      scripts/check-generated.sh
step "End-to-end tests in Chromium"        scripts/e2e.sh

printf '\n'
printf '%s\n' "${finished[@]}"
say "All tests pass (${SECONDS} s)"
