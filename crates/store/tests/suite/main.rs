//! Every query of the store, on both engines. SQLite runs in a temporary folder; PostgreSQL is the one
//! that MIRASA_TEST_POSTGRES names (`make test` starts one), with a database of its own for each test.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod audit;
mod backups;
mod checkout;
mod conflicts;
mod engines;
mod files;
mod order_search;
mod orders;
mod products;
mod rate_limits;
mod reservations;
mod roles;
mod tls;
mod transactions;
mod user_search;
mod users;
