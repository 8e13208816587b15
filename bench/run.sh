#!/usr/bin/env bash
# Benchmarks of the release build on the loopback interface, with new data folders. bench/results has the committed figures.
#   bench/run.sh [reads] [orders] [growth] [lighthouse]     default: all
#     reads        throughput of reads relative to an empty handler
#     orders       throughput and cost of complete orders
#     growth       latency with a large dataset
#     lighthouse   Lighthouse and reactions, mobile
. "$(dirname "$0")/../scripts/lib.sh"

command -v wrk >/dev/null || fail "wrk is missing. Please run:  scripts/setup.sh measure"
say "Building the benchmark binaries"
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
