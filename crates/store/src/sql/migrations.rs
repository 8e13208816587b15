//! Applies migrations at start. The first instance takes a lock; the others wait for it and have nothing left to do.

use mirasa_app::repository::StoreResult;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;

/// In the order in which they are applied. A published migration is never edited; add another one.
pub const MIGRATIONS: [(i64, Script); 30] = [
    (
        1,
        Script::Both(include_str!("../../migrations/0001_shop.sql")),
    ),
    (
        2,
        Script::Both(include_str!("../../migrations/0002_orders.sql")),
    ),
    (
        3,
        Script::Both(include_str!("../../migrations/0003_audit.sql")),
    ),
    (
        4,
        Script::Both(include_str!("../../migrations/0004_many_orders.sql")),
    ),
    (
        5,
        Script::Both(include_str!("../../migrations/0005_shared_limits.sql")),
    ),
    (
        6,
        Script::Sqlite(include_str!("../../migrations/0006_id_parts.sqlite.sql")),
    ),
    (
        7,
        Script::Sqlite(include_str!(
            "../../migrations/0007_people_words.sqlite.sql"
        )),
    ),
    (
        8,
        Script::Both(include_str!("../../migrations/0008_order_ends.sql")),
    ),
    (
        9,
        Script::Both(include_str!("../../migrations/0009_role_source.sql")),
    ),
    (
        10,
        Script::Both(include_str!("../../migrations/0010_after_sale.sql")),
    ),
    (
        11,
        Script::Both(include_str!("../../migrations/0011_messages.sql")),
    ),
    (
        12,
        Script::Both(include_str!("../../migrations/0012_invoices.sql")),
    ),
    (
        13,
        Script::Both(include_str!("../../migrations/0013_shipments.sql")),
    ),
    (
        14,
        Script::Both(include_str!("../../migrations/0014_discounts.sql")),
    ),
    (
        15,
        Script::Both(include_str!("../../migrations/0015_stock_notices.sql")),
    ),
    (
        16,
        Script::Both(include_str!("../../migrations/0016_reviews.sql")),
    ),
    (
        17,
        Script::Both(include_str!("../../migrations/0017_product_position.sql")),
    ),
    (
        18,
        Script::Each {
            sqlite: include_str!("../../migrations/0018_daily_sales.sqlite.sql"),
            postgres: include_str!("../../migrations/0018_daily_sales.postgres.sql"),
        },
    ),
    (
        19,
        Script::Both(include_str!("../../migrations/0019_stock.sql")),
    ),
    (
        20,
        Script::Both(include_str!("../../migrations/0020_batches.sql")),
    ),
    (
        21,
        Script::Both(include_str!("../../migrations/0021_order_versions.sql")),
    ),
    (
        22,
        Script::Both(include_str!("../../migrations/0022_superseded_refunds.sql")),
    ),
    (
        23,
        Script::Both(include_str!(
            "../../migrations/0023_parcels_and_cancellations.sql"
        )),
    ),
    (
        24,
        Script::Both(include_str!("../../migrations/0024_request_keys.sql")),
    ),
    (
        25,
        Script::Both(include_str!("../../migrations/0025_repeated_callbacks.sql")),
    ),
    (
        26,
        Script::Both(include_str!("../../migrations/0026_parcel_contents.sql")),
    ),
    (
        27,
        Script::Both(include_str!("../../migrations/0027_repeated_refunds.sql")),
    ),
    (
        28,
        Script::Both(include_str!("../../migrations/0028_printed_labels.sql")),
    ),
    (
        29,
        Script::Both(include_str!("../../migrations/0029_customers.sql")),
    ),
    (
        30,
        Script::Both(include_str!("../../migrations/0030_order_notes.sql")),
    ),
];

/// The number of the last migration. A backup contains it.
pub fn newest() -> i64 {
    MIGRATIONS
        .iter()
        .map(|(number, _)| *number)
        .max()
        .unwrap_or_default()
}

/// The engines that a migration is for.
pub enum Script {
    Both(&'static str),
    Sqlite(&'static str),
    /// For triggers, which the engines write differently.
    Each {
        sqlite: &'static str,
        postgres: &'static str,
    },
}

/// A number that is not used for another advisory lock.
const ADVISORY_LOCK_ID: i64 = 0x6d69_7261_7361;

/// Whether there are migrations to apply. This takes no lock, so that an instance can start on a read-only database.
pub async fn has_pending(repository: &mut SqlRepository<'_>) -> bool {
    let done: StoreResult<Vec<i64>> = repository
        .fetch_all::<i64>(query("select number from migrations"))
        .await;
    !done.is_ok_and(|done| MIGRATIONS.iter().all(|(number, _)| done.contains(number)))
}

/// Runs inside a transaction that the caller has begun (on SQLite, `immediate`) and will commit.
pub async fn apply(repository: &mut SqlRepository<'_>) -> StoreResult<()> {
    apply_until(repository, newest()).await
}

/// Only those up to a number: for rows that were written when it was the last one.
pub async fn apply_until(repository: &mut SqlRepository<'_>, last: i64) -> StoreResult<()> {
    if repository.is_postgres() {
        repository
            .execute(query("select pg_advisory_xact_lock($1)").bind(ADVISORY_LOCK_ID))
            .await?;
    }
    repository
        .execute(query(
            "create table if not exists migrations (number bigint primary key)",
        ))
        .await?;
    let done: Vec<i64> = repository
        .fetch_all::<i64>(query("select number from migrations"))
        .await?;
    for (number, script) in MIGRATIONS {
        if number > last || done.contains(&number) {
            continue;
        }
        match script {
            Script::Sqlite(_) if repository.is_postgres() => {}
            Script::Each { postgres, .. } if repository.is_postgres() => {
                repository.execute_batch(postgres).await?;
            }
            Script::Both(text) | Script::Sqlite(text) | Script::Each { sqlite: text, .. } => {
                repository.execute_batch(text).await?;
            }
        }
        repository
            .execute(query("insert into migrations (number) values ($1)").bind(number))
            .await?;
    }
    Ok(())
}

/// The number of the last one that was applied, or 0.
pub async fn newest_applied(repository: &mut SqlRepository<'_>) -> StoreResult<i64> {
    repository
        .fetch_one::<i64>(query("select coalesce(max(number), 0) from migrations"))
        .await
}
