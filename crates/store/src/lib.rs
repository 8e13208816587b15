//! The repository traits of the app on SQLite and PostgreSQL. Each query is written once and runs on both engines; the
//! differences between them are in `engine`.

mod addresses;
mod audit;
pub mod backup;
mod batches;
mod cancellations;
mod carts;
mod checkout;
mod connect;
mod consistency;
mod daily_sales;
mod discounts;
mod documents;
mod engine;
mod erasure;
pub mod errors;
mod execute;
pub mod files;
mod id_ngrams;
mod issues;
mod messages;
mod migrations;
mod notifications;
mod order_events;
mod order_row;
mod order_search;
mod orders;
mod outbox;
mod payments;
mod pipeline;
mod pool;
mod postgres;
mod problems;
mod products;
mod query;
mod queues;
mod rate_limits;
mod refunds;
mod replica;
mod request_keys;
mod review_requests;
mod reviews;
mod row;
mod server_url;
mod sessions;
mod shipments;
mod sqlite;
mod stock;
mod stock_notices;
mod stock_queries;
mod tls;
mod to_do;
mod trigram_indexes;
mod users;
mod wishlist;

use std::sync::Arc;

pub use engine::{DatabaseUrl, PoolSize};
use mirasa_app::repository::{Database, StoreResult};

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
