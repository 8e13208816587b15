//! Rows by their columns' names.

/// A struct that is read from a row, each field from the column of its name. `..whole: Row` is a part
/// that is a row itself, and stands first.
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

        impl $crate::query::FromRow for $name {
            fn from_row(row: &$crate::query::Row<'_>) -> mirasa_app::repository::StoreResult<Self> {
                Ok($name {
                    $($whole: $crate::query::FromRow::from_row(row)?,)?
                    $($field: row.get(stringify!($field))?,)*
                })
            }
        }
    };
}

pub(crate) use row;
