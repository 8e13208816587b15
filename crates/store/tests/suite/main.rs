//! Tests of every query on both engines. SQLite runs in a temporary folder. The PostgreSQL server is the one in
//! MIRASA_TEST_POSTGRES (`make test` starts one), with a new database for each test.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod audit;
mod backups;
mod checkout;
mod conflicts;
mod consistency;
mod daily_sales;
mod discounts;
mod earlier_backups;
mod engines;
mod erasure;
mod files;
mod issues;
mod leases;
mod messages;
mod migration_rules;
mod notifications;
mod order_search;
mod orders;
mod products;
mod queues;
mod rate_limits;
mod replica;
mod reservations;
mod roles;
mod sales_filters;
mod several_hosts;
mod stock_notices;
mod tls;
mod transactions;
mod trigram_indexes;
mod user_search;
mod users;
