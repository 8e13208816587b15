//! Backups that both engines can read: one row per line, as JSON. They are taken in one read transaction, which is a
//! consistent snapshot, while the server is running.

pub(crate) mod file;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context as _, ensure};
use futures::TryStreamExt as _;
use mirasa_app::repository::StoreResult;
use rusqlite::Connection;
use tempfile::NamedTempFile;
use tokio_postgres::Client;
use tokio_postgres::types::{ToSql, Type};

use crate::maintenance::backup::file::{BackupWriter, CheckedFile};
use crate::postgres::connect::{Servers, Session};
use crate::postgres::pipeline::Pipeline;
use crate::sql::engine::{Conn, DatabaseUrl, ROWS_PER_INSERT, SqlRepository};
use crate::sql::migrations;
use crate::sql::query::query;
use crate::sqlite;

/// All tables of the shop. A table comes after those that it refers to. A test compares the list with the migrations.
pub const TABLES: [&str; 45] = [
    "products",
    "stock_ledger",
    "batches",
    "discounts",
    "users",
    "sessions",
    "sign_in_attempts",
    "cart_lines",
    "wishes",
    "addresses",
    "contact_queries",
    "message_replies",
    "orders",
    "order_lines",
    "batch_packs",
    "payment_attempts",
    "idempotency_keys",
    "request_keys",
    "past_discount_uses",
    "refunds",
    "refund_lines",
    "documents",
    "document_lines",
    "document_series",
    "order_events",
    "order_notes",
    "order_problems",
    "cancellation_requests",
    "shipments",
    "shipment_events",
    "shipment_labels",
    "mails",
    "concerns",
    "audit",
    "call_buckets",
    "notifications",
    "stock_notices",
    "stock_notice_stops",
    "reviews",
    "review_photos",
    "review_edits",
    "review_votes",
    "review_requests",
    "review_opt_outs",
    "daily_visits",
];

/// What was restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restored {
    pub rows: u64,
    /// False for a file of an earlier version, which has no end mark: nobody can tell whether it is complete.
    pub is_verified: bool,
}

/// Writes every row into the file and returns the number of rows. The file is written under a temporary name and then
/// renamed, so that an incomplete file never replaces a backup. Only this user can read it. The target must not be a
/// link or a folder.
pub async fn backup(url: &DatabaseUrl, file: &Path) -> anyhow::Result<u64> {
    let is_replaceable = match std::fs::symlink_metadata(file) {
        Ok(found) => found.is_file(),
        Err(_) => true,
    };
    ensure!(
        is_replaceable,
        "{} is a link or a folder, not a file",
        file.display()
    );
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let unwritable = || format!("cannot write into {}", folder.display());
    // Opened with O_EXCL and mode 0600, and removed if anything below fails.
    let mut partial = tempfile::Builder::new()
        .prefix(".mirasa-backup-")
        .suffix(".partial")
        .tempfile_in(folder)
        .with_context(unwritable)?;
    let rows = write_rows(url, &mut partial).await?;
    partial.as_file().sync_all()?;
    partial.persist(file)?;
    File::open(folder)?.sync_all()?;
    Ok(rows)
}

type Out<'f> = BackupWriter<BufWriter<&'f mut NamedTempFile>>;

async fn write_rows(url: &DatabaseUrl, file: &mut NamedTempFile) -> anyhow::Result<u64> {
    let mut out = BackupWriter::new(BufWriter::new(file))?;
    match url {
        DatabaseUrl::Sqlite(path) => {
            ensure!(path.exists(), "there is no database at {}", path.display());
            write_sqlite(&sqlite::connect(path)?, &mut out)?;
        }
        DatabaseUrl::Postgres(url) => {
            let session = Servers::parse(url)?.connect().await?;
            write_postgres(&session, &mut out).await?;
        }
    }
    out.finish()
}

const NEWEST_MIGRATION: &str = "select coalesce(max(number), 0) from migrations";

/// The file says which tables its rows are of.
fn ensure_own_tables(migration: i64) -> anyhow::Result<()> {
    let own = migrations::newest();
    ensure!(
        migration == own,
        "the database has the tables of another version (migration {migration}, this program has {own}). \
         Back it up with that version, or start this one first"
    );
    Ok(())
}

fn write_sqlite(connection: &Connection, out: &mut Out<'_>) -> anyhow::Result<()> {
    connection.execute_batch("begin")?;
    ensure_own_tables(connection.query_row(NEWEST_MIGRATION, [], |row| row.get(0))?)?;
    for table in TABLES {
        let columns = sqlite_columns(connection, table)?;
        let pairs: Vec<_> = columns
            .iter()
            .map(|column| format!("'{column}', {column}"))
            .collect();
        let query = format!("select json_object({}) from {table}", pairs.join(", "));
        let mut statement = connection.prepare(&query)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            out.write_row(table, row.get(0)?)?;
        }
    }
    connection.execute_batch("rollback")?;
    Ok(())
}

/// Without prepared statements, which a pooler may not keep.
async fn write_postgres(client: &Client, out: &mut Out<'_>) -> anyhow::Result<()> {
    const NO_VALUES: [(&str, Type); 0] = [];
    client
        .batch_execute("begin isolation level repeatable read read only")
        .await?;
    let newest = client.query_typed(NEWEST_MIGRATION, &[]).await?;
    ensure_own_tables(newest.first().context("no migrations")?.try_get(0)?)?;
    for table in TABLES {
        let query = format!("select row_to_json(t)::text from {table} t");
        let mut rows = std::pin::pin!(client.query_typed_raw(&query, NO_VALUES).await?);
        while let Some(row) = rows.try_next().await? {
            out.write_row(table, row.try_get(0)?)?;
        }
    }
    client.batch_execute("rollback").await?;
    Ok(())
}

fn sqlite_columns(connection: &Connection, table: &str) -> anyhow::Result<Vec<String>> {
    let mut statement = connection.prepare("select name from pragma_table_info(?1)")?;
    let names = statement.query_map([table], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// A credit note refers to another row of its table, and the rows of a table are in the file in any order: PostgreSQL uses
/// the space of rows that were rolled back for later ones. SQLite has a pragma for this.
const CHECK_DOCUMENTS_LATER: &str = "alter table documents
    alter constraint documents_refers_to_fkey deferrable initially deferred";
const CHECK_DOCUMENTS_NOW: &str = "set constraints all immediate;
    alter table documents alter constraint documents_refers_to_fkey not deferrable";

/// Fills an empty database in one transaction. The whole file is checked before anything is written. The tables get the
/// columns that the rows of the file have; then later migrations change the rows as they would have in the shop.
pub async fn restore(url: &DatabaseUrl, file: &Path) -> anyhow::Result<Restored> {
    let file = CheckedFile::open(file)?;
    let rows = match url {
        DatabaseUrl::Sqlite(path) => {
            let mut connection = sqlite::create(path)?;
            connection.execute_batch("begin immediate")?;
            connection.execute_batch("pragma defer_foreign_keys = on")?;
            let tables = prepare(&mut on_sqlite(&mut connection), file.migration).await?;
            let rows = read_sqlite(&connection, &tables, &file)?;
            migrations::apply(&mut on_sqlite(&mut connection)).await?;
            connection.execute_batch("commit")?;
            rows
        }
        DatabaseUrl::Postgres(url) => {
            let servers = Servers::parse(url)?;
            servers.detect_pooler().await?;
            let session = servers.connect().await?;
            session.batch_execute("begin").await?;
            let tables = prepare(&mut on_postgres(&session), file.migration).await?;
            let has_documents = tables.contains(&"documents");
            if has_documents {
                session.batch_execute(CHECK_DOCUMENTS_LATER).await?;
            }
            let rows = read_postgres(&session, &file).await?;
            if has_documents {
                session.batch_execute(CHECK_DOCUMENTS_NOW).await?;
            }
            migrations::apply(&mut on_postgres(&session)).await?;
            session.batch_execute("commit").await?;
            rows
        }
    };
    Ok(Restored {
        rows,
        is_verified: file.has_end,
    })
}

fn on_sqlite(connection: &mut Connection) -> SqlRepository<'_> {
    SqlRepository::new(Conn::Sqlite(connection))
}

fn on_postgres(session: &Session) -> SqlRepository<'_> {
    SqlRepository::new(Conn::Postgres(Pipeline::new(session)))
}

/// Creates the tables as they were after this migration, and returns their names. All of them must be empty: rows that are
/// there would be mixed with those of the file.
async fn prepare(
    repository: &mut SqlRepository<'_>,
    migration: i64,
) -> anyhow::Result<Vec<&'static str>> {
    migrations::apply_until(repository, migration).await?;
    let tables = existing_tables(repository).await?;
    let parts: Vec<_> = tables
        .iter()
        .map(|table| format!("select '{table}' as name where exists (select 1 from {table})"))
        .collect();
    let filled = format!(
        "select coalesce(min(name), '') from ({}) filled",
        parts.join(" union all ")
    );
    let filled: String = repository.fetch_one(query(filled)).await?;
    ensure!(
        filled.is_empty(),
        "the database is not empty: the table {filled} has rows. Restore into a new database"
    );
    let newest = migrations::newest_applied(repository).await?;
    ensure!(
        newest == migration,
        "the database has the tables of a later version (migration {newest}) than the file (migration {migration}). \
         Restore into a database without tables"
    );
    Ok(tables)
}

/// Those of the list that were there after the last migration that was applied.
async fn existing_tables(repository: &mut SqlRepository<'_>) -> StoreResult<Vec<&'static str>> {
    let text = if repository.is_postgres() {
        let names = TABLES.map(|table| format!("('{table}')"));
        format!(
            "select name from (values {}) listed (name) where to_regclass(name) is not null",
            names.join(", ")
        )
    } else {
        "select name from sqlite_master where type = 'table'".to_owned()
    };
    let found: Vec<String> = repository.fetch_all(query(text)).await?;
    let is_there = |table: &&str| found.iter().any(|name| name == table);
    Ok(TABLES.into_iter().filter(is_there).collect())
}

fn read_sqlite(
    connection: &Connection,
    tables: &[&'static str],
    file: &CheckedFile,
) -> anyhow::Result<u64> {
    let mut inserts = std::collections::HashMap::new();
    for table in tables {
        let columns = sqlite_columns(connection, table)?;
        let values: Vec<_> = columns
            .iter()
            .map(|column| format!("json_extract(?1, '$.{column}')"))
            .collect();
        let insert = format!(
            "insert into {table} ({}) select {}",
            columns.join(", "),
            values.join(", ")
        );
        inserts.insert(*table, connection.prepare(&insert)?);
    }
    let mut restored = 0;
    let mut rows = file.rows()?;
    while let Some((table, row)) = rows.next_row()? {
        let insert = inserts.get_mut(table);
        let insert = insert.with_context(|| format!("its version had no table {table}"))?;
        insert.execute([row]).with_context(|| table.to_owned())?;
        restored += 1;
    }
    ensure!(restored == file.rows, "not all rows were restored");
    Ok(restored)
}

async fn read_postgres(client: &Client, file: &CheckedFile) -> anyhow::Result<u64> {
    let mut restored = 0;
    let mut batch = Batch::default();
    let mut rows = file.rows()?;
    while let Some((table, row)) = rows.next_row()? {
        if batch.rows == ROWS_PER_INSERT || batch.table != table {
            restored += insert(client, &mut batch).await?;
            batch.table = table;
        }
        batch.add(row);
    }
    restored += insert(client, &mut batch).await?;
    ensure!(restored == file.rows, "not all rows were restored");
    Ok(restored)
}

/// Rows of one table, as elements of a JSON array.
#[derive(Default)]
struct Batch {
    table: &'static str,
    elements: String,
    rows: usize,
}

impl Batch {
    fn add(&mut self, row: &str) {
        if self.rows > 0 {
            self.elements.push(',');
        }
        self.elements.push_str(row);
        self.rows += 1;
    }
}

/// Inserts the rows and empties the batch.
async fn insert(client: &Client, batch: &mut Batch) -> anyhow::Result<u64> {
    let Batch {
        table,
        elements,
        rows,
    } = std::mem::take(batch);
    if rows == 0 {
        return Ok(0);
    }
    let text = format!(
        "insert into {table} select * from json_populate_recordset(null::{table}, $1::text::json)"
    );
    let array = format!("[{elements}]");
    let values: [(&(dyn ToSql + Sync), Type); 1] = [(&array, Type::TEXT)];
    let inserted = client.execute_typed(&text, &values).await;
    inserted.with_context(|| table.to_owned())
}
