#!/usr/bin/env bash
# Sends the program thousands of requests that its own description allows or forbids, as a visitor, a shopper
# and an admin, and checks every answer against that description: no 5xx, no status, header or body that it
# does not name, nothing invalid taken, nothing let through without a session.
#   soak/attack.sh [CASES]    that many cases of each kind for each call and role (20); takes minutes
# MIRASA_PROGRAM names another build, ATTACK_SEED another seed.
. "$(dirname "$0")/../scripts/lib.sh"
. scripts/demo-shop.sh

cases="${1:-20}"
[[ "$cases" =~ ^[0-9]+$ ]] || fail "usage: soak/attack.sh [CASES]"
if [[ -z "${MIRASA_PROGRAM:-}" ]]; then cargo build --package mirasa --locked; fi
program="${MIRASA_PROGRAM:-$CARGO_TARGET_DIR/debug/mirasa}"
[[ -x "$program" ]] || fail "$program is not there"
seed="${ATTACK_SEED:-$((RANDOM % 100000))}"

# The tool and all that it needs, in the versions that are written down.
tools="$CACHE/attack"
wanted="$(sha256sum <soak/attack-requirements.txt)"
if [[ "$(cat "$tools/installed" 2>/dev/null)" != "$wanted" ]]; then
  say "Setting up Schemathesis in $tools"
  rm -rf "$tools"
  python3 -m venv "$tools" || fail "python3 has no venv. Please run:  apt-get install -y python3-venv"
  "$tools/bin/pip" install --quiet --no-deps --requirement soak/attack-requirements.txt
  echo "$wanted" >"$tools/installed"
fi

on_exit_hook() {
  if (($1 == 0)); then rm -rf "$folder"; else say "The record of the run is in $folder (seed $seed)"; fi
}

say "Opening a shop with the demo catalogue (seed $seed)"
# Whoever sends thousands of requests would be asked to wait; that this is so is tested elsewhere.
MIRASA_RATE_LIMIT=off MIRASA_LOG=warn start_server "$program"

# The session of somebody who has signed in at the sandbox.
session_of() {
  python3 - "$shop" "$1" <<'SIGN_IN'
import asyncio, sys
from soak.web import Visitor

visitor = Visitor(sys.argv[1])
assert asyncio.run(visitor.sign_in(sys.argv[2])), "cannot sign in"
print(visitor.cookies["mirasa_session"])
SIGN_IN
}

# attack ROLE SESSION [OPTION…]: by one worker, because the tool stumbles over its own threads.
attack() {
  local role="$1" session="$2" options=("${@:3}")
  if [[ -n "$session" ]]; then options+=(--header "Cookie: mirasa_session=$session"); fi
  say "As $role"
  supervise "$tools/bin/schemathesis" --config-file soak/attack.toml run "$shop/api/openapi.json" \
    --max-examples "$cases" --seed "$seed" --workers 1 --no-color \
    --report-json-path "$folder/$role.json" ${options[@]+"${options[@]}"}
}

# Signing out and being forgotten would end the session; the Rust tests have those. An admin who may change people
# makes an admin of somebody and deletes themselves before long: those two calls come last, and alone.
staying=(--exclude-path-regex '^/api/auth/logout' --exclude-operation-id delete_api_user)
shopper="$(session_of shopper@mirasa.example)"
admin="$(session_of admin@mirasa.example)"
found=
attack visitor '' || found=yes
attack shopper "$shopper" "${staying[@]}" || found=yes
attack admin "$admin" "${staying[@]}" --exclude-path '/api/admin/users/{id}' || found=yes
attack owner "$admin" --include-path '/api/admin/users/{id}' || found=yes
[[ -z "$found" ]] || fail "Answers that the description does not know; each is above, with how to repeat it"
if grep -E 'ERROR|panicked' "$folder/shop.log"; then
  fail "The program's log tells of errors: $folder/shop.log"
fi
say "Nothing found (seed $seed)"
