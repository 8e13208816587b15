#!/usr/bin/env bash
# Measures the release build on fresh folders: reads and orders as bench/*.py have them, then
# Lighthouse. Bounded, on loopback. bench/results holds the last committed figures.
#   bench/run.sh [reads] [orders] [growth] [lighthouse]     everything where nothing is named
. "$(dirname "$0")/../scripts/lib.sh"

command -v wrk >/dev/null || fail "wrk is missing. Please run:  scripts/setup.sh measure"
say "Building the measuring programs"
cargo build --release --locked --package mirasa-bench

measured=()
for part in "${@:-reads orders growth}"; do
  [[ "$part" == lighthouse ]] || measured+=($part)
done
if ((${#measured[@]})); then
  MIRASA_POSTGRES_DURABLE=yes scripts/with-postgres.sh python3 -m bench "${measured[@]}"
fi
if (($# == 0)) || [[ " $* " == *" lighthouse "* ]]; then
  bench/lighthouse/run.sh
fi
