//! Rows of either engine, and structs that are read from them.

use std::cell::Cell;

use mirasa_app::repository::{StoreError, StoreResult};
use rusqlite::types::FromSql;

use crate::sql::errors::sqlite_error;

/// A row of either engine.
pub struct Row<'r> {
    row: DriverRow<'r>,
    /// The probable position of the next column: structs list their fields in the order of the table's columns.
    next: Cell<usize>,
}

pub(crate) enum DriverRow<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

/// A type that is read from a column.
pub trait Column: Sized {
    fn from_column(row: &Row<'_>, position: usize) -> StoreResult<Self>;
}

/// Types that both drivers can read.
macro_rules! driver_columns {
    ($($type:ty),*) => {$(
        impl Column for $type {
            fn from_column(row: &Row<'_>, position: usize) -> StoreResult<$type> {
                row.driver_value(position)
            }
        }
    )*};
}

driver_columns!(String, Option<String>, i64, Option<i64>, bool);

impl<'r> Row<'r> {
    pub(crate) fn new(row: DriverRow<'r>) -> Row<'r> {
        let next = Cell::new(0);
        Row { row, next }
    }

    pub fn get<T: Column>(&self, name: &str) -> StoreResult<T> {
        let start = self.next.get();
        let has_name = |at: &usize| match self.row {
            DriverRow::Sqlite(row) => row.as_ref().column_name(*at).is_ok_and(|is| is == name),
            DriverRow::Postgres(row) => row.columns()[*at].name() == name,
        };
        let count = match self.row {
            DriverRow::Sqlite(row) => row.as_ref().column_count(),
            DriverRow::Postgres(row) => row.len(),
        };
        let position = (start..count).chain(0..start).find(has_name);
        let missing = || StoreError::Broken(anyhow::anyhow!("no column {name}"));
        let position = position.ok_or_else(missing)?;
        self.next.set(position + 1);
        self.at(position)
    }

    pub(crate) fn at<T: Column>(&self, position: usize) -> StoreResult<T> {
        T::from_column(self, position)
    }

    fn driver_value<T>(&self, position: usize) -> StoreResult<T>
    where
        T: FromSql + for<'c> tokio_postgres::types::FromSql<'c>,
    {
        match self.row {
            DriverRow::Sqlite(row) => row.get(position).map_err(sqlite_error),
            DriverRow::Postgres(row) => row
                .try_get(position)
                .map_err(|error| StoreError::Broken(error.into())),
        }
    }
}

/// A type that is read from a row. `row!` implements it for structs.
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

impl FromRow for (i64, i64) {
    fn from_row(row: &Row<'_>) -> StoreResult<(i64, i64)> {
        Ok((row.at(0)?, row.at(1)?))
    }
}

/// A struct that is read from a row, each field from the column of its name. `..part: Row` is a field that is read from
/// the same row; it comes first.
macro_rules! row {
    ($(#[$about:meta])* $vis:vis struct $name:ident {
        $(..$whole:ident: $row:ty,)?
        $($field_vis:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$about])*
        $vis struct $name {
            $(pub(crate) $whole: $row,)?
            $($field_vis $field: $type,)*
        }

        impl $crate::sql::row::FromRow for $name {
            fn from_row(row: &$crate::sql::row::Row<'_>) -> mirasa_app::repository::StoreResult<Self> {
                Ok($name {
                    $($whole: $crate::sql::row::FromRow::from_row(row)?,)?
                    $($field: row.get(stringify!($field))?,)*
                })
            }
        }
    };
}

pub(crate) use row;
