#!/usr/bin/env bash
# Builds the server of an earlier revision and prints the path of the binary, for soak/rolling_update.py.
#   soak/build_previous.sh [REVISION]    by default the last one before the newest migration
# The binary is kept, so the next call is quick.
. "$(dirname "$0")/../scripts/lib.sh"

newest_migration="$(git log -1 --diff-filter=A --format=%H -- crates/store/migrations)"
revision="$(git rev-parse --verify --quiet "${1:-$newest_migration^}^{commit}")" || fail "there is no revision ${1:-before $newest_migration}"
folder="$CACHE/previous"
program="$folder/mirasa-$revision"
if [[ ! -x "$program" ]]; then
  say "Building the version at $revision" >&2
  rm -rf "$folder/checkout"
  mkdir -p "$folder/checkout"
  git archive "$revision" | tar -x -C "$folder/checkout"
  (cd "$folder/checkout" && CARGO_TARGET_DIR="$folder/target" cargo build --bin mirasa --locked) >&2
  cp "$folder/target/debug/mirasa" "$program"
fi
echo "$program"
