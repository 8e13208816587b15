//! SQLite and PostgreSQL behind the app's storage ports. Each query stands here once and runs on both
//! engines; what truly differs between them is in `engine`.

mod admin;
pub mod backup;
mod books;
mod buying;
mod carts;
pub mod engine;
pub mod files;
mod id_parts;
mod limits;
mod mails;
mod messages;
mod migrations;
mod money;
mod order_rows;
mod order_search;
mod orders;
mod people;
mod pipeline;
mod postgres;
mod privacy;
mod products;
mod query;
mod reservations;
mod row;
mod sqlite;
mod stock_moves;
mod tls;

use std::sync::Arc;

use mirasa_app::ports::storage::{Database, StoreResult};

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
