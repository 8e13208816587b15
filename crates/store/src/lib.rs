//! SQLite and PostgreSQL behind the app's storage ports. Each query stands here once and runs on both
//! engines; what truly differs between them is in `engine`.

mod addresses;
mod audit;
pub mod backup;
mod carts;
mod checkout;
mod consistency;
mod engine;
mod erasure;
pub mod errors;
mod execute;
pub mod files;
mod id_ngrams;
mod issues;
mod messages;
mod migrations;
mod order_row;
mod order_search;
mod orders;
mod outbox;
mod payments;
mod pipeline;
mod postgres;
mod products;
mod query;
mod rate_limits;
mod refunds;
mod row;
mod sessions;
mod sqlite;
mod stock;
mod tls;
mod users;
mod wishlist;

use std::sync::Arc;

use mirasa_app::repository::{Database, StoreResult};

pub use engine::{DatabaseUrl, PoolSize};

/// Opens the database and brings its tables up to date. Several instances may do so at once.
pub async fn open(url: &DatabaseUrl, pool: PoolSize) -> StoreResult<Database> {
    Ok(match url {
        DatabaseUrl::Sqlite(file) => {
            Database::new(Arc::new(sqlite::Sqlite::open(file, pool).await?))
        }
        DatabaseUrl::Postgres(url) => {
            Database::new(Arc::new(postgres::Postgres::open(url, pool).await?))
        }
    })
}
