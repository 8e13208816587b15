#!/usr/bin/env bash
# Inserts a year of orders, to measure the server with a large dataset.
#   bench/large_dataset/fill.sh data/mirasa.db                 a SQLite file
#   bench/large_dataset/fill.sh postgres://user@host/database  a PostgreSQL database
# The tables must exist (mirasa migrate). ORDERS, USERS and PRODUCTS set the numbers of rows.
set -euo pipefail

target="${1:?usage: bench/large_dataset/fill.sh DATABASE}"
here="$(cd "$(dirname "$0")" && pwd)"
orders="${ORDERS:-1000000}" users="${USERS:-100000}" products="${PRODUCTS:-10000}"
# The newest order is an hour old, so that new orders come after all of them.
newest="$(($(date +%s) * 1000 - 3600000))"

case "$target" in
  postgres://* | postgresql://*)
    psql --quiet --set=ON_ERROR_STOP=1 --set=orders="$orders" --set=users="$users" --set=products="$products" \
      --set=newest="$newest" --file="$here/postgres.sql" "$target"
    ;;
  *)
    [[ -e "$target" ]] || { echo "$target does not exist: run mirasa migrate first" >&2; exit 1; }
    sqlite3 -bail "$target" >/dev/null <<SQL
.parameter set :orders $orders
.parameter set :users $users
.parameter set :products $products
.parameter set :newest $newest
.read $here/sqlite.sql
SQL
    ;;
esac
