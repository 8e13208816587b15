#!/usr/bin/env bash
# Runs the server under load and faults, then checks its data.
#   soak/run.sh [SECONDS]     SECONDS (180) of customers and faults on SQLite, the checker's self test, overload,
#                             exhaustion
#   soak/run.sh --brief       the first two in a minute, with the debug build; part of make test. Without overload: its
#                             limits are latencies, which a busy machine cannot keep
#   soak/run.sh --failover [--runs N]
#                             three instances behind nginx, and PostgreSQL with Patroni, whose leader fails in each way N
#                             times (1); further options: python3 -m soak.failover --help
#   soak/run.sh --rolling-update [REVISION]
#                             three instances of the version at REVISION (by default, before the newest migration) are
#                             replaced one by one; builds that version first
# MIRASA_PROGRAM selects another build, SOAK_SEED another seed.
. "$(dirname "$0")/../scripts/lib.sh"

command -v python3 >/dev/null || fail "Python 3 is missing. Please run:  apt-get install -y python3"
program="${MIRASA_PROGRAM:-target/release/mirasa}"
length=(--seconds 180) overload=yes
case "${1:-}" in
  --brief)
    length=(--brief) overload=
    program="${MIRASA_PROGRAM:-$CARGO_TARGET_DIR/debug/mirasa}"
    ;;
  --failover)
    [[ -x "$program" ]] || fail "$program is not built. Please run:  make build"
    exec python3 -m soak.failover --program "$program" ${SOAK_SEED:+--seed "$SOAK_SEED"} "${@:2}"
    ;;
  --rolling-update)
    [[ -x "$program" ]] || fail "$program is not built. Please run:  make build"
    previous="$(soak/build_previous.sh "${@:2}")"
    exec scripts/with-postgres.sh python3 -m soak.rolling_update --previous "$previous" --program "$program" ${SOAK_SEED:+--seed "$SOAK_SEED"}
    ;;
  '') ;;
  *[!0-9]*) fail "usage: soak/run.sh [SECONDS | --brief | --failover [--runs N] | --rolling-update [REVISION]]" ;;
  *) length=(--seconds "$1") ;;
esac
[[ -x "$program" ]] || fail "$program is not built. Please run:  make build"

folder="$(mktemp -d)"
clean_up() {
  local status=$?
  trap '' INT TERM HUP
  # An interrupted run leaves its tmpfs mounted.
  if mountpoint --quiet "$folder/soak/data"; then umount --lazy "$folder/soak/data"; fi
  if ((status == 0)); then rm -rf "$folder"; else say "The record of the run is in $folder"; fi
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

seed="${SOAK_SEED:-$((RANDOM % 100000))}"
say "Customers, admins and faults (seed $seed)"
supervise python3 -m soak --program "$program" --folder "$folder/soak" --seed "$seed" "${length[@]}"
say "Self test of the checker"
supervise python3 -m soak.checker_self_test "$folder/soak"
if [[ -n "$overload" ]]; then
  say "Overload"
  supervise python3 -m soak.overload --program "$program" --seed "$seed"
  say "Exhaustion"
  supervise python3 -m soak.exhaustion --program "$program" --seed "$seed"
fi
