#!/usr/bin/env bash
# Fails when api/openapi.json differs from the output of `mirasa openapi`, or the web app's types differ from what is
# generated from api/openapi.json. Changes nothing; `make gen` generates both.
. "$(dirname "$0")/lib.sh"

program="${MIRASA_PROGRAM:-$CARGO_TARGET_DIR/debug/mirasa}"
description=api/openapi.json
types=web/src/api/schema.gen.ts
[[ -x "$program" ]] || fail "$program is not built. Please run:  make gen"
for file in "$description" "$types"; do
  [[ -f "$file" ]] || fail "$file is missing. Make it with:  make gen"
done

scratch="$(mktemp -d)"
cp -p "$types" "$scratch/types.ts"
# The generator writes in place; the trap restores the committed file.
trap 'cp -p "$scratch/types.ts" "$types"; rm -rf "$scratch"' EXIT

stale=()
"$program" openapi >"$scratch/openapi.json"
diff -u "$description" "$scratch/openapi.json" >"$scratch/difference" || stale+=("$description")
# Not --prefix: with it, the nested npx ignores the user's npm settings (proxy, certificates).
(cd web && npm run --silent gen:api) >/dev/null
diff -u "$scratch/types.ts" "$types" >>"$scratch/difference" || stale+=("$types")

((${#stale[@]} == 0)) || {
  head -n 60 "$scratch/difference"
  fail "Out of date: ${stale[*]}. Renew with:  make gen"
}
