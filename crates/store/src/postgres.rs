//! The engine for more than one machine. PostgreSQL groups commits by itself.

use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{
    Manager, ManagerConfig, Object, Pool, PoolError, QueueMode, RecyclingMethod, Runtime,
};
use mirasa_app::repository::{Engine, ErasedResult, ReadJob, StoreError, StoreResult, WriteJob};
use tokio::runtime::Handle;

use crate::engine::{Conn, PoolSize, SqlRepository};
use crate::errors::{is_conflict, postgres_error};
use crate::pipeline::Pipeline;
use crate::{migrations, tls};

/// For so long a call waits for a connection, or for the server to make one.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// A write is a few statements, and a glance is one: what takes longer has met a database that stands still.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(5);
/// How often a transaction is attempted that PostgreSQL has ended for a deadlock or a serialisation failure. It
/// takes a second to see a deadlock (`deadlock_timeout`), and all attempts share the time above.
const MAX_ATTEMPTS: u32 = 4;
/// The least time before the second attempt.
const BACKOFF: Duration = Duration::from_millis(10);
/// Whoever gave up in the middle of a transaction leaves a connection that is soon of use again, or none.
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
            // The one used last is the warmest.
            .queue_mode(QueueMode::Lifo)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(ACQUIRE_TIMEOUT))
            .create_timeout(Some(ACQUIRE_TIMEOUT))
            .build()
            .map_err(|error| StoreError::Broken(error.into()))?;
        let postgres = Postgres { pool };
        let client = postgres.connection().await?;
        if migrations::has_pending(&mut session(Pipeline::new(&client))).await {
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
        self.pool.get().await.map_err(|error| match error {
            PoolError::Backend(error) => postgres_error(error),
            other => StoreError::Unavailable(other.into()),
        })
    }
}

/// What the URL says, and what it need not.
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

fn session(pipeline: Pipeline<'_>) -> SqlRepository<'_> {
    SqlRepository::new(Conn::Postgres(pipeline))
}

fn pipeline(session: SqlRepository<'_>) -> StoreResult<Pipeline<'_>> {
    match session.conn {
        Conn::Postgres(pipeline) => Ok(pipeline),
        Conn::Sqlite(_) => Err(StoreError::Broken(anyhow::anyhow!("not PostgreSQL"))),
    }
}

/// A connection that has begun a transaction. A shopper who goes away drops it half done.
struct Transaction(Option<Object>);

impl Transaction {
    async fn begin(&self) -> StoreResult<SqlRepository<'_>> {
        let gone = || StoreError::Broken(anyhow::anyhow!("the transaction is over"));
        let mut pipeline = Pipeline::new(self.0.as_ref().ok_or_else(gone)?);
        pipeline.begin().await.map_err(postgres_error)?;
        Ok(session(pipeline))
    }

    async fn attempt(&self, work: Box<dyn WriteJob>) -> StoreResult<Attempt> {
        let mut session = self.begin().await?;
        let outcome = work.run(&mut session).await;
        let pipeline = pipeline(session)?;
        let has_conflict = pipeline.has_conflict();
        let ended = match outcome {
            Ok(_) if !has_conflict => pipeline.commit().await,
            _ => pipeline.roll_back().await,
        };
        match ended {
            Ok(()) if has_conflict => Ok(Attempt::Conflict),
            Ok(()) => Ok(Attempt::Done(outcome)),
            // A commit that fails has ended the transaction too.
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

/// What became of one attempt at a write.
enum Attempt {
    Done(ErasedResult),
    /// It was in the way of another one, and nothing of it is kept.
    Conflict,
}

/// What a write runs on.
enum On<'c> {
    Transaction(&'c Transaction),
    /// For one statement, which is a transaction by itself.
    Connection(&'c Object),
}

impl On<'_> {
    async fn attempt(&self, work: Box<dyn WriteJob>) -> StoreResult<Attempt> {
        let client = match self {
            On::Transaction(transaction) => return transaction.attempt(work).await,
            On::Connection(client) => client,
        };
        let mut session = session(Pipeline::new(client));
        let outcome = work.run(&mut session).await;
        Ok(if pipeline(session)?.has_conflict() {
            Attempt::Conflict
        } else {
            Attempt::Done(outcome)
        })
    }

    /// Attempts the write until it meets no other, a few times. Two that met wait for different times, or they would
    /// meet again.
    async fn run(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        for attempts in 1..=MAX_ATTEMPTS {
            let copy = work.duplicate();
            if let Attempt::Done(outcome) = self.attempt(copy).await? {
                metrics::counter!("store_commits").increment(1);
                return Ok(outcome);
            }
            metrics::counter!("store_conflicts").increment(1);
            let backoff = BACKOFF * attempts;
            let jitter = backoff.mul_f64(rand::random());
            tokio::time::sleep(backoff + jitter).await;
        }
        Err(StoreError::Unavailable(anyhow::anyhow!(
            "the transaction was in the way of others {MAX_ATTEMPTS} times"
        )))
    }
}

async fn with_timeout<T>(work: impl Future<Output = StoreResult<T>>) -> StoreResult<T> {
    let late =
        |_| StoreError::Unavailable(anyhow::anyhow!("no answer within {TRANSACTION_TIMEOUT:?}"));
    tokio::time::timeout(TRANSACTION_TIMEOUT, work)
        .await
        .map_err(late)?
}

#[async_trait]
impl Engine for Postgres {
    async fn run_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        let client = self.connection().await?;
        Ok(work(&mut session(Pipeline::new(&client))).await)
    }

    async fn run_point_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        with_timeout(self.run_read(work)).await
    }

    async fn run_write(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        let transaction = Transaction(Some(self.connection().await?));
        let outcome = with_timeout(On::Transaction(&transaction).run(work)).await?;
        transaction.end();
        Ok(outcome)
    }

    async fn run_autocommit(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        let client = self.connection().await?;
        with_timeout(On::Connection(&client).run(work)).await
    }

    async fn ping(&self) -> StoreResult<()> {
        // A standby answers reads; a shop on it could not take orders.
        let answer = self.connection().await?;
        let answer = answer.batch_execute("select txid_current()").await;
        answer.map_err(postgres_error)
    }
}
