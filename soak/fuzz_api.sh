#!/usr/bin/env bash
# Fuzzes the API with Schemathesis: thousands of valid and invalid requests, generated from the server's OpenAPI
# description, as visitor, customer and admin. Every response is checked against the description: no 5xx, no undocumented
# status, header or body, no invalid request accepted, no access without a session.
#   soak/fuzz_api.sh [CASES]    CASES (20) of each kind for each operation and role; takes minutes
# MIRASA_PROGRAM selects another build, FUZZ_SEED another seed.
. "$(dirname "$0")/../scripts/lib.sh"
. scripts/demo-shop.sh

cases="${1:-20}"
[[ "$cases" =~ ^[0-9]+$ ]] || fail "usage: soak/fuzz_api.sh [CASES]"
if [[ -z "${MIRASA_PROGRAM:-}" ]]; then cargo build --package mirasa --locked; fi
program="${MIRASA_PROGRAM:-$CARGO_TARGET_DIR/debug/mirasa}"
[[ -x "$program" ]] || fail "$program does not exist"
seed="${FUZZ_SEED:-$((RANDOM % 100000))}"

# Schemathesis and its dependencies, in pinned versions.
tools="$CACHE/fuzz"
checksum="$(sha256sum <soak/fuzz-requirements.txt)"
if [[ "$(cat "$tools/installed" 2>/dev/null)" != "$checksum" ]]; then
  say "Installing Schemathesis in $tools"
  rm -rf "$tools"
  python3 -m venv "$tools" || fail "python3 has no venv. Please run:  apt-get install -y python3-venv"
  "$tools/bin/pip" install --quiet --no-deps --requirement soak/fuzz-requirements.txt
  echo "$checksum" >"$tools/installed"
fi

on_exit_hook() {
  if (($1 == 0)); then rm -rf "$folder"; else say "The record of the run is in $folder (seed $seed)"; fi
}

say "Starting a server with the demo catalogue (seed $seed)"
# Rate limits would reject most of these requests; they have tests of their own.
MIRASA_RATE_LIMIT=off MIRASA_LOG=warn start_server "$program"

# sign_in EMAIL: signs in through the sandbox and prints the session cookie's value.
sign_in() {
  python3 - "$shop" "$1" <<'SIGN_IN'
import asyncio, sys
from soak.web import Visitor

visitor = Visitor(sys.argv[1])
assert asyncio.run(visitor.sign_in(sys.argv[2])), "cannot sign in"
print(visitor.cookies["mirasa_session"])
SIGN_IN
}

# fuzz ROLE SESSION [OPTION…]: with one worker, because several workers fail inside Schemathesis.
fuzz() {
  local role="$1" session="$2" options=("${@:3}")
  if [[ -n "$session" ]]; then options+=(--header "Cookie: mirasa_session=$session"); fi
  say "As $role"
  supervise "$tools/bin/schemathesis" --config-file soak/fuzz_api.toml run "$shop/api/openapi.json" \
    --max-examples "$cases" --seed "$seed" --workers 1 --no-color \
    --report-json-path "$folder/$role.json" ${options[@]+"${options[@]}"}
}

# Signing out and deleting the account would end the session; the Rust tests cover them. An admin who may change users
# soon promotes another user and deletes their own account: those operations run last, and alone.
keep_session=(--exclude-path-regex '^/api/auth/logout' --exclude-operation-id delete_api_user)
customer="$(sign_in shopper@mirasa.example)"
admin="$(sign_in admin@mirasa.example)"
failed=
fuzz visitor '' || failed=yes
fuzz customer "$customer" "${keep_session[@]}" || failed=yes
fuzz admin "$admin" "${keep_session[@]}" --exclude-path '/api/admin/users/{id}' || failed=yes
fuzz admin-users "$admin" --include-path '/api/admin/users/{id}' || failed=yes
[[ -z "$failed" ]] || fail "Some responses do not match the description; see above, with the command to repeat each"
if grep -E 'ERROR|panicked' "$folder/shop.log"; then
  fail "The server logged errors: $folder/shop.log"
fi
say "No failures (seed $seed)"
