//! Trigram indexes of PostgreSQL, for searches by a part of an id, a name or an email. They need the extension
//! `pg_trgm`, which the shop may not be allowed to create. The queries are the same without them, only slower.

use std::sync::Mutex;
use std::time::Duration;

use mirasa_app::repository::StoreResult;
use tokio::time::Instant;
use tokio_postgres::Error;

use crate::postgres::connect::{Servers, Session};
use crate::sql::errors::postgres_error;

/// The delay before the next attempt if the extension is missing, another instance creates the indexes, or an attempt
/// has failed.
const RETRY_DELAY: Duration = Duration::from_secs(300);

/// A number that is not used for another advisory lock.
const ADVISORY_LOCK_ID: i64 = 0x6d69_7261_7362;

struct TrigramIndex {
    name: &'static str,
    table: &'static str,
    columns: &'static [&'static str],
}

/// Orders are found by user through the ids of the users, because an index of `orders.user_id` would be written for
/// each order.
const INDEXES: [TrigramIndex; 2] = [
    TrigramIndex {
        name: "orders_id_trigrams",
        table: "orders",
        columns: &["id"],
    },
    TrigramIndex {
        name: "users_trigrams",
        table: "users",
        columns: &["id", "lower(name)", "lower(email)"],
    },
];

impl TrigramIndex {
    /// A search reads all entries that were inserted but not merged into the index yet. The limit in kB keeps them few.
    fn definition(&self, schema: &str) -> String {
        let column = |column: &&str| format!("{column} {schema}.gin_trgm_ops");
        let columns: Vec<_> = self.columns.iter().map(column).collect();
        format!(
            "create index concurrently if not exists {} on {} using gin ({}) with (gin_pending_list_limit = 1024)",
            self.name,
            self.table,
            columns.join(", ")
        )
    }
}

/// Creates the indexes in the background.
pub struct TrigramIndexes {
    state: Mutex<State>,
}

struct State {
    /// None: all indexes are there.
    next_attempt: Option<Instant>,
    has_warned: bool,
}

enum Outcome {
    Created,
    /// Another instance creates them.
    Locked,
    /// With the reason why the extension cannot be created.
    NoExtension(String),
}

impl TrigramIndexes {
    pub fn new() -> TrigramIndexes {
        TrigramIndexes {
            state: Mutex::new(State {
                next_attempt: Some(Instant::now()),
                has_warned: false,
            }),
        }
    }

    /// Creates missing indexes, without blocking writes. This can take minutes.
    pub async fn create_missing(&self, servers: &Servers) -> StoreResult<()> {
        if !self.start_attempt() {
            return Ok(());
        }
        match create_all(servers).await? {
            Outcome::Created => self.update(|state| state.next_attempt = None),
            Outcome::Locked => {}
            Outcome::NoExtension(error) => self.update(|state| {
                if !state.has_warned {
                    tracing::warn!(
                        error,
                        "searches for a part of an id or a name read all rows, because the extension pg_trgm is missing; \
                         a superuser can run in this database: create extension pg_trgm"
                    );
                }
                state.has_warned = true;
            }),
        }
        Ok(())
    }

    fn start_attempt(&self) -> bool {
        let now = Instant::now();
        let mut is_due = false;
        self.update(|state| {
            is_due = state.next_attempt.is_some_and(|at| at <= now);
            if is_due {
                state.next_attempt = Some(now + RETRY_DELAY);
            }
        });
        is_due
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        change(
            &mut self
                .state
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        );
    }
}

/// The transaction with the lock is idle meanwhile and holds no snapshot, so that creating an index does not wait for
/// it. A lock of the session would not work with a pooler.
async fn create_all(servers: &Servers) -> StoreResult<Outcome> {
    let lock = servers.connect().await?;
    lock.batch_execute("begin").await.map_err(postgres_error)?;
    let take = format!("select pg_try_advisory_xact_lock({ADVISORY_LOCK_ID})");
    if first_value(&lock, &take).await?.as_deref() != Some("t") {
        return Ok(Outcome::Locked);
    }
    let session = servers.connect().await?;
    let schema = match extension_schema(&session).await? {
        Some(schema) => schema,
        None => match create_extension(&session).await? {
            Ok(schema) => schema,
            Err(reason) => return Ok(Outcome::NoExtension(reason)),
        },
    };
    for index in &INDEXES {
        create(&session, index, &schema).await?;
    }
    lock.batch_execute("rollback")
        .await
        .map_err(postgres_error)?;
    Ok(Outcome::Created)
}

async fn extension_schema(session: &Session) -> StoreResult<Option<String>> {
    const FIND: &str = "select quote_ident(n.nspname) from pg_extension e
        join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'";
    first_value(session, FIND).await
}

/// Since PostgreSQL 13 a role that may create schemas in the database may create this extension.
async fn create_extension(session: &Session) -> StoreResult<Result<String, String>> {
    let created = session.batch_execute("create extension if not exists pg_trgm");
    let reason = match created.await {
        Ok(()) => "it was dropped again".to_owned(),
        Err(error) if error.as_db_error().is_some() => message(&error),
        Err(error) => return Err(postgres_error(error)),
    };
    Ok(extension_schema(session).await?.ok_or(reason))
}

fn message(error: &Error) -> String {
    match error.as_db_error() {
        Some(database) => database.message().to_owned(),
        None => error.to_string(),
    }
}

async fn create(session: &Session, index: &TrigramIndex, schema: &str) -> StoreResult<()> {
    let TrigramIndex { name, table, .. } = index;
    let find = format!("select indisvalid from pg_index where indexrelid = to_regclass('{name}')");
    match first_value(session, &find).await?.as_deref() {
        Some("t") => return Ok(()),
        // The instance that created it was stopped. PostgreSQL would write it but never use it.
        Some(_) => {
            let drop = format!("drop index concurrently if exists {name}");
            session.batch_execute(&drop).await.map_err(postgres_error)?;
        }
        None => {}
    }
    let started = Instant::now();
    session
        .batch_execute(&index.definition(schema))
        .await
        .map_err(postgres_error)?;
    // The planner needs to know how frequent parts of names are.
    session
        .batch_execute(&format!("analyze {table}"))
        .await
        .map_err(postgres_error)?;
    let seconds = started.elapsed().as_secs_f32();
    tracing::info!(index = name, seconds, "created an index for searches");
    Ok(())
}

async fn first_value(session: &Session, text: &str) -> StoreResult<Option<String>> {
    session.first_value(text).await.map_err(postgres_error)
}
