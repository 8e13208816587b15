#!/usr/bin/env bash
# End-to-end tests: the built program with the demo catalogue in a throw-away folder, and a
# headless Chromium that uses it like a shopper. MIRASA_PROGRAM names another build of it; with names, only the tests
# in those files are run:  scripts/e2e.sh home products
. "$(dirname "$0")/lib.sh"

program="${MIRASA_PROGRAM:-$CARGO_TARGET_DIR/debug/mirasa}"
[[ -x "$program" ]] || fail "$program is not built. Please run:  make test"
MIRASA_CHROMIUM="$(find_chromium)"
[[ -n "$MIRASA_CHROMIUM" ]] || fail "Chromium is missing. Please run:  scripts/setup.sh test"
export MIRASA_CHROMIUM

folder="$(mktemp -d)"
server=
clean_up() {
  local status=$?
  trap '' INT TERM HUP
  if [[ -n "$server" ]]; then
    kill -TERM "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  if ((status != 0)) && [[ -s "$folder/server.log" ]]; then
    say "The program's last words (whole log: data/e2e.log)"
    tail -n 40 "$folder/server.log"
    mkdir -p data && cp "$folder/server.log" data/e2e.log
  fi
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Seeding decodes a hundred large pictures: as long as what it is made from is the same, so is the shop.
made_from=(catalogue crates/avif crates/store/migrations crates/gateways/src/pictures crates/server/src/commands/seed.rs)
seeded="$CACHE/seeded-$({ git ls-files -s "${made_from[@]}"; git diff HEAD -- "${made_from[@]}"; } | sha256sum | cut -c 1-16)"
if [[ ! -d "$seeded" ]]; then
  say "Seeding the shop"
  "$program" seed catalogue --data "$folder/seeded" >"$folder/server.log" 2>&1
  rm -rf "$CACHE"/seeded-*
  mv "$folder/seeded" "$seeded"
fi
cp -a "$seeded" "$folder/data"
listen="127.0.0.1:$(free_port)"
"$program" serve --listen "$listen" --data "$folder/data" >>"$folder/server.log" 2>&1 &
server=$!

for ((tries = 0; ; tries++)); do
  curl -fsS --max-time 2 -o /dev/null "http://$listen/readyz" 2>/dev/null && break
  kill -0 "$server" 2>/dev/null || fail "The program ended before it was ready"
  ((tries < 300)) || fail "The program was not ready within 60 seconds"
  sleep 0.2
done

export MIRASA_E2E_URL="http://$listen"
supervise npm --prefix web run --silent e2e -- "$@"
# What the program has made of the pictures meanwhile holds for the next run too.
if [[ -d "$folder/data/pictures/renditions" ]]; then
  cp -au "$folder/data/pictures/renditions" "$seeded/pictures/"
fi
