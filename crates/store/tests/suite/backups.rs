//! Backups of every table, between both engines.

use std::path::Path;

use mirasa_app::repository::customers::sessions::NewSession;
use mirasa_domain::message::ContactMessage;
use mirasa_domain::notification::NotificationKind;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::TrendingRank;
use mirasa_store::maintenance::backup::{self, TABLES};
use mirasa_store::{DatabaseUrl, PoolSize};

use crate::engines::{TestDatabase, add_user, postgres, read, sqlite, write};
use crate::messages::reply;
use crate::orders::{line, order, place};
use crate::products::add_product;

async fn fill(shop: &TestDatabase) {
    let user = add_user(&shop.db, "asha").await.id;
    let product = add_product(&shop.db, "Goda Masala").await.id;
    place(
        &shop.db,
        &order("o1", &user, 5, vec![line("goda-masala", 2, 1)]),
    )
    .await;
    write!(shop.db, tx => {
        tx.set_trending_rank(&product, Some(TrendingRank::new(3).unwrap()), 5).await?;
        tx.upsert_cart_line(&user, &product, Packs { of_50g: 2, of_100g: 1 }, Prices::default(), 6).await?;
        tx.add_to_wishlist(&user, &product, 7).await?;
        tx.insert_message(&ContactMessage::new("q".into(), "O'Neil \"x\"\\".into(), String::new(), "a\nb 🌶".into(), 8)).await?;
        tx.insert_reply(&"q".into(), &reply("r", 9)).await?;
        tx.begin_notification(NotificationKind::Messages, 9).await?;
        tx.insert_session(&NewSession { token_hash: "t".into(), user, created_at_ms: 1, expires_at_ms: 2 }).await?
    });
}

#[tokio::test]
async fn backup_is_restored_on_either_engine() {
    for (from, to) in [
        (sqlite().await, postgres().await),
        (postgres().await, sqlite().await),
        (sqlite().await, sqlite().await),
    ] {
        fill(&from).await;
        let (first, second) = (
            from.folder.path().join("a.jsonl"),
            from.folder.path().join("b.jsonl"),
        );
        let rows = backup::backup(&from.url, &first).await.unwrap();
        assert_eq!(rows, 12);
        let restored = backup::restore(&to.url, &first).await.unwrap();
        assert_eq!((restored.rows, restored.is_verified), (rows, true));
        assert_eq!(
            read!(to.db, db => db.all_products().await?),
            read!(from.db, db => db.all_products().await?)
        );
        assert_eq!(
            read!(to.db, db => db.order(&"o1".into()).await?),
            read!(from.db, db => db.order(&"o1".into()).await?)
        );
        assert_eq!(
            read!(to.db, db => db.message(&"q".into()).await?),
            read!(from.db, db => db.message(&"q".into()).await?)
        );
        assert_eq!(
            backup::backup(&to.url, &second).await.unwrap(),
            rows,
            "a backup of the restored shop has as many rows"
        );
        assert!(
            backup::restore(&to.url, &first)
                .await
                .unwrap_err()
                .to_string()
                .contains("not empty")
        );
    }
}

/// Why the file is refused. Nothing of it is in the database.
async fn refusal(to: &TestDatabase, file: &Path, bytes: &[u8]) -> String {
    std::fs::write(file, bytes).unwrap();
    let error = backup::restore(&to.url, file).await.unwrap_err();
    assert!(read!(to.db, db => db.all_products().await?).is_empty());
    format!("{error:#}")
}

#[tokio::test]
async fn damaged_backup_restores_nothing() {
    let from = sqlite().await;
    fill(&from).await;
    let file = from.folder.path().join("a.jsonl");
    let rows = backup::backup(&from.url, &file).await.unwrap();
    let whole = std::fs::read(&file).unwrap();
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len() as u64, rows + 2);
    for to in [sqlite().await, postgres().await] {
        // Cut after any line, and within the last ones.
        for kept in 0..lines.len() {
            let error = refusal(&to, &file, &lines[..kept].concat()).await;
            let expected = if kept == 0 {
                "is empty"
            } else {
                "not complete"
            };
            assert!(error.contains(expected), "{kept} lines: {error}");
        }
        for cut in [1, 2, 20, 100, 400] {
            refusal(&to, &file, &whole[..whole.len() - cut]).await;
        }
        // Lines are missing, twice, or in another order.
        for (first, second) in [(1, 2), (2, 5)] {
            let mut other = lines.clone();
            other.swap(first, second);
            let error = refusal(&to, &file, &other.concat()).await;
            assert!(error.contains("checksum"), "{error}");
            other.swap(first, second);
            other[first] = other[second];
            refusal(&to, &file, &other.concat()).await;
            other.remove(first);
            let error = refusal(&to, &file, &other.concat()).await;
            assert!(error.contains("rows of"), "{error}");
        }
        let error = refusal(&to, &file, &[&whole[..], lines[1]].concat()).await;
        assert!(error.contains("goes on"), "{error}");
        let (first, last) = (lines[0], lines[lines.len() - 1]);
        refusal(&to, &file, &[first, last].concat()).await;
        refusal(&to, &file, b"{}").await;
    }
    // Any byte, also of the first and of the last line.
    let to = sqlite().await;
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        refusal(&to, &file, &changed).await;
    }
    std::fs::write(&file, &whole).unwrap();
    assert_eq!(backup::restore(&to.url, &file).await.unwrap().rows, rows);
}

#[tokio::test]
async fn backup_of_an_earlier_version_is_restored_as_not_verified() {
    let from = sqlite().await;
    fill(&from).await;
    let file = from.folder.path().join("a.jsonl");
    let rows = backup::backup(&from.url, &file).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let without_end = text.trim_end().rsplit_once('\n').unwrap().0;
    let old = format!("{without_end}\n").replace("mirasa-backup-2", "mirasa-backup-1");
    for to in [sqlite().await, postgres().await] {
        std::fs::write(&file, &old).unwrap();
        let restored = backup::restore(&to.url, &file).await.unwrap();
        assert_eq!((restored.rows, restored.is_verified), (rows, false));
    }
    let to = sqlite().await;
    let error = refusal(&to, &file, &old.as_bytes()[..old.len() - 20]).await;
    assert!(error.contains("damaged"), "{error}");
}

/// As a backup of PostgreSQL can be, whose tables have no order.
#[tokio::test]
async fn backup_with_credit_notes_before_their_invoice_is_restored() {
    // More than one statement inserts.
    const NOTES: usize = 1_500;
    let document = |id: &str, kind: &str, serial: usize, refers_to: &str| {
        format!(
            "('{id}', '{kind}', 'S', 2026, {serial}, 'S/{serial}', 'o1', {refers_to}, 1, '', '', 27, 0, 0, 0, 0, 0)"
        )
    };
    let mut documents = vec![document("invoice", "tax invoice", 1, "null")];
    documents.extend((0..NOTES).map(|note| {
        document(
            &format!("note-{note}"),
            "credit note",
            note + 2,
            "'invoice'",
        )
    }));
    let from = sqlite().await;
    fill(&from).await;
    let DatabaseUrl::Sqlite(path) = &from.url else {
        unreachable!()
    };
    let connection = rusqlite::Connection::open(path).unwrap();
    let insert = format!(
        "insert into documents (id, kind, series, financial_year, serial, number, order_id, refers_to, issued_at, seller, buyer,
            place_of_supply, taxable, cgst, sgst, igst, total) values {};
         update documents set rowid = 1000000 where id = 'invoice';",
        documents.join(", ")
    );
    connection.execute_batch(&insert).unwrap();
    let file = from.folder.path().join("a.jsonl");
    let rows = backup::backup(&from.url, &file).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.find("note-1499") < text.find("\"tax invoice\""));
    for to in [sqlite().await, postgres().await] {
        let restored = backup::restore(&to.url, &file).await.unwrap();
        assert_eq!((restored.rows, restored.is_verified), (rows, true));
    }
    // References are still checked, at the end.
    let remove = "pragma foreign_keys = off; delete from documents where id = 'invoice'";
    connection.execute_batch(remove).unwrap();
    backup::backup(&from.url, &file).await.unwrap();
    for to in [sqlite().await, postgres().await] {
        let error = backup::restore(&to.url, &file).await.unwrap_err();
        let error = format!("{error:#}").to_lowercase();
        assert!(error.contains("foreign key"), "{error}");
    }
}

#[tokio::test]
async fn backup_is_not_restored_into_a_database_with_any_rows() {
    let from = sqlite().await;
    fill(&from).await;
    let file = from.folder.path().join("a.jsonl");
    backup::backup(&from.url, &file).await.unwrap();
    for to in [sqlite().await, postgres().await] {
        // Without a product.
        add_user(&to.db, "ravi").await;
        let error = backup::restore(&to.url, &file).await.unwrap_err();
        let error = error.to_string();
        assert!(error.contains("not empty: the table users"), "{error}");
    }
}

#[tokio::test]
async fn backup_contains_every_table() {
    let shop = sqlite().await;
    let DatabaseUrl::Sqlite(path) = &shop.url else {
        unreachable!()
    };
    let connection = rusqlite::Connection::open(path).unwrap();
    // Search indexes and sums are not backed up: they are derived from the tables.
    let query = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'migrations'
        and name not like '%id_parts%' and name not like 'people_words%'
        and name not in ('daily_sales', 'sales_changes') order by name";
    let mut statement = connection.prepare(query).unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    let mut tables: Vec<String> = names.map(Result::unwrap).collect();
    drop(statement);
    let mut listed = TABLES.map(str::to_owned).to_vec();
    tables.sort();
    listed.sort();
    assert_eq!(tables, listed);
    mirasa_store::open(&shop.url, PoolSize(1)).await.unwrap();
}
