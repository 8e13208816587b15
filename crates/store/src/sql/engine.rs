//! The database URL, the connection of either engine, and the differences between the engines.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::str::FromStr;

use rusqlite::Connection as SqliteConnection;

use crate::postgres::pipeline::Pipeline;
use crate::postgres::server_url::ServerUrl;

/// The database of the shop.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    Sqlite(PathBuf),
    Postgres(String),
}

impl FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<DatabaseUrl, String> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            ServerUrl::parse(text)?;
            return Ok(DatabaseUrl::Postgres(text.to_owned()));
        }
        match text.strip_prefix("sqlite:") {
            Some(path) if !path.trim_start_matches("//").is_empty() => {
                let path = path.strip_prefix("//").unwrap_or(path);
                Ok(DatabaseUrl::Sqlite(PathBuf::from(path)))
            }
            _ => Err("must begin with postgres:// or sqlite:".into()),
        }
    }
}

/// Without the password in the URL of PostgreSQL.
impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DatabaseUrl::Sqlite(file) => f.debug_tuple("Sqlite").field(file).finish(),
            DatabaseUrl::Postgres(_) => f.debug_tuple("Postgres").finish_non_exhaustive(),
        }
    }
}

impl DatabaseUrl {
    /// Whether data would be sent to another machine without TLS.
    pub fn crosses_network_in_clear(&self) -> bool {
        match self {
            DatabaseUrl::Sqlite(_) => false,
            DatabaseUrl::Postgres(url) => ServerUrl::parse(url)
                .is_ok_and(|server| !server.is_local() && !server.requires_tls()),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct PoolSize(pub u32);

/// A connection of either engine.
pub enum Conn<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(Pipeline<'c>),
}

/// The repository traits of the app, on one connection.
pub struct SqlRepository<'c> {
    pub conn: Conn<'c>,
    /// The products that this transaction has locked. All are locked by one statement: a second one could wait for a
    /// transaction that waits for this one.
    pub(crate) products_locked: Option<BTreeSet<String>>,
}

impl<'c> SqlRepository<'c> {
    pub fn new(conn: Conn<'c>) -> SqlRepository<'c> {
        SqlRepository {
            conn,
            products_locked: None,
        }
    }
}

/// `$3, $4, $5` for (3, 3).
pub fn placeholders(first: usize, count: usize) -> String {
    let all: Vec<_> = (first..first + count)
        .map(|number| format!("${number}"))
        .collect();
    all.join(", ")
}

/// The values of a list whose length varies, with the last one repeated up to the next power of two. A statement is
/// prepared for each length, so there must not be many.
pub fn pad_list<T: AsRef<str>>(values: &[T]) -> Vec<&str> {
    let last = values.last().map(T::as_ref).unwrap_or_default();
    let mut padded: Vec<&str> = values.iter().map(T::as_ref).collect();
    padded.resize(values.len().next_power_of_two(), last);
    padded
}

/// For inserts of many rows: far below the engines' limits of values in a statement.
pub const ROWS_PER_INSERT: usize = 500;

/// `($1, $2), ($3, $4)` for two rows of two columns.
pub fn placeholder_rows(rows: usize, columns: usize) -> String {
    let all: Vec<_> = (0..rows)
        .map(|row| format!("({})", placeholders(row * columns + 1, columns)))
        .collect();
    all.join(", ")
}

/// Matches texts that contain this one.
fn like_pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// A count from the database, where constraints forbid negative values.
pub fn to_u32(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

impl SqlRepository<'_> {
    /// PostgreSQL locks the row. SQLite has only one writer and needs no lock.
    pub(crate) const FOR_UPDATE_USER: &'static str =
        "select id from users where id = $1 for update";

    pub(crate) const FOR_UPDATE_ORDER: &'static str =
        "select id from orders where id = $1 for update";

    /// Ends the selection of rows that a worker takes. PostgreSQL locks them and leaves out those that another
    /// transaction has locked, so that workers never wait for each other.
    pub(crate) fn skip_locked(&self) -> &'static str {
        if self.is_postgres() {
            "for update skip locked"
        } else {
            ""
        }
    }

    /// Ends the selection of several rows that a transaction changes. Where all transactions select them in the same
    /// order, they cannot deadlock.
    pub(crate) fn lock_rows(&self) -> &'static str {
        if self.is_postgres() { "for update" } else { "" }
    }

    /// The condition that a column contains the text whose `search_pattern` is in the placeholder. PostgreSQL has
    /// trigram indexes for `like`.
    pub(crate) fn contains(&self, column: &str, placeholder: &str) -> String {
        if self.is_postgres() {
            format!("{column} like {placeholder}")
        } else {
            format!("instr({column}, {placeholder}) > 0")
        }
    }

    pub(crate) fn search_pattern(&self, text: &str) -> String {
        if self.is_postgres() {
            like_pattern(text)
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.conn, Conn::Postgres(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_url_selects_the_engine() {
        assert_eq!(
            "sqlite:data/shop.db".parse(),
            Ok(DatabaseUrl::Sqlite("data/shop.db".into()))
        );
        assert_eq!(
            "sqlite:///var/shop.db".parse(),
            Ok(DatabaseUrl::Sqlite("/var/shop.db".into()))
        );
        assert!(matches!(
            "postgres://u@h/d".parse(),
            Ok(DatabaseUrl::Postgres(_))
        ));
        for bad in ["", "mysql://x", "sqlite:", "sqlite://", "shop.db"] {
            assert!(bad.parse::<DatabaseUrl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn like_pattern_escapes_wildcards() {
        assert_eq!(like_pattern("a-b"), "%a-b%");
        assert_eq!(like_pattern("100%_\\'"), "%100\\%\\_\\\\'%");
    }

    #[test]
    fn database_url_error_does_not_contain_the_password() {
        for bad in [
            "postgres://shop:hush@h/d?sslmode=maybe",
            "postgres://shop:hush@h:port/d",
            "postgres://shop:hush@h/d?colour=red",
        ] {
            let error = bad.parse::<DatabaseUrl>().unwrap_err();
            assert!(!error.contains("hush"), "{error}");
        }
    }
}
