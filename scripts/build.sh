#!/usr/bin/env bash
# Builds the web app, then the release binary that contains it: target/release/mirasa.
. "$(dirname "$0")/lib.sh"

scripts/web.sh build
say "Building the program (release)"
cargo build --release --locked --package mirasa
mkdir -p target/release
# A hard link, which takes no extra disk space; a copy if the cache is on another file system.
ln -f "$CARGO_TARGET_DIR/release/mirasa" target/release/mirasa 2>/dev/null \
  || cp -f "$CARGO_TARGET_DIR/release/mirasa" target/release/mirasa
