//! The embedded engine. SQLite has one writer anyway, so writes go to one task that takes what is
//! waiting, runs each in a savepoint of its own, commits once and only then answers all of them: many
//! buyers, one fsync.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt as _;
use mirasa_app::ports::storage::{Engine, Outcome, ReadWork, StoreError, Stored, WriteWork};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, Transaction};
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::engine::{Conn, PoolSize, Session, store_error};
use crate::migrations;

/// How many waiting writes share one commit at most: bounds how long the first one waits.
const MOST_TOGETHER: usize = 64;
/// How many may wait; beyond that, callers wait for a place.
const MOST_WAITING: usize = 1024;
/// How long a read waits for a connection.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

pub struct Sqlite {
    readers: Readers,
    writer: mpsc::Sender<Job>,
}

/// Connections that read. Not sqlx's pool: that asks a connection whether it is still there each time it
/// comes back, which for a file is as much work as the read itself.
struct Readers {
    options: SqliteConnectOptions,
    places: Semaphore,
    idle: Mutex<Vec<SqliteConnection>>,
}

impl Readers {
    async fn open(options: SqliteConnectOptions, size: PoolSize) -> Stored<Readers> {
        let first = options.connect().await.map_err(store_error)?;
        Ok(Readers {
            options,
            places: Semaphore::new(size.0 as usize),
            idle: Mutex::new(vec![first]),
        })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<SqliteConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A caller who goes away in the middle takes the connection along; the next one opens another.
    async fn run(&self, work: ReadWork) -> Stored<Outcome> {
        let busy = |_| StoreError::Unavailable(anyhow::anyhow!("too many reads are waiting"));
        let place = tokio::time::timeout(LONGEST_WAIT, self.places.acquire());
        let _place = place.await.map_err(busy)?;
        let known = self.idle().pop();
        let mut connection = match known {
            Some(connection) => connection,
            None => self.options.connect().await.map_err(store_error)?,
        };
        let outcome = work(&mut Session::new(Conn::Sqlite(&mut connection))).await;
        self.idle().push(connection);
        Ok(outcome)
    }
}

struct Job {
    work: WriteWork,
    answer: oneshot::Sender<Stored<Outcome>>,
}

pub(crate) fn options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // What a savepoint would take back lies in memory, not in a file of its own.
        .pragma("temp_store", "memory")
        .busy_timeout(Duration::from_secs(5))
        .disable_statement_logging()
}

impl Sqlite {
    pub async fn open(file: &Path, size: PoolSize) -> Stored<Sqlite> {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| StoreError::Unavailable(error.into()))?;
        }
        let mut connection = options(file).connect().await.map_err(store_error)?;
        if migrations::are_pending(&mut Session::new(Conn::Sqlite(&mut connection))).await {
            migrate(&mut connection).await?;
        }
        let readers = Readers::open(options(file), size).await?;
        let (writer, jobs) = mpsc::channel(MOST_WAITING);
        tokio::spawn(write_loop(connection, options(file), jobs));
        Ok(Sqlite { readers, writer })
    }
}

async fn migrate(connection: &mut SqliteConnection) -> Stored<()> {
    let mut transaction = connection
        .begin_with("begin immediate")
        .await
        .map_err(store_error)?;
    migrations::apply(&mut Session::new(Conn::Sqlite(&mut transaction))).await?;
    transaction.commit().await.map_err(store_error)
}

#[async_trait]
impl Engine for Sqlite {
    async fn run_read(&self, work: ReadWork) -> Stored<Outcome> {
        self.readers.run(work).await
    }

    async fn run_write(&self, work: WriteWork) -> Stored<Outcome> {
        let (answer, answered) = oneshot::channel();
        let gone = || StoreError::Unavailable(anyhow::anyhow!("the writer has stopped"));
        self.writer
            .send(Job { work, answer })
            .await
            .map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    async fn ping(&self) -> Stored<()> {
        self.run_write(Box::new(|_| Box::pin(async { Ok(Box::new(()) as _) })))
            .await
            .map(drop)
    }
}

async fn write_loop(
    first: SqliteConnection,
    options: SqliteConnectOptions,
    mut jobs: mpsc::Receiver<Job>,
) {
    let mut connection = Some(first);
    let mut batch = Vec::with_capacity(MOST_TOGETHER);
    while jobs.recv_many(&mut batch, MOST_TOGETHER).await > 0 {
        if connection.is_none() {
            connection = options
                .connect()
                .await
                .inspect_err(|error| tracing::error!(%error, "cannot reopen the database"))
                .ok();
        }
        let kept = match connection.as_mut() {
            Some(connection) => commit_together(connection, std::mem::take(&mut batch)).await,
            None => {
                refuse(std::mem::take(&mut batch), "the database cannot be opened");
                false
            }
        };
        if !kept {
            // Its state is unknown after a failed begin or commit: start over with a fresh one.
            connection = None;
        }
    }
}

/// Runs the jobs in one transaction and answers them after its commit. False if the connection should
/// not be used again.
async fn commit_together(connection: &mut SqliteConnection, mut batch: Vec<Job>) -> bool {
    let mut transaction = match connection.begin_with("begin immediate").await {
        Ok(transaction) => transaction,
        Err(error) => {
            refuse(batch, &error.to_string());
            return false;
        }
    };
    metrics::counter!("store_commits").increment(1);
    let (answers, committed) = if batch.len() == 1 {
        // Alone it needs no savepoint: the transaction is its own.
        let job = batch.remove(0);
        match run_in(transaction, job.work).await {
            Ok(result) => (vec![(job.answer, result)], Ok(())),
            Err(error) => (vec![(job.answer, Err(lost(&error)))], Err(error)),
        }
    } else {
        let mut answers = Vec::with_capacity(batch.len());
        for job in batch {
            let result = match transaction.begin().await {
                Ok(savepoint) => run_in(savepoint, job.work).await,
                Err(error) => Err(error),
            };
            let result = result.unwrap_or_else(|error| Err(store_error(error)));
            answers.push((job.answer, result));
        }
        (answers, transaction.commit().await)
    };
    for (answer, result) in answers {
        let result = match &committed {
            Ok(()) => result,
            Err(error) => Err(lost(error)),
        };
        // A caller who has gone away wants no answer.
        drop(answer.send(result));
    }
    committed
        .inspect_err(|error| tracing::error!(%error, "commit failed"))
        .is_ok()
}

fn lost(error: &sqlx::Error) -> StoreError {
    StoreError::Unavailable(anyhow::anyhow!("commit failed: {error}"))
}

/// Does the work and keeps what it wrote, or, if it refuses or panics, nothing of it.
async fn run_in(
    mut transaction: Transaction<'_, sqlx::Sqlite>,
    work: WriteWork,
) -> Result<Stored<Outcome>, sqlx::Error> {
    let outcome = AssertUnwindSafe(work(&mut Session::new(Conn::Sqlite(&mut transaction))))
        .catch_unwind()
        .await;
    match outcome {
        Ok(Ok(value)) => transaction.commit().await.map(|()| Ok(Ok(value))),
        Ok(Err(refusal)) => transaction.rollback().await.map(|()| Ok(Err(refusal))),
        Err(_panic) => {
            transaction.rollback().await?;
            Ok(Err(StoreError::Broken(anyhow::anyhow!(
                "a write panicked and was rolled back"
            ))))
        }
    }
}

fn refuse(batch: Vec<Job>, reason: &str) {
    for job in batch {
        drop(
            job.answer
                .send(Err(StoreError::Unavailable(anyhow::anyhow!("{reason}")))),
        );
    }
}
