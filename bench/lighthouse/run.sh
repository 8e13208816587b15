#!/usr/bin/env bash
# Runs Lighthouse (mobile) and measures how pages react on a slow phone, against a new shop with the demo history. Writes
# bench/results/lighthouse.json and reactions.txt.
. "$(dirname "$0")/../../scripts/lib.sh"

MIRASA_CHROMIUM="$(find_chromium)"
[[ -n "$MIRASA_CHROMIUM" ]] || fail "Chromium is missing. Please run:  scripts/setup.sh test"
export MIRASA_CHROMIUM
program="$CARGO_TARGET_DIR/release/mirasa"
folder="$(mktemp -d)"
server=
clean_up() {
  if [[ -n "$server" ]]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap clean_up EXIT

say "Lighthouse, mobile"
[[ -d bench/lighthouse/node_modules ]] \
  || npm --prefix bench/lighthouse install --no-save --no-audit --no-fund --prefer-offline >/dev/null
"$program" seed catalogue --warm --history --data "$folder/data" >/dev/null
listen="127.0.0.1:$(free_port)"
MIRASA_RATE_LIMIT=off MIRASA_LOG=warn "$program" serve --listen "$listen" --data "$folder/data" &
server=$!
for ((tries = 0; tries < 100; tries++)); do
  curl -fsS -o /dev/null "http://$listen/readyz" 2>/dev/null && break
  sleep 0.1
done
mkdir -p bench/results
node bench/lighthouse/run.mjs "http://$listen" bench/results/lighthouse.json "$server"
say "Reactions on a slow phone"
node web/tools/measure.mjs "http://$listen" 7 | tee bench/results/reactions.txt
