//! What the two engines share, and the few places where they truly differ.

use std::error::Error as _;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::str::FromStr;

use mirasa_app::repository::StoreError;
use rusqlite::Connection as SqliteConnection;

use crate::pipeline::{Pipeline, is_conflict};
use crate::tls::{HandshakeError, Server};

/// Where the shop keeps its data.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    Sqlite(PathBuf),
    Postgres(String),
}

impl FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<DatabaseUrl, String> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Server::parse(text)?;
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

/// Without the password that a URL of PostgreSQL carries.
impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DatabaseUrl::Sqlite(file) => f.debug_tuple("Sqlite").field(file).finish(),
            DatabaseUrl::Postgres(_) => f.debug_tuple("Postgres").finish_non_exhaustive(),
        }
    }
}

impl DatabaseUrl {
    /// Whether what the shop stores would travel to another machine without TLS.
    pub fn crosses_network_in_clear(&self) -> bool {
        match self {
            DatabaseUrl::Sqlite(_) => false,
            DatabaseUrl::Postgres(url) => {
                Server::parse(url).is_ok_and(|server| !server.is_local() && !server.requires_tls())
            }
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

/// The app's storage ports, on one connection.
pub struct SqlRepository<'c> {
    pub conn: Conn<'c>,
    /// Whether this transaction holds the products it is about to move.
    pub(crate) products_locked: bool,
}

impl<'c> SqlRepository<'c> {
    pub fn new(conn: Conn<'c>) -> SqlRepository<'c> {
        SqlRepository {
            conn,
            products_locked: false,
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

/// A count from the database, which refuses negative ones.
pub fn to_u32(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

impl SqlRepository<'_> {
    /// PostgreSQL locks the row; SQLite has one writer, who already has everything to itself.
    pub(crate) const FOR_UPDATE_USER: &'static str =
        "select id from users where id = $1 for update";

    pub(crate) const FOR_UPDATE_ORDER: &'static str =
        "select id from orders where id = $1 for update";

    /// The function that tells where one text stands in another, 0 for nowhere.
    pub(crate) fn position_fn(&self) -> &'static str {
        if self.is_postgres() {
            "strpos"
        } else {
            "instr"
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.conn, Conn::Postgres(_))
    }
}

/// Sorts PostgreSQL's errors: a constraint, a database that is away, or something that should not happen.
pub fn postgres_error(error: tokio_postgres::Error) -> StoreError {
    let Some(database) = error.as_db_error() else {
        // Not what the server has said: it was not reached, or the driver could not use what it was given.
        return if is_connection_lost(&error) {
            StoreError::Unavailable(error.into())
        } else {
            StoreError::Broken(error.into())
        };
    };
    if let Some(name) = database.constraint() {
        return StoreError::Constraint(name.to_owned());
    }
    if is_conflict(&error) || is_postgres_outage(database.code().code(), database.message()) {
        return StoreError::Unavailable(error.into());
    }
    StoreError::Broken(error.into())
}

/// The driver calls a value that it cannot encode, or an answer that it cannot read, an I/O error too: of invalid
/// input or data.
fn is_connection_lost(error: &tokio_postgres::Error) -> bool {
    let Some(source) = error.source() else {
        return error.is_closed();
    };
    let encoding = [ErrorKind::InvalidInput, ErrorKind::InvalidData];
    let is_transport = |error: &std::io::Error| !encoding.contains(&error.kind());
    source.downcast_ref().is_some_and(is_transport) || source.is::<HandshakeError>()
}

/// Sorts SQLite's errors likewise. It names a constraint's columns (`UNIQUE constraint failed: users.email`) or
/// a check's own name.
pub fn sqlite_error(error: rusqlite::Error) -> StoreError {
    let rusqlite::Error::SqliteFailure(code, message) = &error else {
        return StoreError::Broken(error.into());
    };
    let message = message.as_deref().unwrap_or_default();
    if let Some((_, name)) = message.split_once("constraint failed: ") {
        return StoreError::Constraint(name.to_owned());
    }
    if is_sqlite_outage(code.extended_code) {
        return StoreError::Unavailable(error.into());
    }
    StoreError::Broken(error.into())
}

/// Busy 5, locked 6, read-only 8, I/O 10, full 13, cannot open 14; extended codes carry them in the low byte.
fn is_sqlite_outage(extended_code: i32) -> bool {
    matches!(extended_code & 0xff, 5 | 6 | 8 | 10 | 13 | 14)
}

/// Classes 08 connection, 53 resources, 57 shutdown, 58 system; 25006 read-only; 3D000 no such database, as
/// while one is being restored.
fn is_postgres_outage(code: &str, message: &str) -> bool {
    matches!(code, "25006" | "3D000")
        || ["08", "53", "57", "58"]
            .iter()
            .any(|class| code.starts_with(class))
        || message.contains("disk is full")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_url_says_which_engine() {
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
    fn a_url_that_cannot_be_used_is_refused_without_its_password() {
        for bad in [
            "postgres://shop:hush@h/d?sslmode=maybe",
            "postgres://shop:hush@h:port/d",
            "postgres://shop:hush@h/d?colour=red",
        ] {
            let said = bad.parse::<DatabaseUrl>().unwrap_err();
            assert!(!said.contains("hush"), "{said}");
        }
    }

    #[test]
    fn outages_are_told_from_faults() {
        for code in [5, 13, 1032] {
            assert!(is_sqlite_outage(code), "{code}");
        }
        for code in [1, 19, 2067] {
            assert!(!is_sqlite_outage(code), "{code}");
        }
        for code in ["25006", "3D000", "57P01", "08006", "53100"] {
            assert!(is_postgres_outage(code, ""), "{code}");
        }
        for code in ["23505", "42P01"] {
            assert!(!is_postgres_outage(code, ""), "{code}");
        }
    }
}
