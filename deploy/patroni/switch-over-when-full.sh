#!/usr/bin/env bash
# Hands the leadership to the synchronous standby when this machine's disk is nearly full. Patroni does not do this: a
# PostgreSQL without disk space keeps the leadership and rejects every change.
#   switch-over-when-full.sh NAME DATA_FOLDER API_URL [MIN_FREE_MB [PAUSE_S]]
# Runs beside Patroni until it is stopped. NAME is this member's name.
set -euo pipefail

name="$1" folder="$2" api="$3" min_free_mb="${4:-1024}"
# The next leader may have a full disk too. Without a pause they would switch all the time.
pause_s="${5:-60}"

while sleep 1; do
  free_mb="$(df --output=avail --block-size=1M "$folder" | tail -n 1)"
  ((free_mb < min_free_mb)) || continue
  curl -fs -m 2 -o /dev/null "$api/primary" || continue
  echo "$folder has $free_mb MB left: handing over the leadership" >&2
  if curl -fsS -m 30 -H 'Content-Type: application/json' -d "{\"leader\": \"$name\"}" "$api/switchover"; then
    sleep "$pause_s"
  fi
done
