# shellcheck shell=bash
# Starts a server with the demo catalogue in a temporary folder and stops it when the script ends. Sourced after lib.sh,
# never run. start_server sets $shop to the base URL; $folder is the temporary folder, with the server's log in shop.log.
# A script that has more to do on exit redefines on_exit_hook. It receives the exit status and must delete $folder.

folder="$(mktemp -d)"
server=
on_exit_hook() { rm -rf "$folder"; }

stop_server() {
  local status=$?
  trap '' INT TERM HUP
  if [[ -n "$server" ]]; then
    kill -TERM "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  on_exit_hook "$status"
}
trap stop_server EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# start_server PROGRAM: returns when the server is ready.
start_server() {
  local program="$1" tries listen made_from
  # Seeding decodes a hundred large images, so the seeded folder is cached. The key covers everything that it depends on.
  made_from=(catalogue crates/store/migrations crates/codecs/src crates/images/src crates/demo/src/catalogue.rs)
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

# Adds the renditions that the server has made to the cached folder, so that the next run need not make them again.
keep_renditions() {
  if [[ -d "$folder/data/pictures/renditions" ]]; then
    cp -au "$folder/data/pictures/renditions" "$seeded/pictures/"
  fi
}
