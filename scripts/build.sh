#!/usr/bin/env bash
# The web app, then the program in release mode with the web app inside: target/release/mirasa.
. "$(dirname "$0")/lib.sh"

scripts/web.sh build
say "Building the program (release)"
cargo build --release --locked --package mirasa
mkdir -p target/release
# A link where the cache lies on the same disk: the program is in two places and takes the room of one.
ln -f "$CARGO_TARGET_DIR/release/mirasa" target/release/mirasa 2>/dev/null \
  || cp -f "$CARGO_TARGET_DIR/release/mirasa" target/release/mirasa
