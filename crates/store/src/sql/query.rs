//! A statement and its values, for both engines.

use std::borrow::Cow;

use mirasa_app::repository::{StoreError, StoreResult};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql};

use crate::sql::errors::sqlite_error;

/// The value of a placeholder (`$1`, `$2`…). PostgreSQL needs the type of a null value.
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
    is_planned_each_time: bool,
}

pub fn query<'q>(text: impl Into<Cow<'static, str>>) -> Query<'q> {
    Query {
        text: text.into(),
        values: Vec::with_capacity(8),
        is_planned_each_time: false,
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

    /// PostgreSQL plans the statement for its values at each run. Which index is the best for a search depends on the
    /// text that is searched for.
    pub fn planned_each_time(mut self, is_planned_each_time: bool) -> Query<'q> {
        self.is_planned_each_time = is_planned_each_time;
        self
    }

    pub fn is_planned_each_time(&self) -> bool {
        self.is_planned_each_time
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn values(&self) -> std::slice::Iter<'_, Param<'q>> {
        self.values.iter()
    }

    /// A copy that owns its values.
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
            is_planned_each_time: self.is_planned_each_time,
        }
    }

    /// For PostgreSQL `$2` is the second value. For SQLite it is a name, and parameters are numbered in the order in
    /// which their names appear.
    pub(crate) fn prepare<'c>(
        &self,
        connection: &'c Connection,
    ) -> StoreResult<CachedStatement<'c>> {
        let text = &self.text;
        let mut statement = connection.prepare_cached(text).map_err(sqlite_error)?;
        for position in 1..=statement.parameter_count() {
            let name = statement.parameter_name(position).unwrap_or_default();
            let number = name
                .strip_prefix('$')
                .and_then(|digits| digits.parse().ok());
            let value = number.and_then(|number: usize| self.values.get(number.wrapping_sub(1)));
            let missing = || StoreError::Broken(anyhow::anyhow!("no value for {name} in {text}"));
            let value = value.ok_or_else(missing)?;
            statement
                .raw_bind_parameter(position, value)
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
