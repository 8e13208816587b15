//! PostgreSQL, for several instances. It groups commits itself.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, QueueMode, RecyclingMethod, Runtime,
};
use mirasa_app::repository::{Engine, ErasedResult, ReadJob, StoreError, StoreResult, WriteJob};
use mirasa_app::telemetry;
use tokio::runtime::Handle;

use crate::engine::{Conn, PoolSize, SqlRepository};
use crate::errors::{is_conflict, postgres_error};
use crate::pipeline::Pipeline;
use crate::{migrations, tls};

/// How long a request waits for a free connection, or for a new one to be opened.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// A write has about 20 statements, a point read has one. If they take longer, the database hangs.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(5);
/// Attempts of a transaction that PostgreSQL aborts because of a deadlock or a serialisation failure. Detecting a
/// deadlock takes a second (`deadlock_timeout`), and all attempts share the timeout above.
const MAX_ATTEMPTS: u32 = 4;
/// The minimum delay before the second attempt.
const BACKOFF: Duration = Duration::from_millis(10);
/// If the rollback of a cancelled transaction takes longer, its connection is closed.
const ROLLBACK_TIMEOUT: Duration = Duration::from_secs(1);

pub struct Postgres {
    pool: Pool,
}

impl Postgres {
    pub async fn open(url: &str, size: PoolSize) -> StoreResult<Postgres> {
        let recycling = ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        };
        let (config, tls) = connector(url).map_err(StoreError::Broken)?;
        let manager = Manager::from_config(config, tls, recycling);
        let pool = Pool::builder(manager)
            .max_size(usize::try_from(size.0).unwrap_or(usize::MAX))
            // The connection that was used last has the warmest caches.
            .queue_mode(QueueMode::Lifo)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(ACQUIRE_TIMEOUT))
            .create_timeout(Some(ACQUIRE_TIMEOUT))
            .build()
            .map_err(|error| StoreError::Broken(error.into()))?;
        let postgres = Postgres { pool };
        let client = postgres.connection().await?;
        if migrations::has_pending(&mut repository(Pipeline::new(&client))).await {
            let transaction = Transaction(Some(client));
            let mut migrating = transaction.begin().await?;
            migrations::apply(&mut migrating).await?;
            pipeline(migrating)?
                .commit()
                .await
                .map_err(postgres_error)?;
            transaction.end();
        }
        Ok(postgres)
    }

    async fn connection(&self) -> StoreResult<Object> {
        let started = Instant::now();
        let connection = self.pool.get().await;
        metrics::histogram!("db_pool_wait_seconds").record(started.elapsed());
        connection.map_err(|error| match error {
            PoolError::Backend(error) => postgres_error(error),
            other => StoreError::Unavailable(other.into()),
        })
    }
}

/// The configuration of the URL, with defaults.
pub fn connector(url: &str) -> anyhow::Result<(tokio_postgres::Config, tls::Connector)> {
    let server = tls::Server::parse(url).map_err(anyhow::Error::msg)?;
    let connector = server.connector()?;
    let mut config = server.config;
    config.application_name("mirasa");
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(ACQUIRE_TIMEOUT);
    }
    Ok((config, connector))
}

fn repository(pipeline: Pipeline<'_>) -> SqlRepository<'_> {
    SqlRepository::new(Conn::Postgres(pipeline))
}

fn pipeline(repository: SqlRepository<'_>) -> StoreResult<Pipeline<'_>> {
    match repository.conn {
        Conn::Postgres(pipeline) => Ok(pipeline),
        Conn::Sqlite(_) => Err(StoreError::Broken(anyhow::anyhow!("not PostgreSQL"))),
    }
}

/// A connection with an open transaction. A request that is cancelled drops it, which rolls the transaction back.
struct Transaction(Option<Object>);

impl Transaction {
    async fn begin(&self) -> StoreResult<SqlRepository<'_>> {
        let ended = || StoreError::Broken(anyhow::anyhow!("the transaction has ended"));
        let mut pipeline = Pipeline::new(self.0.as_ref().ok_or_else(ended)?);
        pipeline.begin().await.map_err(postgres_error)?;
        Ok(repository(pipeline))
    }

    async fn attempt(&self, work: Box<dyn WriteJob>) -> StoreResult<Attempt> {
        let mut repository = self.begin().await?;
        let result = work.run(&mut repository).await;
        let pipeline = pipeline(repository)?;
        let has_conflict = pipeline.has_conflict();
        let ended = match result {
            Ok(_) if !has_conflict => pipeline.commit().await,
            _ => pipeline.roll_back().await,
        };
        match ended {
            Ok(()) if has_conflict => Ok(Attempt::Conflict),
            Ok(()) => Ok(Attempt::Done(result)),
            // A failed commit has ended the transaction too.
            Err(error) if is_conflict(&error) => Ok(Attempt::Conflict),
            Err(error) => Err(postgres_error(error)),
        }
    }

    fn end(mut self) {
        self.0 = None;
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let (Some(client), Ok(runtime)) = (self.0.take(), Handle::try_current()) else {
            return;
        };
        runtime.spawn(async move {
            let rolled_back =
                tokio::time::timeout(ROLLBACK_TIMEOUT, client.batch_execute("rollback"));
            if !matches!(rolled_back.await, Ok(Ok(()))) {
                drop(Object::take(client));
            }
        });
    }
}

/// The result of one attempt at a write.
enum Attempt {
    Done(ErasedResult),
    /// PostgreSQL has aborted it because of a conflict with another transaction.
    Conflict,
}

/// What a write runs on.
enum WriteTarget<'c> {
    Transaction(&'c Transaction),
    /// For one statement, which is its own transaction.
    Connection(&'c Object),
}

impl WriteTarget<'_> {
    async fn attempt(&self, work: Box<dyn WriteJob>) -> StoreResult<Attempt> {
        let client = match self {
            WriteTarget::Transaction(transaction) => return transaction.attempt(work).await,
            WriteTarget::Connection(client) => client,
        };
        let mut repository = repository(Pipeline::new(client));
        let result = work.run(&mut repository).await;
        Ok(if pipeline(repository)?.has_conflict() {
            Attempt::Conflict
        } else {
            Attempt::Done(result)
        })
    }

    /// Retries the write after a conflict, up to `MAX_ATTEMPTS` times. The random delay keeps two conflicting writes
    /// from conflicting again.
    async fn run(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        for attempts in 1..=MAX_ATTEMPTS {
            let copy = work.duplicate();
            if let Attempt::Done(result) = self.attempt(copy).await? {
                metrics::counter!("db_commits_total").increment(1);
                return Ok(result);
            }
            metrics::counter!("db_conflicts_total").increment(1);
            telemetry::record_attempts(attempts + 1);
            let backoff = BACKOFF * attempts;
            let jitter = backoff.mul_f64(rand::random());
            tokio::time::sleep(backoff + jitter).await;
        }
        Err(StoreError::Unavailable(anyhow::anyhow!(
            "the transaction conflicted with others {MAX_ATTEMPTS} times"
        )))
    }
}

async fn with_timeout<T>(work: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
    let timed_out = |_| {
        StoreError::Unavailable(anyhow::anyhow!(
            "no response within {TRANSACTION_TIMEOUT:?}"
        ))
    };
    tokio::time::timeout(TRANSACTION_TIMEOUT, work)
        .await
        .map_err(timed_out)?
}

#[async_trait]
impl Engine for Postgres {
    async fn run_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        let client = self.connection().await?;
        Ok(work(&mut repository(Pipeline::new(&client))).await)
    }

    async fn run_point_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        with_timeout(self.run_read(work)).await
    }

    async fn run_write(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        let transaction = Transaction(Some(self.connection().await?));
        let result = with_timeout(WriteTarget::Transaction(&transaction).run(work)).await?;
        transaction.end();
        Ok(result)
    }

    async fn run_autocommit(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        let client = self.connection().await?;
        with_timeout(WriteTarget::Connection(&client).run(work)).await
    }

    async fn ping(&self) -> StoreResult<()> {
        // A standby accepts reads, but a shop on it could not take orders.
        let connection = self.connection().await?;
        let result = connection.batch_execute("select txid_current()").await;
        result.map_err(postgres_error)
    }
}
