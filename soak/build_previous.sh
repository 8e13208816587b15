#!/usr/bin/env bash
# Builds the server of an earlier revision and prints the path of the binary, for soak/rolling_update.py.
#   soak/build_previous.sh [REVISION]    by default the last one before the migrations that are new since then
# The binary is kept, so the next call is quick.
. "$(dirname "$0")/../scripts/lib.sh"

migrations() {
  git ls-tree "$1" crates/store/migrations/ | cut -d " " -f 3 | sort
}

# The last revision that lacks migrations of today and has no other ones. A migration that is not released yet may get another
# number or content; a revision in between could not use the tables of today.
last_with_fewer_migrations() {
  local today theirs revision
  today="$(migrations HEAD)"
  for revision in $(git rev-list --first-parent HEAD); do
    theirs="$(migrations "$revision")"
    if [[ "$theirs" != "$today" && -z "$(comm -23 <(echo "$theirs") <(echo "$today"))" ]]; then
      echo "$revision"
      return
    fi
  done
  fail "no revision has fewer migrations than this one"
}

wanted="${1:-$(last_with_fewer_migrations)}"
revision="$(git rev-parse --verify --quiet "$wanted^{commit}")" || fail "there is no revision $wanted"
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
