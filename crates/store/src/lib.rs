//! The repository traits of the app on SQLite and PostgreSQL. Each query is written once and runs on both engines; the
//! differences between them are in `sql/engine`.

mod cart;
mod catalogue;
mod customers;
mod emails;
pub mod files;
mod invoices;
pub mod maintenance;
mod messages;
mod operations;
mod orders;
mod payments;
mod postgres;
mod refunds;
mod reports;
mod reviews;
mod shipping;
pub mod sql;
mod sqlite;
mod stock;

use std::sync::Arc;

use mirasa_app::repository::{Database, StoreResult};

pub use crate::sql::engine::{DatabaseUrl, PoolSize};

/// Opens the database and applies pending migrations. Several instances may do so at the same time.
pub async fn open(url: &DatabaseUrl, pool: PoolSize) -> StoreResult<Database> {
    open_with_replica(url, None, pool).await
}

/// The same with a read replica, which only PostgreSQL has. It need not respond yet.
pub async fn open_with_replica(
    url: &DatabaseUrl,
    replica: Option<&DatabaseUrl>,
    pool: PoolSize,
) -> StoreResult<Database> {
    let replica = match replica {
        Some(DatabaseUrl::Postgres(url)) => Some(url.as_str()),
        _ => None,
    };
    Ok(match url {
        DatabaseUrl::Sqlite(file) => {
            Database::new(Arc::new(sqlite::Sqlite::open(file, pool).await?))
        }
        DatabaseUrl::Postgres(url) => Database::new(Arc::new(
            postgres::Postgres::open(url, replica, pool).await?,
        )),
    })
}
