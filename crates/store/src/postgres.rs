//! The engine for more than one machine. PostgreSQL groups commits by itself.

use std::time::Duration;

use async_trait::async_trait;
use mirasa_app::ports::storage::{Engine, Outcome, ReadWork, Stored, WriteWork};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, PgPool};

use crate::engine::{Conn, PoolSize, Session, store_error};
use crate::migrations;

/// A connection that was used a moment ago is taken to be alive; whoever finds it dead is told to try again.
const UNTESTED: Duration = Duration::from_secs(1);

pub struct Postgres {
    pool: PgPool,
}

impl Postgres {
    pub async fn open(url: &str, size: PoolSize) -> Stored<Postgres> {
        let options: PgConnectOptions = url.parse().map_err(store_error)?;
        let pool = PgPoolOptions::new()
            .max_connections(size.0)
            .acquire_timeout(Duration::from_secs(5))
            .test_before_acquire(false)
            .before_acquire(|connection, since| {
                Box::pin(async move {
                    if since.idle_for > UNTESTED {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_with(
                options
                    .application_name("mirasa")
                    .disable_statement_logging(),
            )
            .await
            .map_err(store_error)?;
        let mut connection = pool.acquire().await.map_err(store_error)?;
        if migrations::are_pending(&mut Session::new(Conn::Postgres(&mut connection))).await {
            let mut transaction = connection.begin().await.map_err(store_error)?;
            migrations::apply(&mut Session::new(Conn::Postgres(&mut transaction))).await?;
            transaction.commit().await.map_err(store_error)?;
        }
        drop(connection);
        Ok(Postgres { pool })
    }
}

#[async_trait]
impl Engine for Postgres {
    async fn run_read(&self, work: ReadWork) -> Stored<Outcome> {
        let mut connection = self.pool.acquire().await.map_err(store_error)?;
        Ok(work(&mut Session::new(Conn::Postgres(&mut connection))).await)
    }

    async fn run_write(&self, work: WriteWork) -> Stored<Outcome> {
        let mut transaction = self.pool.begin().await.map_err(store_error)?;
        let outcome = work(&mut Session::new(Conn::Postgres(&mut transaction))).await;
        match outcome {
            Ok(_) => transaction.commit().await,
            Err(_) => transaction.rollback().await,
        }
        .map_err(store_error)?;
        metrics::counter!("store_commits").increment(1);
        Ok(outcome)
    }

    async fn ping(&self) -> Stored<()> {
        let mut connection = self.pool.acquire().await.map_err(store_error)?;
        // A standby answers reads; a shop on it could not take orders.
        sqlx::query("select txid_current()")
            .execute(&mut *connection)
            .await
            .map(drop)
            .map_err(store_error)
    }
}
