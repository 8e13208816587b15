//! A PostgreSQL connection that sends a statement without waiting for the response of the previous one. A round trip
//! takes longer than a typical statement.

use futures::future::{BoxFuture, join, try_join};
use futures::{TryStreamExt as _, poll};
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Error, Row, Statement};

use crate::postgres::connect::Session;
use crate::sql::errors::{is_conflict, is_session_lost};
use crate::sql::query::{Param, Query};

/// The texts of some statements depend on the number of their values, so there can be more than are worth keeping.
const STATEMENT_CACHE_CAPACITY: usize = 200;

pub struct Pipeline<'c> {
    client: &'c Session,
    /// Sent, without a response yet.
    in_flight: Vec<BoxFuture<'c, Result<(), Error>>>,
    has_conflict: bool,
    is_lost: bool,
}

impl<'c> Pipeline<'c> {
    pub fn new(client: &'c Session) -> Pipeline<'c> {
        Pipeline {
            client,
            in_flight: Vec::new(),
            has_conflict: false,
            is_lost: false,
        }
    }

    /// Whether PostgreSQL has aborted the transaction because of a conflict with another one. The same work may succeed
    /// in a new transaction.
    pub fn has_conflict(&self) -> bool {
        self.has_conflict
    }

    /// Whether the server has reported that it cannot be used any more: it shuts down, or it has become a standby. The
    /// connection must not be used again.
    pub fn is_lost(&self) -> bool {
        self.is_lost
    }

    fn record_failure<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        self.has_conflict |= result.as_ref().is_err_and(is_conflict);
        self.is_lost |= result.as_ref().is_err_and(is_session_lost);
        result
    }

    pub async fn begin(&mut self) -> Result<(), Error> {
        let client = self.client;
        self.start(async move { client.batch_execute("begin").await })
            .await
    }

    /// Fails if a statement that was sent before has failed: then PostgreSQL rolls back the transaction.
    pub async fn commit(mut self) -> Result<(), Error> {
        self.batch("commit").await
    }

    /// Ignores failures of statements that were sent before.
    pub async fn roll_back(self) -> Result<(), Error> {
        let (_, done) = join(
            drain_all(self.in_flight),
            self.client.batch_execute("rollback"),
        )
        .await;
        done
    }

    /// Sends the statement. Its failure is reported by the next statement or by the commit.
    pub async fn send(&mut self, query: Query<'_>) -> Result<(), Error> {
        let (client, query) = (self.client, query.into_owned());
        let statement = match prepare(client, &query).await {
            Ok(statement) => statement,
            Err(error) => {
                let result = self.drain().await.and(Err(error));
                return self.record_failure(result);
            }
        };
        let sent = async move { execute(client, statement, &query).await };
        self.start(async move { sent.await.map(drop) }).await
    }

    /// Returns how many rows the statement has changed.
    pub async fn execute(&mut self, query: &Query<'_>) -> Result<u64, Error> {
        let client = self.client;
        let request = async {
            let statement = prepare(client, query).await?;
            execute(client, statement, query).await
        };
        let (before, done) = join(self.drain(), request).await;
        self.record_failure(before.and(done))
    }

    pub async fn query(&mut self, query: &Query<'_>) -> Result<Vec<Row>, Error> {
        let client = self.client;
        let request = async {
            let statement = prepare(client, query).await?;
            fetch(client, statement, query).await
        };
        let (before, rows) = join(self.drain(), request).await;
        self.record_failure(before.and(rows))
    }

    /// Sends both queries at once. The server runs them one after the other.
    pub async fn query_both(
        &mut self,
        first: &Query<'_>,
        second: &Query<'_>,
    ) -> Result<(Vec<Row>, Vec<Row>), Error> {
        let client = self.client;
        let both = async {
            // Both are prepared before either is sent. Otherwise preparing the first could let the second overtake it.
            let statements = (
                prepare(client, first).await?,
                prepare(client, second).await?,
            );
            try_join(
                fetch(client, statements.0, first),
                fetch(client, statements.1, second),
            )
            .await
        };
        let (before, rows) = join(self.drain(), both).await;
        self.record_failure(before.and(rows))
    }

    pub async fn batch(&mut self, text: &str) -> Result<(), Error> {
        let client = self.client;
        let (before, done) = join(self.drain(), client.batch_execute(text)).await;
        self.record_failure(before.and(done))
    }

    /// The driver sends the statement when the future is polled for the first time.
    async fn start(
        &mut self,
        request: impl Future<Output = Result<(), Error>> + Send + 'c,
    ) -> Result<(), Error> {
        let mut request: BoxFuture<'c, _> = Box::pin(request);
        match poll!(&mut request) {
            std::task::Poll::Ready(done) => self.record_failure(done),
            std::task::Poll::Pending => {
                self.in_flight.push(request);
                Ok(())
            }
        }
    }

    fn drain(&mut self) -> impl Future<Output = Result<(), Error>> + Send + use<'c> {
        drain_all(std::mem::take(&mut self.in_flight))
    }
}

/// Returns the first failure, which is the cause of the others.
async fn drain_all(in_flight: Vec<BoxFuture<'_, Result<(), Error>>>) -> Result<(), Error> {
    for response in in_flight {
        response.await?;
    }
    Ok(())
}

/// None: the text is sent with the values, as an unnamed statement.
async fn prepare(client: &Session, query: &Query<'_>) -> Result<Option<Statement>, Error> {
    if !client.has_prepared_statements || query.is_planned_each_time() {
        return Ok(None);
    }
    if client.statement_cache.size() > STATEMENT_CACHE_CAPACITY {
        client.statement_cache.clear();
    }
    let types: Vec<_> = query.values().map(Param::postgres_type).collect();
    let statement = client.prepare_typed_cached(query.text(), &types).await?;
    Ok(Some(statement))
}

fn typed<'q>(query: &'q Query<'_>) -> impl Iterator<Item = (&'q Param<'q>, Type)> {
    query.values().map(|value| (value, value.postgres_type()))
}

async fn execute(
    client: &Session,
    statement: Option<Statement>,
    query: &Query<'_>,
) -> Result<u64, Error> {
    match statement {
        Some(statement) => client.execute_raw(&statement, query.values()).await,
        None => {
            let rows = client.query_typed_raw(query.text(), typed(query)).await?;
            let mut rows = std::pin::pin!(rows);
            while rows.try_next().await?.is_some() {}
            Ok(rows.rows_affected().unwrap_or_default())
        }
    }
}

async fn fetch(
    client: &Session,
    statement: Option<Statement>,
    query: &Query<'_>,
) -> Result<Vec<Row>, Error> {
    let rows = match statement {
        Some(statement) => client.query_raw(&statement, query.values()).await?,
        None => client.query_typed_raw(query.text(), typed(query)).await?,
    };
    rows.try_collect().await
}

impl Param<'_> {
    fn postgres_type(&self) -> Type {
        match self {
            Param::Text(_) | Param::NullText => Type::TEXT,
            Param::Integer(_) | Param::NullInteger => Type::INT8,
            Param::Bool(_) => Type::BOOL,
        }
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Param::Text(text) => text.to_sql(kind, out),
            Param::Integer(number) => number.to_sql(kind, out),
            Param::Bool(truth) => truth.to_sql(kind, out),
            Param::NullText | Param::NullInteger => Ok(IsNull::Yes),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::TEXT, Type::INT8, Type::BOOL].contains(kind)
    }

    to_sql_checked!();
}
