//! Access to the database for use cases.
//!
//! `Database::write` runs a closure in one transaction: `Ok` commits, `Err` rolls back. The engine decides how
//! (SQLite commits waiting writers together, PostgreSQL does so by itself). Therefore the closure owns what it needs
//! and may not call an outside service. It must be `Clone`, because the engine runs it again when the database
//! aborts a transaction that conflicts with another one.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use futures::future::BoxFuture;
use tracing::{Instrument as _, Span};

use crate::repository::{Queries, StoreError, StoreResult, Transaction};
use crate::runtime::load_shedder::{LoadShedder, Permit};
use crate::runtime::telemetry::TARGET;

/// A value whose type the engine does not know.
pub type BoxedAny = Box<dyn Any + Send>;

/// Ok commits, Err rolls back. Both contain what the use case returns.
pub type ErasedResult = Result<BoxedAny, BoxedAny>;

/// An async closure whose future is `Send`, which a bound of `AsyncFnOnce` alone cannot demand: the type of its future has no
/// name. Parameters ask for both, because the compiler infers the types of a closure only from a bound of `AsyncFnOnce`.
pub trait Work<'t, Db: ?Sized + 't, Output>: FnOnce(&'t mut Db) -> Self::Running + Send {
    type Running: Future<Output = Output> + Send + 't;
}

impl<'t, Db, Output, F, Running> Work<'t, Db, Output> for F
where
    Db: ?Sized + 't,
    F: FnOnce(&'t mut Db) -> Running + Send,
    Running: Future<Output = Output> + Send + 't,
{
    type Running = Running;
}

/// The same for a closure that gets something else beside the database.
pub trait WorkWith<'t, Db: ?Sized + 't, Argument, Output>:
    FnOnce(&'t mut Db, Argument) -> Self::Running + Send
{
    type Running: Future<Output = Output> + Send + 't;
}

impl<'t, Db, Argument, Output, F, Running> WorkWith<'t, Db, Argument, Output> for F
where
    Db: ?Sized + 't,
    F: FnOnce(&'t mut Db, Argument) -> Running + Send,
    Running: Future<Output = Output> + Send + 't,
{
    type Running = Running;
}

pub type ReadJob =
    Box<dyn for<'t> FnOnce(&'t mut dyn Queries) -> BoxFuture<'t, ErasedResult> + Send>;

/// The work of a transaction. It can be duplicated before it runs, for another attempt.
pub trait WriteJob: Send {
    fn run<'t>(self: Box<Self>, tx: &'t mut dyn Transaction) -> BoxFuture<'t, ErasedResult>;
    fn duplicate(&self) -> Box<dyn WriteJob>;
}

/// A database engine.
#[async_trait]
pub trait Engine: Send + Sync {
    async fn run_read(&self, work: ReadJob) -> StoreResult<ErasedResult>;
    async fn run_point_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        self.run_read(work).await
    }
    /// Runs the read on a replica. None: there is no replica, it failed, or it does not have all that was committed before.
    async fn run_replica_read(&self, _work: ReadJob) -> Option<ErasedResult> {
        None
    }
    async fn run_write(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult>;
    async fn run_autocommit(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        self.run_write(work).await
    }
    /// Creates indexes for searches that are not part of the schema, because the database may not be able to have them.
    /// This can take minutes, and returns at once if there is nothing to do.
    async fn create_search_indexes(&self) -> StoreResult<()> {
        Ok(())
    }
    /// Checks that the database responds and can be written to.
    async fn ping(&self) -> StoreResult<()>;
}

/// The database as a use case sees it.
#[derive(Clone)]
pub struct Database {
    engine: Arc<dyn Engine>,
    load_shedder: Option<Arc<LoadShedder>>,
}

impl Database {
    pub fn new(engine: Arc<dyn Engine>) -> Database {
        Database {
            engine,
            load_shedder: None,
        }
    }

    /// The same database with load shedding, for requests of visitors: if too many wait for it, it fails with `Busy`.
    pub fn for_visitors(&self) -> Database {
        Database {
            engine: self.engine.clone(),
            load_shedder: Some(Arc::default()),
        }
    }

    /// The same database without load shedding, for work that must be finished once it has begun.
    pub fn without_load_shedding(&self) -> Database {
        Database::new(self.engine.clone())
    }

    fn read_permit(&self) -> StoreResult<Option<Permit<'_>>> {
        let shedder = self.load_shedder.as_ref();
        shedder
            .map(|shedder| shedder.read().ok_or(StoreError::Busy))
            .transpose()
    }

    fn write_permit(&self) -> StoreResult<Option<Permit<'_>>> {
        let shedder = self.load_shedder.as_ref();
        shedder
            .map(|shedder| shedder.write().ok_or(StoreError::Busy))
            .transpose()
    }

    pub async fn ping(&self) -> StoreResult<()> {
        self.engine.ping().await
    }

    pub async fn create_search_indexes(&self) -> StoreResult<()> {
        self.engine.create_search_indexes().await
    }

    pub async fn read<T, E>(
        &self,
        work: impl for<'t> AsyncFnOnce(&'t mut (dyn Queries + 't)) -> Result<T, E>
        + for<'t> Work<'t, dyn Queries + 't, Result<T, E>>
        + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _permit = self.read_permit()?;
        downcast(in_span(read_span(), self.engine.run_read(boxed(work))).await?)
    }

    /// A list, an export or a report for admins, which may run on a read replica. It must be `Clone`, because it runs on
    /// the primary if the replica fails.
    pub async fn replica_read<T, E>(
        &self,
        work: impl for<'t> AsyncFnOnce(&'t mut (dyn Queries + 't)) -> Result<T, E>
        + for<'t> Work<'t, dyn Queries + 't, Result<T, E>>
        + Clone
        + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _permit = self.read_permit()?;
        let reading = async {
            match self.engine.run_replica_read(boxed(work.clone())).await {
                Some(result) => Ok(result),
                None => self.engine.run_read(boxed(work)).await,
            }
        };
        downcast(in_span(read_span(), reading).await?)
    }

    /// A read of single rows by key, which an engine may run inline.
    pub async fn point_read<T, E>(
        &self,
        work: impl for<'t> AsyncFnOnce(&'t mut (dyn Queries + 't)) -> Result<T, E>
        + for<'t> Work<'t, dyn Queries + 't, Result<T, E>>
        + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _permit = self.read_permit()?;
        downcast(in_span(read_span(), self.engine.run_point_read(boxed(work))).await?)
    }

    pub async fn write<T, E>(
        &self,
        work: impl for<'t> AsyncFnOnce(&'t mut (dyn Transaction + 't)) -> Result<T, E>
        + for<'t> Work<'t, dyn Transaction + 't, Result<T, E>>
        + Clone
        + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _permit = self.write_permit()?;
        let writing = self.engine.run_write(write_work(work));
        downcast(in_span(write_span(), writing).await?)
    }

    /// A write of one statement, which is its own transaction; a second statement would be another one. If the engine
    /// reports a timeout, the statement may still take effect, as a commit may.
    pub async fn write_autocommit<T, E>(
        &self,
        work: impl for<'t> AsyncFnOnce(&'t mut (dyn Transaction + 't)) -> Result<T, E>
        + for<'t> Work<'t, dyn Transaction + 't, Result<T, E>>
        + Clone
        + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _permit = self.write_permit()?;
        let writing = self.engine.run_autocommit(write_work(work));
        downcast(in_span(write_span(), writing).await?)
    }
}

fn read_span() -> Span {
    tracing::info_span!(
        target: TARGET,
        "database read",
        otel.kind = "client",
        otel.status_code = tracing::field::Empty,
        db.operation.name = "read",
    )
}

fn write_span() -> Span {
    tracing::info_span!(
        target: TARGET,
        "database write",
        otel.kind = "client",
        otel.status_code = tracing::field::Empty,
        db.operation.name = "write",
        db.attempts = 1,
    )
}

/// Runs the work in a span, if spans are exported.
async fn in_span<T>(
    span: Span,
    work: impl Future<Output = StoreResult<T>> + Send,
) -> StoreResult<T> {
    if span.is_disabled() {
        return work.await;
    }
    let result = work.instrument(span.clone()).await;
    if result.is_err() {
        span.record("otel.status_code", "ERROR");
    }
    result
}

fn boxed<T: Send + 'static, E: Send + 'static>(
    work: impl for<'t> Work<'t, dyn Queries + 't, Result<T, E>> + 'static,
) -> ReadJob {
    Box::new(move |db| {
        let running = work(db);
        Box::pin(async move { erase(running.await) })
    })
}

/// A closure with the types of its result, which the engine does not know.
struct Closure<F, T, E>(F, PhantomData<fn() -> (T, E)>);

impl<F, T, E> WriteJob for Closure<F, T, E>
where
    F: for<'t> Work<'t, dyn Transaction + 't, Result<T, E>> + Clone + 'static,
    T: Send + 'static,
    E: Send + 'static,
{
    fn run<'t>(self: Box<Self>, tx: &'t mut dyn Transaction) -> BoxFuture<'t, ErasedResult> {
        let running = (self.0)(tx);
        Box::pin(async move { erase(running.await) })
    }

    fn duplicate(&self) -> Box<dyn WriteJob> {
        Box::new(Closure(self.0.clone(), PhantomData))
    }
}

/// Boxes a closure as a job for an engine.
pub fn write_work<T: Send + 'static, E: Send + 'static>(
    work: impl for<'t> AsyncFnOnce(&'t mut (dyn Transaction + 't)) -> Result<T, E>
    + for<'t> Work<'t, dyn Transaction + 't, Result<T, E>>
    + Clone
    + 'static,
) -> Box<dyn WriteJob> {
    Box::new(Closure(work, PhantomData))
}

fn erase<T: Send + 'static, E: Send + 'static>(result: Result<T, E>) -> ErasedResult {
    match result {
        Ok(value) => Ok(Box::new(value)),
        Err(error) => Err(Box::new(error)),
    }
}

fn downcast<T: 'static, E: From<StoreError> + 'static>(result: ErasedResult) -> Result<T, E> {
    let mismatch = || {
        E::from(StoreError::Broken(anyhow::anyhow!(
            "an engine mixed up two results"
        )))
    };
    match result {
        Ok(value) => value
            .downcast::<T>()
            .map(|value| *value)
            .map_err(|_| mismatch()),
        Err(error) => Err(error
            .downcast::<E>()
            .map_or_else(|_| mismatch(), |error| *error)),
    }
}
