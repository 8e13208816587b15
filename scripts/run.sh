#!/usr/bin/env bash
# Serves the shop with the demo catalogue from an embedded database in ./data.
#   scripts/run.sh [ADDRESS:PORT]     default 127.0.0.1:8080
# Ctrl-C stops it; the data is kept for the next run.
. "$(dirname "$0")/lib.sh"

listen="${1:-127.0.0.1:8080}"
program=target/release/mirasa

say "Filling the shop with the demo catalogue"
"$program" seed catalogue --data data

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
