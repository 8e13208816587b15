# shellcheck shell=bash
# A shop with the demo catalogue in a throw-away folder, open until the script ends. Sourced after lib.sh, never run.
# Afterwards $shop is its address and $folder its folder, with the program's words in shop.log; whoever has more to do
# at the end defines after_shop, which is told how the script ended and clears the folder away.

folder="$(mktemp -d)"
server=
after_shop() { rm -rf "$folder"; }

close_shop() {
  local status=$?
  trap '' INT TERM HUP
  if [[ -n "$server" ]]; then
    kill -TERM "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  after_shop "$status"
}
trap close_shop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# open_shop PROGRAM
open_shop() {
  local program="$1" tries listen made_from
  # Seeding decodes a hundred large pictures: as long as what it is made from is the same, so is the shop.
  made_from=(catalogue crates/avif crates/store/migrations crates/images crates/server/src/commands/seed.rs)
  seeded="$CACHE/seeded-$({ git ls-files -s "${made_from[@]}"; git diff HEAD -- "${made_from[@]}"; } | sha256sum | cut -c 1-16)"
  if [[ ! -d "$seeded" ]]; then
    say "Seeding the shop"
    "$program" seed catalogue --data "$folder/seeded" >"$folder/shop.log" 2>&1
    rm -rf "$CACHE"/seeded-*
    mv "$folder/seeded" "$seeded"
  fi
  cp -a "$seeded" "$folder/data"
  listen="127.0.0.1:$(free_port)"
  "$program" serve --listen "$listen" --data "$folder/data" >>"$folder/shop.log" 2>&1 &
  server=$!
  for ((tries = 0; ; tries++)); do
    curl -fsS --max-time 2 -o /dev/null "http://$listen/readyz" 2>/dev/null && break
    kill -0 "$server" 2>/dev/null || fail "The program ended before it was ready"
    ((tries < 300)) || fail "The program was not ready within 60 seconds"
    sleep 0.2
  done
  shop="http://$listen"
}

# What the program has made of the pictures meanwhile holds for the next shop too.
keep_renditions() {
  if [[ -d "$folder/data/pictures/renditions" ]]; then
    cp -au "$folder/data/pictures/renditions" "$seeded/pictures/"
  fi
}
