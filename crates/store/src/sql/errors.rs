//! Maps the errors of both drivers to `StoreError`.

use std::error::Error as _;
use std::io::ErrorKind;

use mirasa_app::repository::StoreError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::postgres::tls::HandshakeError;

/// An error of PostgreSQL: a violated constraint, an unavailable database, or something unexpected.
pub fn postgres_error(error: Error) -> StoreError {
    let Some(database) = error.as_db_error() else {
        // Not from the server: it was not reached, or the driver could not encode or decode a value.
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
    if is_missing_statement(database.code()) {
        let hint = "a pooler in transaction mode lost a prepared statement; add prepared_statements=false to database_url";
        return StoreError::Broken(anyhow::Error::from(error).context(hint));
    }
    StoreError::Broken(error.into())
}

/// Statements of this connection that the server does not know, or of another connection that it still has.
fn is_missing_statement(code: &SqlState) -> bool {
    [
        SqlState::INVALID_SQL_STATEMENT_NAME,
        SqlState::DUPLICATE_PSTATEMENT,
    ]
    .contains(code)
}

/// The driver also reports a value that it cannot encode or decode as an I/O error, of the kind `InvalidInput` or
/// `InvalidData`.
fn is_connection_lost(error: &Error) -> bool {
    let Some(source) = error.source() else {
        return error.is_closed();
    };
    let encoding = [ErrorKind::InvalidInput, ErrorKind::InvalidData];
    let is_transport = |error: &std::io::Error| !encoding.contains(&error.kind());
    source.downcast_ref().is_some_and(is_transport) || source.is::<HandshakeError>()
}

/// The same for SQLite. Its message names the columns of a constraint (`UNIQUE constraint failed: users.email`) or the
/// name of a check.
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

/// Classes 08 connection, 53 resources, 57 shutdown, 58 system; 25006 read-only; 3D000 database not found, for example
/// while it is restored.
fn is_postgres_outage(code: &str, message: &str) -> bool {
    matches!(code, "25006" | "3D000")
        || ["08", "53", "57", "58"]
            .iter()
            .any(|class| code.starts_with(class))
        || message.contains("disk is full")
}

/// Whether the connection must not be used again, although it may still be open: 25006 the server has become a
/// standby, 57P01 to 57P03 it shuts down or starts, 08 it or a pooler reports a failed connection.
pub fn is_session_lost(error: &Error) -> bool {
    match error.code() {
        Some(code) => {
            let code = code.code();
            matches!(code, "25006" | "57P01" | "57P02" | "57P03") || code.starts_with("08")
        }
        None => is_connection_lost(error),
    }
}

/// A deadlock or a serialisation failure.
pub fn is_conflict(error: &Error) -> bool {
    let code = error.code();
    code.is_some_and(|code| {
        [
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::T_R_SERIALIZATION_FAILURE,
        ]
        .contains(code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outage_codes_differ_from_other_errors() {
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
