//! How a use case reads and writes what is stored.
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

use super::{Queries, StoreError, StoreResult, Transaction};
use crate::load_shedder::{LoadShedder, Permit};

/// A value on its way through an engine that does not know its type.
pub type BoxedAny = Box<dyn Any + Send>;

/// Ok commits, Err rolls back; both carry what the use case returns.
pub type ErasedResult = Result<BoxedAny, BoxedAny>;

pub type ReadJob =
    Box<dyn for<'t> FnOnce(&'t mut dyn Queries) -> BoxFuture<'t, ErasedResult> + Send>;

/// What a transaction does. It can be copied before it is run, for another attempt.
pub trait WriteJob: Send {
    fn run<'t>(self: Box<Self>, tx: &'t mut dyn Transaction) -> BoxFuture<'t, ErasedResult>;
    fn duplicate(&self) -> Box<dyn WriteJob>;
}

/// What an engine must be able to do.
#[async_trait]
pub trait Engine: Send + Sync {
    async fn run_read(&self, work: ReadJob) -> StoreResult<ErasedResult>;
    async fn run_point_read(&self, work: ReadJob) -> StoreResult<ErasedResult> {
        self.run_read(work).await
    }
    async fn run_write(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult>;
    async fn run_autocommit(&self, work: Box<dyn WriteJob>) -> StoreResult<ErasedResult> {
        self.run_write(work).await
    }
    /// Whether the database answers and can be written to.
    async fn ping(&self) -> StoreResult<()>;
}

/// The database as a use case sees it.
#[derive(Clone)]
pub struct Database {
    engine: Arc<dyn Engine>,
    crowd: Option<Arc<LoadShedder>>,
}

impl Database {
    pub fn new(engine: Arc<dyn Engine>) -> Database {
        Database {
            engine,
            crowd: None,
        }
    }

    /// The same database for visitors: only so many of them may wait for it, the others are told that it is
    /// busy.
    pub fn for_visitors(&self) -> Database {
        Database {
            engine: self.engine.clone(),
            crowd: Some(Arc::default()),
        }
    }

    /// The same database for what has begun and must be finished: it waits however many others do.
    pub fn for_work_under_way(&self) -> Database {
        Database::new(self.engine.clone())
    }

    fn reading(&self) -> StoreResult<Option<Permit<'_>>> {
        let crowd = self.crowd.as_ref();
        crowd
            .map(|crowd| crowd.read().ok_or(StoreError::Busy))
            .transpose()
    }

    fn writing(&self) -> StoreResult<Option<Permit<'_>>> {
        let crowd = self.crowd.as_ref();
        crowd
            .map(|crowd| crowd.write().ok_or(StoreError::Busy))
            .transpose()
    }

    pub async fn ping(&self) -> StoreResult<()> {
        self.engine.ping().await
    }

    pub async fn read<T, E>(
        &self,
        work: impl for<'t> FnOnce(&'t mut dyn Queries) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _place = self.reading()?;
        downcast(self.engine.run_read(boxed(work)).await?)
    }

    /// A read of a few rows, found by their keys: an engine may do it on the spot.
    pub async fn point_read<T, E>(
        &self,
        work: impl for<'t> FnOnce(&'t mut dyn Queries) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _place = self.reading()?;
        downcast(self.engine.run_point_read(boxed(work)).await?)
    }

    pub async fn write<T, E>(
        &self,
        work: impl for<'t> FnOnce(&'t mut dyn Transaction) -> BoxFuture<'t, Result<T, E>>
        + Clone
        + Send
        + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _place = self.writing()?;
        downcast(self.engine.run_write(write_work(work)).await?)
    }

    /// A write of one statement, which is a transaction by itself. Whatever came second would be another. If
    /// the engine gives up waiting for it, it may still happen afterwards, as a commit may.
    pub async fn write_autocommit<T, E>(
        &self,
        work: impl for<'t> FnOnce(&'t mut dyn Transaction) -> BoxFuture<'t, Result<T, E>>
        + Clone
        + Send
        + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let _place = self.writing()?;
        downcast(self.engine.run_autocommit(write_work(work)).await?)
    }
}

fn boxed<T: Send + 'static, E: Send + 'static>(
    work: impl for<'t> FnOnce(&'t mut dyn Queries) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
) -> ReadJob {
    Box::new(move |db| {
        let running = work(db);
        Box::pin(async move { erase(running.await) })
    })
}

/// A closure with the types of its result, which an engine does not know.
struct Closure<F, T, E>(F, PhantomData<fn() -> (T, E)>);

impl<F, T, E> WriteJob for Closure<F, T, E>
where
    F: for<'t> FnOnce(&'t mut dyn Transaction) -> BoxFuture<'t, Result<T, E>>
        + Clone
        + Send
        + 'static,
    T: Send + 'static,
    E: Send + 'static,
{
    fn run<'t>(self: Box<Self>, tx: &'t mut dyn Transaction) -> BoxFuture<'t, ErasedResult> {
        let running = (self.0)(tx);
        Box::pin(async move { erase(running.await) })
    }

    fn duplicate(&self) -> Box<dyn WriteJob> {
        write_work(self.0.clone())
    }
}

/// Makes a closure what an engine runs.
pub fn write_work<T: Send + 'static, E: Send + 'static>(
    work: impl for<'t> FnOnce(&'t mut dyn Transaction) -> BoxFuture<'t, Result<T, E>>
    + Clone
    + Send
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

fn downcast<T: 'static, E: From<StoreError> + 'static>(outcome: ErasedResult) -> Result<T, E> {
    let mismatch = || {
        E::from(StoreError::Broken(anyhow::anyhow!(
            "an engine mixed up two results"
        )))
    };
    match outcome {
        Ok(value) => value
            .downcast::<T>()
            .map(|value| *value)
            .map_err(|_| mismatch()),
        Err(error) => Err(error
            .downcast::<E>()
            .map_or_else(|_| mismatch(), |error| *error)),
    }
}
