//! Backups of every table, between both engines.

use mirasa_app::repository::sessions::NewSession;
use mirasa_domain::message::ContactMessage;
use mirasa_domain::notification::NotificationKind;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::TrendingRank;
use mirasa_store::backup::{self, TABLES};
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
        tx.insert_reply("q", &reply("r", 9)).await?;
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
        assert_eq!(backup::restore(&to.url, &first).await.unwrap(), rows);
        assert_eq!(
            read!(to.db, db => db.all_products().await?),
            read!(from.db, db => db.all_products().await?)
        );
        assert_eq!(
            read!(to.db, db => db.order("o1").await?),
            read!(from.db, db => db.order("o1").await?)
        );
        assert_eq!(
            read!(to.db, db => db.message("q").await?),
            read!(from.db, db => db.message("q").await?)
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

#[tokio::test]
async fn damaged_backup_restores_nothing() {
    let (from, to) = (sqlite().await, sqlite().await);
    fill(&from).await;
    let file = from.folder.path().join("a.jsonl");
    backup::backup(&from.url, &file).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 20]).unwrap();
    assert!(backup::restore(&to.url, &file).await.is_err());
    assert!(read!(to.db, db => db.all_products().await?).is_empty());
    std::fs::write(&file, "{}").unwrap();
    assert!(backup::restore(&to.url, &file).await.is_err());
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
