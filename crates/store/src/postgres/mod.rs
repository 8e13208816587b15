//! PostgreSQL, for several instances. It groups commits itself.

pub(crate) mod connect;
pub(crate) mod pipeline;
pub(crate) mod pool;
pub(crate) mod replica;
pub(crate) mod server_url;
pub(crate) mod tls;
pub(crate) mod trigram_indexes;

use std::time::Duration;

use async_trait::async_trait;
use deadpool::managed::{Object, Pool, PoolError};
use mirasa_app::repository::{Engine, ErasedResult, ReadJob, StoreError, StoreResult, WriteJob};
use mirasa_app::runtime::telemetry;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout, timeout_at};

use crate::postgres::connect::Servers;
use crate::postgres::pipeline::Pipeline;
use crate::postgres::pool::open_pool;
use crate::postgres::replica::{Replica, wait_until_replayed, written_position};
use crate::postgres::trigram_indexes::TrigramIndexes;
use crate::sql::engine::{Conn, PoolSize, SqlRepository};
use crate::sql::errors::{is_conflict, is_session_lost, postgres_error};
use crate::sql::migrations;

/// A write has about 20 statements, a point read has one. If they take longer, the database hangs.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(5);
/// A list, a part of an export or the overview. The longest take seconds with a million orders.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// Attempts of a transaction that PostgreSQL aborts because of a deadlock or a serialisation failure. Detecting a
/// deadlock takes a second (`deadlock_timeout`), and all attempts share the timeout above.
const MAX_ATTEMPTS: u32 = 4;
/// The minimum delay before the second attempt.
const BACKOFF: Duration = Duration::from_millis(10);
/// If a connection whose request was cancelled does not respond within this time, it is closed.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(1);

pub struct Postgres {
    pool: Pool<Servers>,
    replica: Option<Replica>,
    trigram_indexes: TrigramIndexes,
}

impl Postgres {
    pub async fn open(url: &str, replica: Option<&str>, size: PoolSize) -> StoreResult<Postgres> {
        let servers = Servers::parse(url).map_err(StoreError::Broken)?;
        servers.detect_pooler().await?;
        let replica = replica.map(|url| Replica::new(url, size)).transpose()?;
        let postgres = Postgres {
            pool: open_pool(servers, size)?,
            replica,
            trigram_indexes: TrigramIndexes::new(),
        };
        let mut connection = postgres.connection().await?;
        if migrations::has_pending(&mut connection.repository()?).await {
            let mut migrating = connection.begin().await?;
            migrations::apply(&mut migrating).await?;
            let committed = pipeline(migrating)?.commit().await;
            committed.map_err(postgres_error)?;
        }
        connection.release();
        Ok(postgres)
    }

    async fn connection(&self) -> StoreResult<Connection> {
        Connection::take(&self.pool).await
    }

    async fn read(&self, work: ReadJob, period: Duration) -> StoreResult<ErasedResult> {
        let deadline = Instant::now() + period;
        let mut connection = self.connection().await?;
        let mut repository = connection.repository()?;
        let Ok(result) = timeout_at(deadline, work(&mut repository)).await else {
            drop(repository);
            connection.cancel_query();
            connection.close();
            return Err(timed_out(period));
        };
        let is_lost = pipeline(repository)?.is_lost();
        connection.is_lost = is_lost;
        connection.end();
        Ok(result)
    }

    async fn read_from_replica(
        &self,
        replica: &Replica,
        work: ReadJob,
    ) -> StoreResult<ErasedResult> {
        replica.detect_pooler().await?;
        let mut connection = Connection::take(&replica.pool).await?;
        let primary = self.connection().await?;
        let position = written_position(primary.object()?).await?;
        primary.release();
        wait_until_replayed(connection.object()?, &position).await?;
        let mut repository = connection.repository()?;
        let Ok(result) = timeout(READ_TIMEOUT, work(&mut repository)).await else {
            drop(repository);
            connection.cancel_query();
            connection.close();
            return Err(timed_out(READ_TIMEOUT));
        };
        let pipeline = pipeline(repository)?;
        // A replica cancels a query that conflicts with what it replays.
        let has_failed = pipeline.has_conflict() || pipeline.is_lost();
        let is_lost = pipeline.is_lost();
        drop(pipeline);
        connection.is_lost = is_lost;
        connection.end();
        if has_failed {
            let error = anyhow::anyhow!("the connection was lost, or a query was cancelled");
            return Err(StoreError::Unavailable(error));
        }
        Ok(result)
    }
}

fn timed_out(period: Duration) -> StoreError {
    StoreError::Unavailable(anyhow::anyhow!("no response within {period:?}"))
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

/// A connection of the pool. If a request is cancelled, its transaction is rolled back, and the connection returns to
/// the pool only if it responds.
struct Connection {
    object: Option<Object<Servers>>,
    pool: Pool<Servers>,
    has_transaction: bool,
    /// It must not be used again.
    is_lost: bool,
}

impl Connection {
    async fn take(pool: &Pool<Servers>) -> StoreResult<Connection> {
        let started = Instant::now();
        let waited = pool.get().await;
        metrics::histogram!("db_pool_wait_seconds").record(started.elapsed());
        let object = waited.map_err(|error| match error {
            PoolError::Backend(error) => error.into(),
            other => StoreError::Unavailable(other.into()),
        })?;
        Ok(Connection {
            object: Some(object),
            pool: pool.clone(),
            has_transaction: false,
            is_lost: false,
        })
    }

    fn object(&self) -> StoreResult<&Object<Servers>> {
        let ended = || StoreError::Broken(anyhow::anyhow!("the connection was returned"));
        self.object.as_ref().ok_or_else(ended)
    }

    fn repository(&self) -> StoreResult<SqlRepository<'_>> {
        Ok(repository(Pipeline::new(self.object()?)))
    }

    async fn begin(&mut self) -> StoreResult<SqlRepository<'_>> {
        self.has_transaction = true;
        let mut pipeline = Pipeline::new(self.object()?);
        pipeline.begin().await.map_err(postgres_error)?;
        Ok(repository(pipeline))
    }

    async fn attempt_transaction(&mut self, work: Box<dyn WriteJob>) -> StoreResult<Attempt> {
        let mut repository = self.begin().await?;
        let result = work.run(&mut repository).await;
        let pipeline = pipeline(repository)?;
        let (has_conflict, is_lost) = (pipeline.has_conflict(), pipeline.is_lost());
        let ended = match result {
            Ok(_) if !has_conflict => pipeline.commit().await,
            _ => pipeline.roll_back().await,
        };
        self.is_lost = is_lost || ended.as_ref().is_err_and(is_session_lost);
        match ended {
            Ok(()) if has_conflict => Ok(Attempt::Conflict),
            Ok(()) => Ok(Attempt::Done(result)),
            // A failed commit has ended the transaction too.
            Err(error) if is_conflict(&error) => Ok(Attempt::Conflict),
            Err(error) => Err(postgres_error(error)),
        }
    }

    /// For one statement, which is its own transaction.
    async fn attempt_statement(&mut self, work: Box<dyn WriteJob>) -> StoreResult<Attempt> {
        let mut repository = self.repository()?;
        let result = work.run(&mut repository).await;
        let pipeline = pipeline(repository)?;
        let (has_conflict, is_lost) = (pipeline.has_conflict(), pipeline.is_lost());
        drop(pipeline);
        self.is_lost = is_lost;
        Ok(if has_conflict {
            Attempt::Conflict
        } else {
            Attempt::Done(result)
        })
    }

    /// Retries the write after a conflict, up to `MAX_ATTEMPTS` times. The random delay keeps two conflicting writes
    /// from conflicting again.
    async fn attempt(
        &mut self,
        work: Box<dyn WriteJob>,
        target: WriteTarget,
    ) -> StoreResult<ErasedResult> {
        for attempts in 1..=MAX_ATTEMPTS {
            let copy = work.duplicate();
            let attempt = match target {
                WriteTarget::Transaction => self.attempt_transaction(copy).await?,
                WriteTarget::Statement => self.attempt_statement(copy).await?,
            };
            if let Attempt::Done(result) = attempt {
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

    async fn write(
        mut self,
        work: Box<dyn WriteJob>,
        target: WriteTarget,
    ) -> StoreResult<ErasedResult> {
        match timeout(TRANSACTION_TIMEOUT, self.attempt(work, target)).await {
            Ok(Ok(result)) => {
                self.end();
                Ok(result)
            }
            Ok(Err(error)) => {
                if self.is_lost {
                    self.close();
                }
                Err(error)
            }
            // The query is not cancelled: a commit that waits for a standby would end without it.
            Err(_) => {
                self.close();
                Err(timed_out(TRANSACTION_TIMEOUT))
            }
        }
    }

    /// The work has ended in order.
    fn end(self) {
        if self.is_lost {
            self.close();
        } else {
            self.release();
        }
    }

    /// Returns it to the pool.
    fn release(mut self) {
        self.object = None;
    }

    /// The other connections that nobody uses are closed too: they are to the same server.
    fn close(mut self) {
        drop(self.object.take().map(Object::take));
        self.pool.retain(|_, _| false);
    }

    fn cancel_query(&self) {
        if let Some(object) = &self.object {
            self.pool.manager().cancel_query(object.cancel_token());
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let (Some(object), Ok(runtime)) = (self.object.take(), Handle::try_current()) else {
            return;
        };
        let text = if self.has_transaction { "rollback" } else { "" };
        runtime.spawn(async move {
            let recovered = timeout(RECOVERY_TIMEOUT, object.batch_execute(text));
            if !matches!(recovered.await, Ok(Ok(()))) {
                drop(Object::take(object));
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

/// What a write runs in.
#[derive(Clone, Copy)]
enum WriteTarget {
    Transaction,
    Statement,
}

#[async_trait]
impl Engine for Postgres {
    async fn run_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        self.read(work, READ_TIMEOUT).await
    }

    async fn run_point_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        self.read(work, TRANSACTION_TIMEOUT).await
    }

    async fn run_replica_read(&self, work: ReadJob) -> Option<ErasedResult> {
        let replica = self.replica.as_ref()?;
        if !replica.is_paused() {
            match self.read_from_replica(replica, work).await {
                Ok(result) => {
                    replica.recovered();
                    metrics::counter!("db_replica_reads_total").increment(1);
                    return Some(result);
                }
                Err(error) => replica.pause(error),
            }
        }
        metrics::counter!("db_replica_fallbacks_total").increment(1);
        None
    }

    async fn run_write(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        let connection = self.connection().await?;
        connection.write(work, WriteTarget::Transaction).await
    }

    async fn run_autocommit(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        let connection = self.connection().await?;
        connection.write(work, WriteTarget::Statement).await
    }

    async fn create_search_indexes(&self) -> StoreResult<()> {
        let servers = self.pool.manager();
        self.trigram_indexes.create_missing(servers).await
    }

    async fn ping(&self) -> StoreResult<()> {
        let mut connection = self.connection().await?;
        // A standby accepts reads, but a shop on it could not take orders.
        let ping = connection.object()?.batch_execute("select txid_current()");
        match timeout(TRANSACTION_TIMEOUT, ping).await {
            Ok(Ok(())) => {
                connection.release();
                Ok(())
            }
            Ok(Err(error)) => {
                connection.is_lost = is_session_lost(&error);
                connection.end();
                Err(postgres_error(error))
            }
            Err(_) => {
                connection.close();
                Err(timed_out(TRANSACTION_TIMEOUT))
            }
        }
    }
}
