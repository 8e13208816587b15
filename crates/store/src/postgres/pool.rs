//! The pool of connections to PostgreSQL.

use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{Pool, QueueMode};
use mirasa_app::repository::{StoreError, StoreResult};

use crate::postgres::connect::Servers;
use crate::sql::engine::PoolSize;

/// How long a request waits for a free connection. Opening a new one has its own timeout for each host.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

pub fn open_pool(servers: Servers, size: PoolSize) -> StoreResult<Pool<Servers>> {
    Pool::builder(servers)
        .max_size(usize::try_from(size.0).unwrap_or(usize::MAX))
        // The connection that was used last has the warmest caches.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(ACQUIRE_TIMEOUT))
        .build()
        .map_err(|error| StoreError::Broken(error.into()))
}
