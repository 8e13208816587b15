//! Backups of earlier versions. Their rows have fewer columns, and later migrations must change them as in the shop.

use std::fmt::Write as _;
use std::path::Path;

use mirasa_app::repository::Database;
use mirasa_store::maintenance::backup::{self, TABLES};
use mirasa_store::{DatabaseUrl, PoolSize};

use crate::engines::{
    NewDatabase, TestDatabase, connect_directly, execute_sql, new_postgres, new_sqlite, open,
    postgres, read, sqlite,
};

/// Version 1.0.0, the last one before orders had versions, and one after.
const MIGRATIONS: [u32; 3] = [9, 20, 24];

/// Two orders of a customer: one with a refund, one cancelled with its money kept. The third one is of a customer who was
/// erased while an email was waiting.
const ROWS: &str = "
    insert into products (id, name, about, stock_grams, pouches_50g, pouches_100g, is_visible, version, position, updated_at, touched_at)
        values ('goda', 'Goda', '{}', 800, 6, 10, true, 3, 1, 1, 1);
    insert into stock_ledger (id, product_id, reason, grams, pouches_50g, pouches_100g, at) values ('l0', 'goda', 'initial', 1000, 10, 10, 1);
    insert into users (id, issuer, subject, email, name, role, created_at, updated_at) values
        ('asha', 'google', 's1', 'asha@mirasa.example', 'Asha', 'customer', 1, 1);
    insert into users (id, issuer, subject, email, name, role, created_at, updated_at, deleted_at) values
        ('gone', 'erased', 'gone', '', '', 'customer', 1, 5, 5);
    insert into orders (id, user_id, merchant_order_id, total, payment_status, order_status, paid_by, holds_stock, address, expires_at,
        created_at, updated_at) values
        ('o1', 'asha', 'M1', 20000, 'completed', 'confirmed', 'M1', true, '{}', 9, 2, 3),
        ('o2', 'asha', 'M2', 10000, 'completed', 'cancelled', 'M2', true, '{}', 9, 2, 3),
        ('o3', 'gone', 'M3', 10000, 'completed', 'confirmed', 'M3', true, '{}', 9, 2, 3);
    insert into order_lines (order_id, line, product_id, product_name, image, qty_50g, qty_100g, price_50g, price_100g, line_total) values
        ('o1', 0, 'goda', 'Goda', '', 2, 0, 10000, null, 20000),
        ('o2', 0, 'goda', 'Goda', '', 1, 0, 10000, null, 10000),
        ('o3', 0, 'goda', 'Goda', '', 1, 0, 10000, null, 10000);
    insert into stock_ledger (id, product_id, reason, order_id, grams, pouches_50g, pouches_100g, at) values
        ('l1', 'goda', 'reserve', 'o1', -100, -2, 0, 2),
        ('l2', 'goda', 'reserve', 'o2', -50, -1, 0, 2),
        ('l3', 'goda', 'reserve', 'o3', -50, -1, 0, 2);
    insert into payment_attempts (merchant_order_id, order_id, amount, state, expires_at, created_at, looked_at, next_look_at, leased_until)
        values ('M1', 'o1', 20000, 'completed', 9, 2, 3, 3, 0), ('M2', 'o2', 10000, 'completed', 9, 2, 3, 3, 0),
        ('M3', 'o3', 10000, 'completed', 9, 2, 3, 3, 0);
    insert into mails (id, order_id, kind, recipient, subject, text_body, html_body, created_at, tries, next_try_at, leased_until) values
        ('m1', 'o1', 'confirmation', 'asha@mirasa.example', 'x', 'x', 'x', 3, 0, 3, 0),
        ('m3', 'o3', 'confirmation', 'gone@mirasa.example', 'x', 'x', 'x', 3, 0, 3, 0);
    insert into concerns (id, order_id, kind, about, detail, created_at) values
        ('c3', 'o3', 'mail not sent', 'm3', 'It could not be sent to gone@mirasa.example.', 4);
";

fn refund(migration: u32) -> String {
    let (column, value) = match migration {
        ..10 => ("", ""),
        _ => (", requested_by", ", 'system'"),
    };
    format!(
        "insert into refunds (id, merchant_order_id, order_id, amount, reason, state, created_at, updated_at, next_look_at, looks,
            leased_until{column}) values ('r1', 'M1', 'o1', 5000, 'x', 'completed', 3, 4, 4, 1, 0{value});"
    )
}

/// What `0021` and `0024` had done to the rows.
const CHANGED_LATER: &str = "delete from mails where id = 'm3';
    update concerns set detail = 'The customer has deleted the account.' where id = 'c3';
    insert into concerns (id, order_id, kind, about, detail, created_at)
        values ('kept-o2', 'o2', 'paid, cancelled, not refunded', 'o2', 'x', 3);";

/// The tables as a migration left them, with rows.
fn script(migration: u32, engine: &str) -> String {
    let mut files: Vec<_> = std::fs::read_dir("migrations")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut all = String::new();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let number: u32 = name.split('_').next().unwrap().parse().unwrap();
        let is_for_engine = name.split('.').count() == 2 || name.contains(engine);
        if number <= migration && is_for_engine {
            all += &std::fs::read_to_string(&file).unwrap();
        }
    }
    all += ROWS;
    all += &refund(migration);
    if migration >= 24 {
        all += CHANGED_LATER;
    }
    all
}

/// Each row of the tables that there were, as `json_object` or `row_to_json` wrote it.
async fn rows_of(new: &NewDatabase, migration: u32) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    match &new.url {
        DatabaseUrl::Sqlite(file) => {
            let connection = rusqlite::Connection::open(file).unwrap();
            connection
                .execute_batch(&script(migration, "sqlite"))
                .unwrap();
            for table in TABLES {
                let mut names = connection
                    .prepare("select name from pragma_table_info(?1)")
                    .unwrap();
                let names = names.query_map([table], |row| row.get::<_, String>(0));
                let pairs: Vec<_> = names
                    .unwrap()
                    .map(|name| name.map(|name| format!("'{name}', {name}")).unwrap())
                    .collect();
                if pairs.is_empty() {
                    continue;
                }
                let text = format!("select json_object({}) from {table}", pairs.join(", "));
                let mut select = connection.prepare(&text).unwrap();
                let found = select.query_map([], |row| row.get(0)).unwrap();
                rows.extend(found.map(|row| (table, row.unwrap())));
            }
        }
        DatabaseUrl::Postgres(url) => {
            let client = connect_directly(url).await;
            client
                .batch_execute(&script(migration, "postgres"))
                .await
                .unwrap();
            for table in TABLES {
                let text = format!("select to_regclass('{table}') is not null");
                if !client
                    .query_one(&text, &[])
                    .await
                    .unwrap()
                    .get::<_, bool>(0)
                {
                    continue;
                }
                let text = format!("select row_to_json(t)::text from {table} t");
                let found = client.query(&text, &[]).await.unwrap();
                rows.extend(found.iter().map(|row| (table, row.get(0))));
            }
        }
    }
    rows
}

/// A file as earlier versions wrote it. Returns the number of its rows.
async fn write_file(from: &NewDatabase, migration: u32, file: &Path) -> u64 {
    let rows = rows_of(from, migration).await;
    let mut text = format!(r#"{{"format":"mirasa-backup-1","migration":{migration}}}"#);
    for (table, row) in &rows {
        write!(text, "\n{{\"table\":\"{table}\",\"row\":{row}}}").unwrap();
    }
    std::fs::write(file, text + "\n").unwrap();
    rows.len() as u64
}

/// What `mirasa check` finds.
async fn problems(db: &Database) -> Vec<String> {
    read!(db, db => {
        let mut all = vec![
            db.orders_with_wrong_reservation().await?,
            db.orders_not_matching_ledger().await?,
            db.orders_with_wrong_payment().await?,
            db.orders_with_wrong_invoice().await?,
            db.orders_with_wrong_credit_notes().await?,
            db.orders_with_wrong_restock().await?,
            db.orders_with_wrong_refunds().await?,
            db.orders_with_wrong_declaration().await?,
            db.orders_with_wrong_parcel().await?,
            db.orders_with_wrong_cancellation().await?,
            db.orders_with_wrong_problem().await?,
            db.orders_sent_again_wrongly().await?,
            db.orders_with_wrong_discount().await?,
            db.wrong_batches().await?,
            db.overused_discounts().await?,
            db.orders_with_kept_payment().await?,
            db.orders_that_left_wrongly().await?,
            db.orders_without_invoice().await?,
            db.incomplete_series().await?,
            db.orders_naming_erased_customers().await?,
            db.stock_notices_without_email().await?,
            db.wrong_reviews().await?,
        ];
        for ids in [db.products_not_matching_ledger().await?, db.products_with_wrong_rating().await?] {
            all.push(ids.into_iter().map(|id| id.0).collect());
        }
        all.concat()
    })
}

async fn count(shop: &TestDatabase, rest: &str) -> i64 {
    let text = format!("select count(*) {rest}");
    match &shop.url {
        DatabaseUrl::Sqlite(file) => {
            let connection = rusqlite::Connection::open(file).unwrap();
            connection.query_row(&text, [], |row| row.get(0)).unwrap()
        }
        DatabaseUrl::Postgres(url) => {
            let client = connect_directly(url).await;
            client.query_one(&text, &[]).await.unwrap().get(0)
        }
    }
}

#[tokio::test]
async fn backups_of_earlier_versions_are_restored_and_migrated() {
    for migration in MIGRATIONS {
        for from in [new_sqlite(), new_postgres().await] {
            let file = from.folder.path().join("old.jsonl");
            let rows = write_file(&from, migration, &file).await;
            for to in [new_sqlite(), new_postgres().await] {
                let restored = backup::restore(&to.url, &file).await.unwrap();
                assert_eq!((restored.rows, restored.is_verified), (rows, false));
                let shop = open(to, PoolSize(1)).await;
                assert_eq!(problems(&shop.db).await, Vec::<String>::new());
                for (rest, expected) in [
                    ("from orders where version = 0 and discount_amount = 0", 3),
                    (
                        "from order_lines where restocked_50g = 0 and resent_50g = 0",
                        3,
                    ),
                    (
                        "from refunds where requested_by = 'system' and amount = 5000",
                        1,
                    ),
                    ("from mails where id = 'm1'", 1),
                    // The erased customer gets no email.
                    ("from mails where recipient = 'gone@mirasa.example'", 0),
                    ("from concerns where detail like '%gone@%'", 0),
                    (
                        "from concerns where kind = 'paid, cancelled, not refunded' and about = 'o2' and settled_at is null",
                        1,
                    ),
                    // The sums of the day are made again.
                    (
                        "from (select distinct day from sales_changes) days where day = 0",
                        1,
                    ),
                ] {
                    let found = count(&shop, rest).await;
                    assert_eq!(found, expected, "migration {migration}: {rest}");
                }
                // And it is the usual file of this version from now on.
                let again = from.folder.path().join("new.jsonl");
                let rows = backup::backup(&shop.url, &again).await.unwrap();
                let fresh = new_sqlite();
                let restored = backup::restore(&fresh.url, &again).await.unwrap();
                assert_eq!((restored.rows, restored.is_verified), (rows, true));
            }
        }
    }
}

#[tokio::test]
async fn earlier_backup_is_not_restored_into_tables_of_a_later_version() {
    let from = new_sqlite();
    let file = from.folder.path().join("old.jsonl");
    write_file(&from, 20, &file).await;
    for to in [sqlite().await, postgres().await] {
        let error = backup::restore(&to.url, &file).await.unwrap_err();
        let error = error.to_string();
        assert!(error.contains("a database without tables"), "{error}");
        assert_eq!(count(&to, "from products").await, 0);
    }
}

/// The file would name this version's tables, and nobody could restore it.
#[tokio::test]
async fn tables_of_another_version_are_not_backed_up() {
    for change in [
        "delete from migrations where number > 20",
        "insert into migrations (number) values (9999)",
    ] {
        for shop in [sqlite().await, postgres().await] {
            execute_sql(&shop, change).await;
            let file = shop.folder.path().join("refused.jsonl");
            let error = backup::backup(&shop.url, &file).await.unwrap_err();
            assert!(error.to_string().contains("another version"), "{error}");
            assert!(!file.exists());
        }
    }
}
