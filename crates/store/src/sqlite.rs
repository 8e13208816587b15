//! The embedded engine. SQLite has one writer anyway, so writes go to one thread that takes what is
//! waiting, runs each in a savepoint of its own, commits once and only then answers all of them: many
//! buyers, one fsync.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt as _;
use futures::future::BoxFuture;
use mirasa_app::failpoints;
use mirasa_app::repository::{
    Engine, ErasedResult, ReadJob, StoreError, StoreResult, WriteJob, write_work,
};
use mirasa_app::supervision::{Need, Worker};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::engine::{Conn, PoolSize, SqlRepository};
use crate::errors::sqlite_error;
use crate::{files, migrations};

/// How many waiting writes share one commit at most: bounds how long the first one waits.
const MAX_BATCH: usize = 64;
/// Where so many have come together, more are on their way: waiting a moment for them spares the disk.
const COMMIT_SIBLINGS: usize = 6;
const COMMIT_DELAY: Duration = Duration::from_millis(1);
/// How many may wait; beyond that, callers wait for a place.
const WRITE_QUEUE_CAPACITY: usize = 1024;
/// How long a read waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// More than the shop has: none is prepared twice.
const STATEMENT_CACHE_CAPACITY: usize = 256;

pub struct Sqlite {
    readers: Arc<Readers>,
    writer: mpsc::Sender<Job>,
}

impl Sqlite {
    pub async fn open(file: &Path, size: PoolSize) -> StoreResult<Sqlite> {
        if let Some(folder) = file.parent() {
            files::create_private_folder(folder).map_err(unavailable)?;
        }
        files::protect_database(file).map_err(unavailable)?;
        let mut connection = connect(file)?;
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

pub(crate) fn connect(file: &Path) -> StoreResult<Connection> {
    let open = || {
        let connection = Connection::open(file)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        // What a savepoint would take back lies in memory, not in a file of its own.
        connection.execute_batch(
            "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma temp_store = memory",
        )?;
        connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_CAPACITY);
        // A plan is for all values. Without this, new values for a statement that could use a partial index
        // have it parsed and planned anew each time, for a third of an order's processor time.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        Ok(connection)
    };
    open().map_err(sqlite_error)
}

fn unavailable(error: std::io::Error) -> StoreError {
    StoreError::Unavailable(error.into())
}

/// Begins and ends transactions.
fn execute_control(connection: &Connection, text: &str) -> StoreResult<()> {
    let said = connection
        .prepare_cached(text)
        .and_then(|mut s| s.execute([]));
    said.map(drop).map_err(sqlite_error)
}

/// Nothing here ever waits: a statement is done when the call returns.
fn run_to_completion(work: BoxFuture<'_, ErasedResult>) -> StoreResult<ErasedResult> {
    let waits = || {
        StoreError::Broken(anyhow::anyhow!(
            "a transaction waited for the outside world"
        ))
    };
    work.now_or_never().ok_or_else(waits)
}

/// Connections that read. Opened as they are needed, and kept.
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
        let known = self.idle().pop();
        let mut connection = known.map_or_else(|| connect(&self.file), Ok)?;
        let outcome =
            run_to_completion(work(&mut SqlRepository::new(Conn::Sqlite(&mut connection))));
        self.idle().push(connection);
        outcome
    }
}

#[async_trait]
impl Engine for Sqlite {
    async fn run_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        let busy = |_| StoreError::Unavailable(anyhow::anyhow!("too many reads are waiting"));
        let place = self.readers.permits.clone().acquire_owned();
        let place = tokio::time::timeout(ACQUIRE_TIMEOUT, place).await;
        let place = place.map_err(busy)?;
        let readers = self.readers.clone();
        let running = tokio::task::spawn_blocking(move || {
            let outcome = readers.run(work);
            drop(place);
            outcome
        });
        running
            .await
            .map_err(|error| StoreError::Broken(error.into()))?
    }

    /// In WAL mode a reader waits for nobody, and a few rows take less time than waking another thread.
    async fn run_point_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        self.readers.run(work)
    }

    async fn run_write(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        let (answer, answered) = oneshot::channel();
        let gone = || StoreError::Unavailable(anyhow::anyhow!("the writer has stopped"));
        self.writer
            .send(Job { work, answer })
            .await
            .map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    async fn ping(&self) -> StoreResult<()> {
        self.run_write(write_work(|_| Box::pin(async { StoreResult::Ok(()) })))
            .await
            .map(drop)
    }
}

struct Job {
    work: Box<dyn WriteJob>,
    answer: oneshot::Sender<StoreResult<ErasedResult>>,
}

/// Goes on after a panic with what still waits. Those whose writes were in the middle of it are told that they
/// failed, and the connection is left, which takes their transaction back.
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
    let mut is_crowded = false;
    while jobs.blocking_recv_many(&mut batch, MAX_BATCH) > 0 {
        if is_crowded && batch.len() < MAX_BATCH {
            std::thread::sleep(COMMIT_DELAY);
            let more = std::iter::from_fn(|| jobs.try_recv().ok());
            batch.extend(more.take(MAX_BATCH - batch.len()));
        }
        is_crowded = batch.len() >= COMMIT_SIBLINGS;
        failpoints::failpoint("worker sqlite-writer");
        if connection.is_none() {
            connection = connect(file)
                .inspect_err(|error| tracing::error!(?error, "cannot reopen the database"))
                .ok();
        }
        let kept = match connection.as_mut() {
            Some(connection) => commit_batch(connection, batch.drain(..)),
            None => {
                reject_all(batch.drain(..), "the database cannot be opened");
                false
            }
        };
        if !kept {
            // Its state is unknown after a failed begin or commit: start over with a fresh one.
            connection = None;
        }
        worker.completed();
    }
}

/// Runs the jobs in one transaction and answers them after its commit. False if the connection should
/// not be used again.
fn commit_batch(connection: &mut Connection, batch: impl ExactSizeIterator<Item = Job>) -> bool {
    if let Err(error) = execute_control(connection, "begin immediate") {
        reject_all(batch, &format!("{error:?}"));
        return false;
    }
    metrics::counter!("store_commits").increment(1);
    let is_paused = batch.len() == 1;
    let mut answers = Vec::with_capacity(batch.len());
    for job in batch {
        // Alone it needs no savepoint: the transaction is its own.
        let result = if is_paused {
            run_job(connection, job.work)
        } else {
            run_in_savepoint(connection, job.work)
        };
        answers.push((job.answer, result));
    }
    let keeps_nothing = is_paused && !answers.iter().any(|(_, result)| is_committed(result));
    let ended = execute_control(
        connection,
        if keeps_nothing { "rollback" } else { "commit" },
    );
    for (answer, result) in answers {
        let result = match &ended {
            Ok(()) => result,
            Err(error) => Err(commit_failed(error)),
        };
        // A caller who has gone away wants no answer.
        drop(answer.send(result));
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

/// Keeps what the work wrote, or, if it refuses or fails, nothing of it.
fn run_in_savepoint(
    connection: &mut Connection,
    work: Box<dyn WriteJob>,
) -> StoreResult<ErasedResult> {
    if connection.is_autocommit() {
        // A full disk, say, has ended the transaction in the middle. Nothing may be written outside of it.
        return Err(StoreError::Unavailable(anyhow::anyhow!(
            "the transaction is gone"
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
    let mut session = SqlRepository::new(Conn::Sqlite(connection));
    let done = catch_unwind(AssertUnwindSafe(|| {
        run_to_completion(work.run(&mut session))
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
        let refusal = StoreError::Unavailable(anyhow::anyhow!("{reason}"));
        drop(job.answer.send(Err(refusal)));
    }
}
