#!/usr/bin/env bash
# Builds the shop and serves it with the demo catalogue from an embedded database in ./data.
#   scripts/run.sh [ADDRESS:PORT]     default 127.0.0.1:8080
# Ctrl-C stops it; the data is kept for the next run.
. "$(dirname "$0")/lib.sh"

listen="${1:-127.0.0.1:8080}"
program="$CARGO_TARGET_DIR/debug/mirasa"

# step NAME COMMAND…: says what begins and when, and how long it took.
step() {
  local name="$1" began=$SECONDS
  shift
  say "$name  (at $SECONDS s)"
  "$@"
  printf '    done in %d s\n' $((SECONDS - began))
}

seed() {
  "$program" seed catalogue --warm --history --listen "$listen" --data data >"$log" 2>&1 || {
    show_end_of "$log"
    fail "The demo shop could not be filled. If data/ is from another version, delete it and try again."
  }
}

log="$(mktemp)"
trap 'rm -f "$log"' EXIT
step "Checking the tools" scripts/setup.sh build
step "Compiling the server and building the web app (minutes at the first time, seconds later)" scripts/build-dev.sh
step "Filling the shop: demo catalogue, image sizes, orders of 90 days" seed
rm -f "$log"

cat <<WHERE

  The shop      http://$listen
  Admin console http://$listen/admins
  Sign in       "Continue with Google" leads to a sandbox: pick the demo shopper or the
                demo admin there, or type any e-mail. No password, no real Google.
  Pay           in the sandbox gateway: pay, fail or leave pending. No real money.
  Data          $ROOT/data (delete the folder to start afresh)
  Stop          Ctrl-C

WHERE
# As in deploy/: keeps less free memory in the allocator (docs/performance.md).
export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
exec "$program" serve --listen "$listen" --data data
