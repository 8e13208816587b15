#!/usr/bin/env bash
# Runs a command with a temporary PostgreSQL server: a private folder, a free port, deleted afterwards.
#   scripts/with-postgres.sh cargo test --workspace
# The command finds its URL in MIRASA_TEST_POSTGRES (a superuser without a password) and the file with its CA certificate
# in MIRASA_TEST_POSTGRES_CA.
. "$(dirname "$0")/lib.sh"

(($# > 0)) || fail "usage: scripts/with-postgres.sh COMMAND [ARGUMENT…]"
programs="$(find_postgres)"
[[ -n "$programs" ]] || fail "PostgreSQL is missing. Please run:  scripts/setup.sh test"

# Below /tmp, whatever TMPDIR says: the path of a Unix socket must stay below 108 characters.
folder="$(mktemp -d /tmp/mirasa-postgres.XXXXXX)"

# PostgreSQL refuses to run as root.
owner=()
if ((EUID == 0)); then
  user=postgres
  id -u "$user" >/dev/null 2>&1 || user=nobody
  chown "$user" "$folder"
  owner=(runuser -u "$user" --)
fi
postgres_program() {
  (cd "$folder" && exec ${owner[@]+"${owner[@]}"} "$programs/$1" "${@:2}")
}

clean_up() {
  trap '' INT TERM HUP
  if [[ -e "$folder/data/postmaster.pid" ]]; then
    postgres_program pg_ctl stop --pgdata data --mode immediate --silent || true
  fi
  rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

postgres_program initdb --pgdata data --username mirasa --auth trust --encoding UTF8 \
  --locale C.UTF-8 --no-sync >"$folder/initdb.log" 2>&1 || {
  cat "$folder/initdb.log" >&2
  fail "PostgreSQL could not make its folder"
}

# A self-signed certificate for the TLS tests. A CA certificate would be rejected as a server certificate.
certificate="$folder/data/server"
cat >"$folder/openssl.conf" <<SETTINGS
[req]
prompt = no
distinguished_name = name
x509_extensions = extensions
[name]
CN = mirasa-test
[extensions]
basicConstraints = critical, CA:FALSE
subjectAltName = IP:127.0.0.1, DNS:localhost
SETTINGS
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -config "$folder/openssl.conf" \
  -keyout "$certificate.key" -out "$certificate.crt" 2>"$folder/openssl.log" || {
  cat "$folder/openssl.log" >&2
  fail "openssl could not make a certificate"
}
chmod 600 "$certificate.key"
if ((EUID == 0)); then chown "$user" "$certificate.key" "$certificate.crt"; fi
cp "$certificate.crt" "$folder/ca.crt"

cat >>"$folder/data/postgresql.conf" <<SETTINGS
ssl = on
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder'
max_connections = 300
SETTINGS
# Test data need not survive a power failure, so PostgreSQL need not wait for the disk. Benchmarks set
# MIRASA_POSTGRES_DURABLE.
if [[ -z "${MIRASA_POSTGRES_DURABLE:-}" ]]; then
  cat >>"$folder/data/postgresql.conf" <<SETTINGS
fsync = off
synchronous_commit = off
full_page_writes = off
SETTINGS
fi

# Another process may take the port between the check and the start: try again with another one.
started=
for _ in 1 2 3 4 5; do
  port="$(free_port)"
  if postgres_program pg_ctl start --pgdata data --log server.log --options "-p $port" --wait --silent >/dev/null 2>&1; then
    started=yes
    break
  fi
done
[[ -n "$started" ]] || {
  tail -n 30 "$folder/server.log" >&2
  fail "PostgreSQL did not start"
}

export MIRASA_TEST_POSTGRES="postgres://mirasa@127.0.0.1:$port/postgres"
export MIRASA_TEST_POSTGRES_CA="$folder/ca.crt"
MIRASA_TEST_POSTGRES_PID="$(head -n 1 "$folder/data/postmaster.pid")"
export MIRASA_TEST_POSTGRES_PID
supervise "$@"
