//! Rows by their columns' names. sqlx has a derive for this, but it comes with a second copy of both database
//! drivers, SQLite's C code included, compiled for the compiler: a minute of every clean build.

/// A struct that is read from a row, each field from the column of its name. `..whole: Row` is a part
/// that is a row itself, and stands first.
macro_rules! row {
    ($(#[$about:meta])* $vis:vis struct $name:ident {
        $(..$whole:ident: $row:ty,)?
        $($field_vis:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$about])*
        $vis struct $name {
            $($whole: $row,)?
            $($field_vis $field: $type,)*
        }

        impl<'r, R: sqlx::Row> sqlx::FromRow<'r, R> for $name
        where
            &'static str: sqlx::ColumnIndex<R>,
            String: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
            Option<String>: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
            i64: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
            Option<i64>: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
            bool: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
        {
            fn from_row(row: &'r R) -> Result<Self, sqlx::Error> {
                Ok($name {
                    $($whole: sqlx::FromRow::from_row(row)?,)?
                    $($field: row.try_get(stringify!($field))?,)*
                })
            }
        }
    };
}

pub(crate) use row;
