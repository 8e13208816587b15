#!/usr/bin/env bash
# Generates the committed files: api/openapi.json from the handlers, and the web app's types from api/openapi.json.
# check-generated.sh fails when they are out of date.
. "$(dirname "$0")/lib.sh"

build_dev
mkdir -p api
# Written to a temporary file first: a failed run must not leave an empty description behind.
"$CARGO_TARGET_DIR/debug/mirasa" openapi >api/openapi.json.new
mv api/openapi.json.new api/openapi.json
# Not --prefix: with it, the nested npx ignores the user's npm settings (proxy, certificates).
(cd web && npm run --silent gen:api)
say "Renewed api/openapi.json and web/src/api/schema.gen.ts"
