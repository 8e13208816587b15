//! SQLite, the embedded engine. It has one writer, so one thread takes the waiting writes, runs each in a savepoint,
//! commits once, and then returns the results: many writes share one fsync.

pub(crate) mod id_ngrams;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use mirasa_app::repository::{
    Engine, ErasedResult, ReadJob, StoreError, StoreResult, WriteJob, write_work,
};
use mirasa_app::runtime::failpoints;
use mirasa_app::runtime::supervision::{Need, Worker};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::files;
use crate::sql::engine::{Conn, PoolSize, SqlRepository};
use crate::sql::errors::sqlite_error;
use crate::sql::migrations;

/// Writes that share one commit. Limits how long the first one waits.
const MAX_BATCH: usize = 64;
/// After a batch of this size the writer waits `COMMIT_DELAY` for more writes, to save commits.
const COMMIT_SIBLINGS: usize = 6;
const COMMIT_DELAY: Duration = Duration::from_millis(1);
/// Writes that can be queued. Above that, callers wait.
const WRITE_QUEUE_CAPACITY: usize = 1024;
/// How long a read waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// More than the number of statements, so that none is prepared twice.
const STATEMENT_CACHE_CAPACITY: usize = 256;

pub struct Sqlite {
    readers: Arc<Readers>,
    writer: mpsc::Sender<Job>,
}

impl Sqlite {
    pub async fn open(file: &Path, size: PoolSize) -> StoreResult<Sqlite> {
        let mut connection = create(file)?;
        if migrations::has_pending(&mut SqlRepository::new(Conn::Sqlite(&mut connection))).await {
            execute_control(&connection, "begin immediate")?;
            migrations::apply(&mut SqlRepository::new(Conn::Sqlite(&mut connection))).await?;
            execute_control(&connection, "commit")?;
        }
        let (writer, jobs) = mpsc::channel(WRITE_QUEUE_CAPACITY);
        let path = file.to_owned();
        std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(move || keep_writing(connection, &path, jobs))
            .map_err(unavailable)?;
        let readers = Readers {
            file: file.to_owned(),
            permits: Arc::new(Semaphore::new(size.0 as usize)),
            idle: Mutex::default(),
        };
        Ok(Sqlite {
            readers: Arc::new(readers),
            writer,
        })
    }
}

/// Connects to a file that need not exist yet. Only this user can read it.
pub(crate) fn create(file: &Path) -> StoreResult<Connection> {
    if let Some(folder) = file.parent() {
        files::create_private_folder(folder).map_err(unavailable)?;
    }
    files::protect_database(file).map_err(unavailable)?;
    connect(file)
}

pub(crate) fn connect(file: &Path) -> StoreResult<Connection> {
    let open = || {
        let connection = Connection::open(file)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        // The journal of a savepoint is kept in memory, not in a temporary file.
        connection.execute_batch(
            "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory",
        )?;
        connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_CAPACITY);
        // The query planner's stability guarantee. Without it, a statement that could use a partial index is planned
        // again for new values, which takes a third of an order's processor time.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        Ok(connection)
    };
    open().map_err(sqlite_error)
}

fn unavailable(error: std::io::Error) -> StoreError {
    StoreError::Unavailable(error.into())
}

/// Executes a statement that begins or ends a transaction.
fn execute_control(connection: &Connection, text: &str) -> StoreResult<()> {
    let result = connection
        .prepare_cached(text)
        .and_then(|mut s| s.execute([]));
    result.map(drop).map_err(sqlite_error)
}

/// A statement of SQLite is done when the call returns, so the future never has to wait.
fn run_to_completion(work: BoxFuture<'_, ErasedResult>) -> StoreResult<ErasedResult> {
    let waited = || {
        StoreError::Broken(anyhow::anyhow!(
            "a transaction waited for an outside service"
        ))
    };
    work.now_or_never().ok_or_else(waited)
}

/// Connections for reads. Opened when they are needed, and reused.
struct Readers {
    file: PathBuf,
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        let idle = self.idle().pop();
        let mut connection = idle.map_or_else(|| connect(&self.file), Ok)?;
        let result =
            run_to_completion(work(&mut SqlRepository::new(Conn::Sqlite(&mut connection))));
        self.idle().push(connection);
        result
    }
}

#[async_trait]
impl Engine for Sqlite {
    async fn run_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        let busy = |_| StoreError::Unavailable(anyhow::anyhow!("too many reads are waiting"));
        let started = Instant::now();
        let permit = self.readers.permits.clone().acquire_owned();
        let permit = tokio::time::timeout(ACQUIRE_TIMEOUT, permit).await;
        metrics::histogram!("db_pool_wait_seconds").record(started.elapsed());
        let permit = permit.map_err(busy)?;
        let readers = self.readers.clone();
        let running = tokio::task::spawn_blocking(move || {
            let result = readers.run(work);
            drop(permit);
            result
        });
        running
            .await
            .map_err(|error| StoreError::Broken(error.into()))?
    }

    /// In WAL mode a reader does not wait for the writer, and reading single rows takes less time than waking another
    /// thread.
    async fn run_point_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        self.readers.run(work)
    }

    async fn run_write(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        let (sender, receiver) = oneshot::channel();
        let stopped = || StoreError::Unavailable(anyhow::anyhow!("the writer has stopped"));
        self.writer
            .send(Job {
                work,
                queued_at: Instant::now(),
                result: sender,
            })
            .await
            .map_err(|_| stopped())?;
        receiver.await.map_err(|_| stopped())?
    }

    async fn ping(&self) -> StoreResult<()> {
        self.run_write(write_work(async move |_| StoreResult::Ok(())))
            .await
            .map(drop)
    }
}

struct Job {
    work: Box<dyn WriteJob>,
    queued_at: Instant,
    result: oneshot::Sender<StoreResult<ErasedResult>>,
}

/// Restarts the loop after a panic. Writes of the interrupted batch fail, and its connection is closed, which rolls back
/// their transaction. Queued writes go on.
fn keep_writing(first: Connection, file: &Path, mut jobs: mpsc::Receiver<Job>) {
    let worker = Worker::register("sqlite-writer", Need::Essential, None);
    let mut first = Some(first);
    loop {
        let connection = first.take();
        let writing = AssertUnwindSafe(|| write_loop(connection, file, &mut jobs, &worker));
        match catch_unwind(writing) {
            Ok(()) => return,
            Err(_) => std::thread::sleep(worker.panicked()),
        }
    }
}

fn write_loop(
    mut connection: Option<Connection>,
    file: &Path,
    jobs: &mut mpsc::Receiver<Job>,
    worker: &Worker,
) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    let mut expects_more = false;
    while jobs.blocking_recv_many(&mut batch, MAX_BATCH) > 0 {
        if expects_more && batch.len() < MAX_BATCH {
            std::thread::sleep(COMMIT_DELAY);
            let more = std::iter::from_fn(|| jobs.try_recv().ok());
            batch.extend(more.take(MAX_BATCH - batch.len()));
        }
        expects_more = batch.len() >= COMMIT_SIBLINGS;
        failpoints::failpoint("worker sqlite-writer");
        if connection.is_none() {
            connection = connect(file)
                .inspect_err(|error| tracing::error!(?error, "cannot reopen the database"))
                .ok();
        }
        let is_usable = match connection.as_mut() {
            Some(connection) => commit_batch(connection, batch.drain(..)),
            None => {
                reject_all(batch.drain(..), "the database cannot be opened");
                false
            }
        };
        if !is_usable {
            // The state of the connection is unknown after a failed begin or commit.
            connection = None;
        }
        worker.completed();
    }
}

/// Runs the jobs in one transaction and sends the results after its commit. False if the connection should not be used
/// again.
fn commit_batch(connection: &mut Connection, batch: impl ExactSizeIterator<Item = Job>) -> bool {
    if let Err(error) = execute_control(connection, "begin immediate") {
        reject_all(batch, &format!("{error:?}"));
        return false;
    }
    metrics::counter!("db_commits_total").increment(1);
    let is_single = batch.len() == 1;
    let waits = metrics::histogram!("db_pool_wait_seconds");
    let mut results = Vec::with_capacity(batch.len());
    for job in batch {
        waits.record(job.queued_at.elapsed());
        // A single job has the whole transaction and needs no savepoint.
        let result = if is_single {
            run_job(connection, job.work)
        } else {
            run_in_savepoint(connection, job.work)
        };
        results.push((job.result, result));
    }
    let has_failed = is_single && !results.iter().any(|(_, result)| is_committed(result));
    let ended = execute_control(connection, if has_failed { "rollback" } else { "commit" });
    for (sender, result) in results {
        let result = match &ended {
            Ok(()) => result,
            Err(error) => Err(commit_failed(error)),
        };
        // Fails if the request was cancelled, and then the result is not needed.
        drop(sender.send(result));
    }
    ended
        .inspect_err(|error| tracing::error!(?error, "commit failed"))
        .is_ok()
}

fn is_committed(result: &StoreResult<ErasedResult>) -> bool {
    matches!(result, Ok(Ok(_)))
}

fn commit_failed(error: &StoreError) -> StoreError {
    StoreError::Unavailable(anyhow::anyhow!("commit failed: {error:?}"))
}

/// Rolls back what the job wrote if it fails.
fn run_in_savepoint(
    connection: &mut Connection,
    work: Box<dyn WriteJob>,
) -> StoreResult<ErasedResult> {
    if connection.is_autocommit() {
        // The transaction has been ended, for example by a full disk. Nothing may be written outside of it.
        return Err(StoreError::Unavailable(anyhow::anyhow!(
            "the transaction was aborted"
        )));
    }
    execute_control(connection, "savepoint job")?;
    let result = run_job(connection, work);
    if !is_committed(&result) {
        execute_control(connection, "rollback to job")?;
    }
    execute_control(connection, "release job")?;
    result
}

fn run_job(connection: &mut Connection, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
    let mut repository = SqlRepository::new(Conn::Sqlite(connection));
    let done = catch_unwind(AssertUnwindSafe(|| {
        run_to_completion(work.run(&mut repository))
    }));
    let panicked = |_| {
        Err(StoreError::Broken(anyhow::anyhow!(
            "a write panicked and was rolled back"
        )))
    };
    done.unwrap_or_else(panicked)
}

fn reject_all(batch: impl Iterator<Item = Job>, reason: &str) {
    for job in batch {
        let error = StoreError::Unavailable(anyhow::anyhow!("{reason}"));
        drop(job.result.send(Err(error)));
    }
}
