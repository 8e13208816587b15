#!/usr/bin/env bash
# Measures the release build on a fresh folder: requests a second of the public reads by wrk, then
# Lighthouse. Bounded, on loopback; figures depend on the machine and on what else it does.
. "$(dirname "$0")/../scripts/lib.sh"

command -v wrk >/dev/null || fail "wrk is missing. Please run:  apt-get install -y wrk"
program=target/release/mirasa
folder="$(mktemp -d)"
results=bench/results
mkdir -p "$results"
server=
clean_up() {
  [[ -n "$server" ]] && kill "$server" 2>/dev/null && wait "$server" 2>/dev/null
  rm -rf "$folder"
}
trap clean_up EXIT

say "Seeding a fresh shop"
"$program" seed catalogue --data "$folder/data"
listen="127.0.0.1:$(free_port)"
MIRASA_RATE_LIMIT=off MIRASA_LOG=warn "$program" serve --listen "$listen" --data "$folder/data" &
server=$!
for ((tries = 0; tries < 100; tries++)); do
  curl -fsS -o /dev/null "http://$listen/readyz" 2>/dev/null && break
  sleep 0.1
done

say "Public reads: 16 connections, 5 seconds each, compressed answers from memory"
printf '%-34s %12s %12s\n' call 'requests/s' 'p99'
for path in /healthz / /product/goda-masala /api/products/api/productInfo /api/products/api/productInfo/goda-masala '/api/api/products/search?q=masala'; do
  curl -fsS -o /dev/null "http://$listen$path"
  wrk -t1 -c16 -d5s --latency -H 'Accept-Encoding: br' "http://$listen$path" >"$folder/wrk"
  printf '%-34s %12s %12s\n' "$path" "$(awk '/Requests\/sec/ {print $2}' "$folder/wrk")" "$(awk '/99%/ {print $2}' "$folder/wrk")"
done | tee "$results/reads.txt"

say "Lighthouse, mobile"
[[ -d bench/lighthouse/node_modules ]] || npm --prefix bench/lighthouse install --no-save --no-audit --no-fund --prefer-offline >/dev/null
node bench/lighthouse/run.mjs "http://$listen" "$results/lighthouse.json"
