#!/usr/bin/env bash
# Renews what is generated and committed: api/openapi.json from the program's handlers, and the
# web app's types from that. check-generated.sh tells when it is time.
. "$(dirname "$0")/lib.sh"

cargo build --package mirasa
mkdir -p api
# By way of a second file: a program that fails must not leave an empty description behind.
"$CARGO_TARGET_DIR/debug/mirasa" openapi >api/openapi.json.new
mv api/openapi.json.new api/openapi.json
# Not --prefix: with it the npx inside forgets the machine's own npm settings (a proxy, its certificates).
(cd web && npm run --silent gen:api)
say "Renewed api/openapi.json and web/src/api/schema.gen.ts"
