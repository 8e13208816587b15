//! A statement and its values, for whichever engine the session is on.

use std::borrow::Cow;
use std::cell::Cell;

use mirasa_app::ports::storage::{StoreError, Stored};
use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{Arguments as _, AssertSqlSafe, Row as _};

use crate::engine::{Conn, Session, sqlite_error, store_error};

/// A value on its way to `$1`, `$2` and so on. PostgreSQL wants to know of what kind a missing one would be.
pub enum Value<'q> {
    Text(Cow<'q, str>),
    Number(i64),
    Truth(bool),
    NoText,
    NoNumber,
}

pub struct Query<'q> {
    text: Cow<'static, str>,
    values: Vec<Value<'q>>,
}

pub fn query<'q>(text: impl Into<Cow<'static, str>>) -> Query<'q> {
    Query {
        text: text.into(),
        values: Vec::with_capacity(8),
    }
}

impl<'q> Query<'q> {
    pub fn bind(mut self, value: impl Into<Value<'q>>) -> Query<'q> {
        self.values.push(value.into());
        self
    }

    pub fn bind_all(mut self, values: Vec<Value<'q>>) -> Query<'q> {
        self.values.extend(values);
        self
    }

    fn arguments(&self) -> Stored<PgArguments> {
        let mut arguments = PgArguments::default();
        for value in &self.values {
            match value {
                Value::Text(text) => arguments.add(text.as_ref()),
                Value::Number(number) => arguments.add(number),
                Value::Truth(truth) => arguments.add(truth),
                Value::NoText => arguments.add(None::<&str>),
                Value::NoNumber => arguments.add(None::<i64>),
            }
            .map_err(|error| store_error(sqlx::Error::Encode(error)))?;
        }
        Ok(arguments)
    }

    /// SQLite takes `$2` for a name and numbers names as it meets them; PostgreSQL takes it for the second.
    fn prepare<'c>(&self, connection: &'c Connection) -> Stored<CachedStatement<'c>> {
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

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Number(number) => ValueRef::Integer(*number),
            Value::Truth(truth) => ValueRef::Integer(i64::from(*truth)),
            Value::NoText | Value::NoNumber => ValueRef::Null,
        }))
    }
}

/// A row of either engine's answer.
pub enum Row<'r> {
    Sqlite {
        row: &'r rusqlite::Row<'r>,
        /// Where the next column probably is: structs list their fields as tables list their columns.
        next: Cell<usize>,
    },
    Postgres(&'r PgRow),
}

/// What a column can hold, read alike by both drivers.
pub trait Column:
    FromSql + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>
{
}
impl<T> Column for T where
    T: FromSql + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>
{
}

impl Row<'_> {
    pub fn get<T: Column>(&self, name: &str) -> Stored<T> {
        match self {
            Row::Postgres(row) => row.try_get(name).map_err(store_error),
            Row::Sqlite { row, next } => {
                let statement = row.as_ref();
                let is_it = |at: &usize| statement.column_name(*at).is_ok_and(|is| is == name);
                let places = next.get()..statement.column_count();
                let place = places.chain(0..next.get()).find(is_it);
                let missing = || StoreError::Broken(anyhow::anyhow!("no column {name}"));
                let place = place.ok_or_else(missing)?;
                next.set(place + 1);
                row.get(place).map_err(sqlite_error)
            }
        }
    }

    fn at<T: Column>(&self, place: usize) -> Stored<T> {
        match self {
            Row::Postgres(row) => row.try_get(place).map_err(store_error),
            Row::Sqlite { row, .. } => row.get(place).map_err(sqlite_error),
        }
    }
}

/// What can be made of a row. `row!` writes it for structs.
pub trait FromRow: Sized + Send {
    fn from_row(row: &Row<'_>) -> Stored<Self>;
}

impl FromRow for String {
    fn from_row(row: &Row<'_>) -> Stored<String> {
        row.at(0)
    }
}

impl FromRow for i64 {
    fn from_row(row: &Row<'_>) -> Stored<i64> {
        row.at(0)
    }
}

impl FromRow for (i64, i64, i64) {
    fn from_row(row: &Row<'_>) -> Stored<(i64, i64, i64)> {
        Ok((row.at(0)?, row.at(1)?, row.at(2)?))
    }
}

impl Session<'_> {
    pub(crate) async fn all<T: FromRow>(&mut self, query: Query<'_>) -> Stored<Vec<T>> {
        metrics::counter!("store_statements").increment(1);
        match &mut self.conn {
            Conn::Sqlite(connection) => all_of_sqlite(connection, &query),
            Conn::Postgres(connection) => {
                let arguments = query.arguments()?;
                let asked = sqlx::query_with(AssertSqlSafe(query.text), arguments);
                let rows = asked.fetch_all(&mut **connection).await;
                let rows = rows.map_err(store_error)?;
                let made = rows.iter().map(|row| T::from_row(&Row::Postgres(row)));
                made.collect()
            }
        }
    }

    /// For a query that finds one row or none.
    pub(crate) async fn maybe<T: FromRow>(&mut self, query: Query<'_>) -> Stored<Option<T>> {
        Ok(self.all(query).await?.into_iter().next())
    }

    /// For a query that always finds a row.
    pub(crate) async fn one<T: FromRow>(&mut self, query: Query<'_>) -> Stored<T> {
        let none = || StoreError::Broken(anyhow::anyhow!("a query without a row"));
        self.maybe(query).await?.ok_or_else(none)
    }

    /// For a statement that returns no rows; tells how many it changed.
    pub(crate) async fn run(&mut self, query: Query<'_>) -> Stored<u64> {
        metrics::counter!("store_statements").increment(1);
        match &mut self.conn {
            Conn::Sqlite(connection) => {
                let changed = query.prepare(connection)?.raw_execute();
                changed.map(|rows| rows as u64).map_err(sqlite_error)
            }
            Conn::Postgres(connection) => {
                let arguments = query.arguments()?;
                let asked = sqlx::query_with(AssertSqlSafe(query.text), arguments);
                let done = asked.execute(&mut **connection).await;
                done.map(|done| done.rows_affected()).map_err(store_error)
            }
        }
    }

    /// Several statements without values.
    pub(crate) async fn run_script(&mut self, text: &'static str) -> Stored<()> {
        match &mut self.conn {
            Conn::Sqlite(connection) => connection.execute_batch(text).map_err(sqlite_error),
            Conn::Postgres(connection) => {
                let done = sqlx::raw_sql(text).execute(&mut **connection).await;
                done.map(drop).map_err(store_error)
            }
        }
    }
}

fn all_of_sqlite<T: FromRow>(connection: &Connection, query: &Query<'_>) -> Stored<Vec<T>> {
    let mut statement = query.prepare(connection)?;
    let mut rows = statement.raw_query();
    let mut made = Vec::new();
    while let Some(row) = rows.next().map_err(sqlite_error)? {
        let next = Cell::new(0);
        made.push(T::from_row(&Row::Sqlite { row, next })?);
    }
    Ok(made)
}

impl<'q> From<&'q str> for Value<'q> {
    fn from(text: &'q str) -> Value<'q> {
        Value::Text(Cow::Borrowed(text))
    }
}

impl<'q> From<&'q String> for Value<'q> {
    fn from(text: &'q String) -> Value<'q> {
        Value::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::Text(Cow::Owned(text))
    }
}

impl<'q> From<Option<&'q str>> for Value<'q> {
    fn from(text: Option<&'q str>) -> Value<'q> {
        text.map_or(Value::NoText, Value::from)
    }
}

impl<'q> From<&'q Option<String>> for Value<'q> {
    fn from(text: &'q Option<String>) -> Value<'q> {
        text.as_deref().into()
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Number(number)
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(number: Option<i64>) -> Self {
        number.map_or(Value::NoNumber, Value::Number)
    }
}

impl From<bool> for Value<'_> {
    fn from(truth: bool) -> Self {
        Value::Truth(truth)
    }
}
