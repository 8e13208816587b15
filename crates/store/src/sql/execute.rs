//! Runs queries on the connection of a repository.

use mirasa_app::repository::{StoreError, StoreResult};
use rusqlite::Connection;

use crate::sql::engine::{Conn, SqlRepository, pad_list, placeholders};
use crate::sql::errors::{postgres_error, sqlite_error};
use crate::sql::query::{Query, query};
use crate::sql::row::{DriverRow, FromRow, Row};

impl SqlRepository<'_> {
    pub(crate) async fn fetch_all<T: FromRow>(&mut self, query: Query<'_>) -> StoreResult<Vec<T>> {
        metrics::counter!("db_statements_total").increment(1);
        match &mut self.conn {
            Conn::Sqlite(connection) => fetch_sqlite(connection, &query),
            Conn::Postgres(pipeline) => {
                rows_into(&pipeline.query(&query).await.map_err(postgres_error)?)
            }
        }
    }

    /// Runs two independent queries. PostgreSQL gets them in one round trip, and the second one sees the rows that the
    /// first one has locked.
    pub(crate) async fn fetch_both<T: FromRow, U: FromRow>(
        &mut self,
        first: Query<'_>,
        second: Query<'_>,
    ) -> StoreResult<(Vec<T>, Vec<U>)> {
        match &mut self.conn {
            Conn::Sqlite(_) => Ok((self.fetch_all(first).await?, self.fetch_all(second).await?)),
            Conn::Postgres(pipeline) => {
                metrics::counter!("db_statements_total").increment(2);
                let rows = pipeline.query_both(&first, &second).await;
                let (first, second) = rows.map_err(postgres_error)?;
                Ok((rows_into(&first)?, rows_into(&second)?))
            }
        }
    }

    /// For a query that returns one row or none.
    pub(crate) async fn fetch_optional<T: FromRow>(
        &mut self,
        query: Query<'_>,
    ) -> StoreResult<Option<T>> {
        Ok(self.fetch_all(query).await?.into_iter().next())
    }

    /// For a query that always returns a row.
    pub(crate) async fn fetch_one<T: FromRow>(&mut self, query: Query<'_>) -> StoreResult<T> {
        let none = || StoreError::Broken(anyhow::anyhow!("a query without a row"));
        self.fetch_optional(query).await?.ok_or_else(none)
    }

    /// For a statement that returns no rows. Returns how many rows it changed.
    pub(crate) async fn execute(&mut self, query: Query<'_>) -> StoreResult<u64> {
        metrics::counter!("db_statements_total").increment(1);
        match &mut self.conn {
            Conn::Sqlite(connection) => {
                let changed = query.prepare(connection)?.raw_execute();
                changed.map(|rows| rows as u64).map_err(sqlite_error)
            }
            Conn::Postgres(pipeline) => pipeline.execute(&query).await.map_err(postgres_error),
        }
    }

    /// For a write whose result the transaction does not need. On PostgreSQL it is sent without waiting for the
    /// response; if it fails, the next statement or the commit fails.
    pub(crate) async fn execute_deferred(&mut self, query: Query<'_>) -> StoreResult<()> {
        match &mut self.conn {
            Conn::Sqlite(_) => self.execute(query).await.map(drop),
            Conn::Postgres(pipeline) => {
                metrics::counter!("db_statements_total").increment(1);
                pipeline.send(query).await.map_err(postgres_error)
            }
        }
    }

    /// Locks rows in the order of their ids.
    pub(crate) async fn lock_all<T: AsRef<str>>(
        &mut self,
        table: &str,
        ids: &[T],
    ) -> StoreResult<()> {
        if !self.is_postgres() || ids.is_empty() {
            return Ok(());
        }
        let ids = pad_list(ids);
        let text = format!(
            "select id from {table} where id in ({}) order by id for update",
            placeholders(1, ids.len())
        );
        let lock = ids.into_iter().fold(query(text), Query::bind);
        self.fetch_all::<String>(lock).await.map(drop)
    }

    /// Several statements without values.
    pub(crate) async fn execute_batch(&mut self, text: &'static str) -> StoreResult<()> {
        match &mut self.conn {
            Conn::Sqlite(connection) => connection.execute_batch(text).map_err(sqlite_error),
            Conn::Postgres(pipeline) => pipeline.batch(text).await.map_err(postgres_error),
        }
    }
}

fn rows_into<T: FromRow>(rows: &[tokio_postgres::Row]) -> StoreResult<Vec<T>> {
    let from_row = |row| T::from_row(&Row::new(DriverRow::Postgres(row)));
    rows.iter().map(from_row).collect()
}

fn fetch_sqlite<T: FromRow>(connection: &Connection, query: &Query<'_>) -> StoreResult<Vec<T>> {
    let mut statement = query.prepare(connection)?;
    let mut rows = statement.raw_query();
    let mut values = Vec::new();
    while let Some(row) = rows.next().map_err(sqlite_error)? {
        values.push(T::from_row(&Row::new(DriverRow::Sqlite(row)))?);
    }
    Ok(values)
}
