//! A statement and its values, for whichever engine the session is on.

use std::borrow::Cow;
use std::cell::Cell;

use mirasa_app::repository::{StoreError, StoreResult};
use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql};

use crate::engine::{Conn, SqlRepository, postgres_error, sqlite_error};

/// A value on its way to `$1`, `$2` and so on. PostgreSQL wants to know of what kind a missing one would be.
#[derive(Debug)]
pub enum Param<'q> {
    Text(Cow<'q, str>),
    Integer(i64),
    Bool(bool),
    NullText,
    NullInteger,
}

pub struct Query<'q> {
    text: Cow<'static, str>,
    values: Vec<Param<'q>>,
}

pub fn query<'q>(text: impl Into<Cow<'static, str>>) -> Query<'q> {
    Query {
        text: text.into(),
        values: Vec::with_capacity(8),
    }
}

impl<'q> Query<'q> {
    pub fn bind(mut self, value: impl Into<Param<'q>>) -> Query<'q> {
        self.values.push(value.into());
        self
    }

    pub fn bind_each(mut self, values: Vec<Param<'q>>) -> Query<'q> {
        self.values.extend(values);
        self
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn values(&self) -> std::slice::Iter<'_, Param<'q>> {
        self.values.iter()
    }

    /// Free of what its values were borrowed from.
    pub fn into_owned(self) -> Query<'static> {
        let owned = |value| match value {
            Param::Text(text) => Param::Text(Cow::Owned(text.into_owned())),
            Param::Integer(number) => Param::Integer(number),
            Param::Bool(truth) => Param::Bool(truth),
            Param::NullText => Param::NullText,
            Param::NullInteger => Param::NullInteger,
        };
        Query {
            text: self.text,
            values: self.values.into_iter().map(owned).collect(),
        }
    }

    /// SQLite takes `$2` for a name and numbers names as it meets them; PostgreSQL takes it for the second.
    fn prepare<'c>(&self, connection: &'c Connection) -> StoreResult<CachedStatement<'c>> {
        let text = &self.text;
        let mut statement = connection.prepare_cached(text).map_err(sqlite_error)?;
        for place in 1..=statement.parameter_count() {
            let name = statement.parameter_name(place).unwrap_or_default();
            let number = name
                .strip_prefix('$')
                .and_then(|digits| digits.parse().ok());
            let value = number.and_then(|number: usize| self.values.get(number.wrapping_sub(1)));
            let missing = || StoreError::Broken(anyhow::anyhow!("no value for {name} in {text}"));
            let value = value.ok_or_else(missing)?;
            statement
                .raw_bind_parameter(place, value)
                .map_err(sqlite_error)?;
        }
        Ok(statement)
    }
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Param::Text(text) => ValueRef::Text(text.as_bytes()),
            Param::Integer(number) => ValueRef::Integer(*number),
            Param::Bool(truth) => ValueRef::Integer(i64::from(*truth)),
            Param::NullText | Param::NullInteger => ValueRef::Null,
        }))
    }
}

/// A row of either engine's answer.
pub struct Row<'r> {
    of: DriverRow<'r>,
    /// Where the next column probably is: structs list their fields as tables list their columns.
    next: Cell<usize>,
}

enum DriverRow<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

/// What a column can hold, read alike by both drivers.
pub trait Column: FromSql + for<'r> tokio_postgres::types::FromSql<'r> {}
impl<T> Column for T where T: FromSql + for<'r> tokio_postgres::types::FromSql<'r> {}

impl<'r> Row<'r> {
    fn new(of: DriverRow<'r>) -> Row<'r> {
        let next = Cell::new(0);
        Row { of, next }
    }

    pub fn get<T: Column>(&self, name: &str) -> StoreResult<T> {
        let start = self.next.get();
        let is_it = |at: &usize| match self.of {
            DriverRow::Sqlite(row) => row.as_ref().column_name(*at).is_ok_and(|is| is == name),
            DriverRow::Postgres(row) => row.columns()[*at].name() == name,
        };
        let count = match self.of {
            DriverRow::Sqlite(row) => row.as_ref().column_count(),
            DriverRow::Postgres(row) => row.len(),
        };
        let place = (start..count).chain(0..start).find(is_it);
        let missing = || StoreError::Broken(anyhow::anyhow!("no column {name}"));
        let place = place.ok_or_else(missing)?;
        self.next.set(place + 1);
        self.at(place)
    }

    fn at<T: Column>(&self, place: usize) -> StoreResult<T> {
        match self.of {
            DriverRow::Sqlite(row) => row.get(place).map_err(sqlite_error),
            DriverRow::Postgres(row) => row
                .try_get(place)
                .map_err(|error| StoreError::Broken(error.into())),
        }
    }
}

/// What can be made of a row. `row!` writes it for structs.
pub trait FromRow: Sized + Send {
    fn from_row(row: &Row<'_>) -> StoreResult<Self>;
}

impl FromRow for String {
    fn from_row(row: &Row<'_>) -> StoreResult<String> {
        row.at(0)
    }
}

impl FromRow for i64 {
    fn from_row(row: &Row<'_>) -> StoreResult<i64> {
        row.at(0)
    }
}

impl FromRow for (i64, i64, i64) {
    fn from_row(row: &Row<'_>) -> StoreResult<(i64, i64, i64)> {
        Ok((row.at(0)?, row.at(1)?, row.at(2)?))
    }
}

impl SqlRepository<'_> {
    pub(crate) async fn fetch_all<T: FromRow>(&mut self, query: Query<'_>) -> StoreResult<Vec<T>> {
        metrics::counter!("store_statements").increment(1);
        match &mut self.conn {
            Conn::Sqlite(connection) => fetch_sqlite(connection, &query),
            Conn::Postgres(pipeline) => {
                rows_into(&pipeline.query(&query).await.map_err(postgres_error)?)
            }
        }
    }

    /// Two queries whose answers do not depend on each other. On PostgreSQL they make one trip, and the second
    /// sees what the first has waited for.
    pub(crate) async fn fetch_both<T: FromRow, U: FromRow>(
        &mut self,
        first: Query<'_>,
        second: Query<'_>,
    ) -> StoreResult<(Vec<T>, Vec<U>)> {
        match &mut self.conn {
            Conn::Sqlite(_) => Ok((self.fetch_all(first).await?, self.fetch_all(second).await?)),
            Conn::Postgres(pipeline) => {
                metrics::counter!("store_statements").increment(2);
                let asked = pipeline.query_both(&first, &second).await;
                let (first, second) = asked.map_err(postgres_error)?;
                Ok((rows_into(&first)?, rows_into(&second)?))
            }
        }
    }

    /// For a query that finds one row or none.
    pub(crate) async fn fetch_optional<T: FromRow>(
        &mut self,
        query: Query<'_>,
    ) -> StoreResult<Option<T>> {
        Ok(self.fetch_all(query).await?.into_iter().next())
    }

    /// For a query that always finds a row.
    pub(crate) async fn fetch_one<T: FromRow>(&mut self, query: Query<'_>) -> StoreResult<T> {
        let none = || StoreError::Broken(anyhow::anyhow!("a query without a row"));
        self.fetch_optional(query).await?.ok_or_else(none)
    }

    /// For a statement that returns no rows; tells how many it changed.
    pub(crate) async fn execute(&mut self, query: Query<'_>) -> StoreResult<u64> {
        metrics::counter!("store_statements").increment(1);
        match &mut self.conn {
            Conn::Sqlite(connection) => {
                let changed = query.prepare(connection)?.raw_execute();
                changed.map(|rows| rows as u64).map_err(sqlite_error)
            }
            Conn::Postgres(pipeline) => pipeline.execute(&query).await.map_err(postgres_error),
        }
    }

    /// For a write that nothing later in its transaction asks about. On PostgreSQL it is sent and not waited
    /// for: should it fail, then so does the next statement, or the commit.
    pub(crate) async fn execute_deferred(&mut self, query: Query<'_>) -> StoreResult<()> {
        match &mut self.conn {
            Conn::Sqlite(_) => self.execute(query).await.map(drop),
            Conn::Postgres(pipeline) => {
                metrics::counter!("store_statements").increment(1);
                pipeline.send(query).await.map_err(postgres_error)
            }
        }
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
    let made = |row| T::from_row(&Row::new(DriverRow::Postgres(row)));
    rows.iter().map(made).collect()
}

fn fetch_sqlite<T: FromRow>(connection: &Connection, query: &Query<'_>) -> StoreResult<Vec<T>> {
    let mut statement = query.prepare(connection)?;
    let mut rows = statement.raw_query();
    let mut made = Vec::new();
    while let Some(row) = rows.next().map_err(sqlite_error)? {
        made.push(T::from_row(&Row::new(DriverRow::Sqlite(row)))?);
    }
    Ok(made)
}

impl<'q> From<&'q str> for Param<'q> {
    fn from(text: &'q str) -> Param<'q> {
        Param::Text(Cow::Borrowed(text))
    }
}

impl<'q> From<&'q String> for Param<'q> {
    fn from(text: &'q String) -> Param<'q> {
        Param::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Param<'_> {
    fn from(text: String) -> Self {
        Param::Text(Cow::Owned(text))
    }
}

impl<'q> From<Option<&'q str>> for Param<'q> {
    fn from(text: Option<&'q str>) -> Param<'q> {
        text.map_or(Param::NullText, Param::from)
    }
}

impl<'q> From<&'q Option<String>> for Param<'q> {
    fn from(text: &'q Option<String>) -> Param<'q> {
        text.as_deref().into()
    }
}

impl From<i64> for Param<'_> {
    fn from(number: i64) -> Self {
        Param::Integer(number)
    }
}

impl From<Option<i64>> for Param<'_> {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Param::NullInteger, Param::Integer)
    }
}

impl From<bool> for Param<'_> {
    fn from(truth: bool) -> Self {
        Param::Bool(truth)
    }
}
