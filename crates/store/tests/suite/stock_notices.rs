//! Requests for an email when a sold-out product can be bought again.

use mirasa_app::repository::Database;
use mirasa_app::repository::stock::notices::StockNotice;
use mirasa_domain::product::ProductId;
use tokio::task::JoinSet;

use crate::engines::{for_each_engine, read, write};

fn goda() -> ProductId {
    ProductId("goda-masala".into())
}

fn notice(id: &str, email: &str, at_ms: i64) -> StockNotice {
    StockNotice {
        id: id.into(),
        product: goda(),
        email: email.into(),
        stop_token: format!("token of {email}"),
        requested_at_ms: at_ms,
        notified_at_ms: None,
    }
}

async fn request(db: &Database, notice: StockNotice) {
    write!(db, tx => tx.request_stock_notice(&notice).await?);
}

async fn take(db: &Database, limit: i64, now_ms: i64) -> Vec<String> {
    let taken = write!(db, tx => tx.take_stock_notices(&goda(), limit, now_ms).await?);
    let mut emails: Vec<_> = taken.into_iter().map(|one| one.email).collect();
    emails.sort();
    emails
}

#[tokio::test]
async fn oldest_requests_are_taken_once_and_can_be_repeated() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        for (id, email, at_ms) in [("1", "b@x.y", 20), ("2", "a@x.y", 10), ("3", "c@x.y", 30)] {
            request(&db, notice(id, email, at_ms)).await;
        }
        request(&db, notice("4", "a@x.y", 40)).await;
        assert_eq!(
            read!(db, db => db.products_with_stock_notices().await?),
            [goda()]
        );
        assert_eq!(
            read!(db, db => db.waiting_stock_notices_of("A@X.y").await?),
            1
        );
        assert_eq!(
            take(&db, 2, 100).await,
            ["a@x.y", "b@x.y"],
            "a keeps its place"
        );
        assert_eq!(
            read!(db, db => db.stock_notices_sent_since(&goda(), 99).await?),
            2
        );
        assert_eq!(
            read!(db, db => db.stock_notices_sent_since(&goda(), 100).await?),
            0
        );
        request(&db, notice("5", "a@x.y", 110)).await;
        assert_eq!(take(&db, 9, 120).await, ["a@x.y", "c@x.y"]);
        assert!(take(&db, 9, 130).await.is_empty());
        assert!(read!(db, db => db.products_with_stock_notices().await?).is_empty());
        let of_a = read!(db, db => db.stock_notices_of("a@X.Y").await?);
        assert_eq!((of_a.len(), of_a[0].notified_at_ms), (1, Some(120)));
        let wrong = read!(db, db => db.stock_notices_without_email().await?);
        assert_eq!(wrong.len(), 3, "nothing has written the emails");
        write!(db, tx => tx.delete_old_stock_notices(121, 0).await?);
        assert!(read!(db, db => db.stock_notices_of("a@x.y").await?).is_empty());
    })
    .await;
}

#[tokio::test]
async fn concurrent_takers_share_the_requests() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        for number in 0..10 {
            request(
                &db,
                notice(&number.to_string(), &format!("{number}@x.y"), number),
            )
            .await;
        }
        let mut takers = JoinSet::new();
        for number in 0..8 {
            let db = db.clone();
            takers.spawn(async move { take(&db, 4, 100 + number).await });
        }
        let mut taken: Vec<_> = takers.join_all().await.concat();
        taken.sort();
        let distinct = taken.len();
        taken.dedup();
        assert_eq!((distinct, taken.len()), (10, 10));
    })
    .await;
}

#[tokio::test]
async fn stopping_deletes_requests_and_unknown_tokens_store_nothing() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        request(&db, notice("1", "a@x.y", 1)).await;
        for token in ["token of a@x.y", "unknown"] {
            write!(db, tx => tx.stop_stock_notices(token, 5).await?);
        }
        assert!(read!(db, db => db.stock_notices_of("a@x.y").await?).is_empty());
        let is_stopped = |token: &'static str| {
            let db = db.clone();
            async move { read!(db, db => db.are_stock_notices_stopped(token).await?) }
        };
        assert!(is_stopped("token of a@x.y").await && !is_stopped("unknown").await);
        write!(db, tx => tx.allow_stock_notices("token of a@x.y").await?);
        assert!(!is_stopped("token of a@x.y").await);
    })
    .await;
}
