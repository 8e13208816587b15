//! Transactions: rollback, concurrency, timeouts and panics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mirasa_app::repository::StoreError;
use mirasa_app::repository::customers::sessions::NewSession;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockAdjustment};
use mirasa_store::{DatabaseUrl, PoolSize};

use crate::engines::{
    add_user, connect_directly, constraint, for_each_engine, postgres, read, write,
};
use crate::products::add_product;

#[tokio::test]
async fn failed_write_is_rolled_back() {
    for_each_engine(|shop| async move {
        let product = add_product(&shop.db, "Goda").await;
        let id = product.id.clone();
        let result: Result<(), StoreError> = shop
            .db
            .write(async move |tx| {
                tx.set_visibility(&id, false, 2).await?;
                Err(StoreError::Broken(anyhow::anyhow!("fails")))
            })
            .await;
        assert!(result.is_err());
        let id = product.id.clone();
        assert!(
            read!(shop.db, db => db.product(&id).await?)
                .unwrap()
                .is_visible
        );
    })
    .await;
}

#[tokio::test]
async fn deferred_statement_that_fails_rolls_back_the_write() {
    for_each_engine(|shop| async move {
        let id = add_product(&shop.db, "Goda").await.id;
        let session = NewSession {
            token_hash: "known".into(),
            user: add_user(&shop.db, "asha").await.id,
            created_at_ms: 1,
            expires_at_ms: 2,
        };
        let again = session.clone();
        write!(shop.db, tx => tx.insert_session(&session).await?);
        for statements_after in 0..3 {
            let (id, again) = (id.clone(), again.clone());
            let written: Result<(), StoreError> = shop
                .db
                .write(async move |tx| {
                    tx.set_visibility(&id, false, 2).await?;
                    tx.insert_session(&again).await?;
                    for _ in 0..statements_after {
                        tx.product(&id).await?;
                    }
                    Ok(())
                })
                .await;
            let name = constraint(written);
            assert!(name.contains("sessions"), "{name}");
        }
        let product = read!(shop.db, db => db.product(&id).await?);
        assert!(product.unwrap().is_visible);
    })
    .await;
}

/// Only on PostgreSQL: on SQLite the writer thread finishes a write that was cancelled.
#[tokio::test]
async fn cancelled_write_is_rolled_back() {
    let shop = postgres().await;
    let id = add_product(&shop.db, "Goda").await.id;
    // Twice, with more writes than connections.
    for _ in 0..2 {
        let cancelled = (0..12).map(|_| {
            let (db, id) = (shop.db.clone(), id.clone());
            let half = async move {
                db.write::<(), StoreError>(async move |tx| {
                    tx.set_visibility(&id, false, 2).await?;
                    std::future::pending().await
                })
                .await
            };
            tokio::time::timeout(Duration::from_millis(200), half)
        });
        for result in futures::future::join_all(cancelled).await {
            assert!(result.is_err(), "it times out");
        }
    }
    let seen = id.clone();
    let product = read!(shop.db, db => db.product(&seen).await?);
    assert!(product.unwrap().is_visible);
    write!(shop.db, tx => tx.set_visibility(&id, false, 3).await?);
}

#[tokio::test]
async fn hanging_database_times_out() {
    let shop = postgres().await;
    let id = add_product(&shop.db, "Goda").await.id;
    let DatabaseUrl::Postgres(url) = &shop.url else {
        unreachable!()
    };
    let other = connect_directly(url).await;
    let lock = "begin; lock table products in access exclusive mode";
    other.batch_execute(lock).await.unwrap();
    let (began, hidden, seen) = (Instant::now(), id.clone(), id.clone());
    let write = shop
        .db
        .write::<(), StoreError>(async move |tx| tx.set_visibility(&hidden, false, 2).await);
    let point_read = shop
        .db
        .point_read::<_, StoreError>(async move |db| db.product(&seen).await.map(drop));
    let (written, read) = futures::future::join(write, point_read).await;
    let is_unavailable = |result| matches!(result, Err(StoreError::Unavailable(_)));
    assert!(is_unavailable(written) && is_unavailable(read));
    assert!(began.elapsed() < Duration::from_secs(9));
    other.batch_execute("rollback").await.unwrap();
    let seen = id.clone();
    let product = read!(shop.db, db => db.product(&seen).await?);
    assert!(product.unwrap().is_visible);
    write!(shop.db, tx => tx.set_visibility(&id, false, 3).await?);
}

#[tokio::test]
async fn concurrent_writes_are_all_applied() {
    for_each_engine(|shop| async move {
        let product = add_product(&shop.db, "Goda").await;
        let user = add_user(&shop.db, "asha").await;
        let db = Arc::new(shop.db);
        let writers = (0..40).map(|number| {
            let (db, id, user) = (db.clone(), product.id.clone(), user.id.clone());
            tokio::spawn(async move {
                db.write(async move |tx| {
                    tx.lock_user(&user).await?;
                    let in_cart = tx
                        .cart(&user)
                        .await?
                        .lines
                        .first()
                        .map_or(Packs::ZERO, |line| line.packs);
                    let more = Packs {
                        of_50g: in_cart.of_50g + 1,
                        ..in_cart
                    };
                    tx.upsert_cart_line(&user, &id, more, Prices::default(), 1)
                        .await?;
                    tx.adjust_stock(
                        &id,
                        Stock {
                            grams: 1,
                            ..Stock::default()
                        },
                        StockAdjustment::Manual,
                        &format!("move-{number}"),
                        2,
                    )
                    .await
                })
                .await
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap().unwrap();
        }
        let (id, user) = (product.id.clone(), user.id);
        assert_eq!(
            read!(db, db => db.product(&id).await?).unwrap().stock.grams,
            1040
        );
        assert_eq!(
            read!(db, db => db.cart(&user).await?).lines[0].packs.of_50g,
            40,
            "writes of one user are serialised"
        );
    })
    .await;
}

#[tokio::test]
async fn panic_in_one_write_does_not_affect_others() {
    for_each_engine(|shop| async move {
        add_product(&shop.db, "Goda").await;
        let db = Arc::new(shop.db);
        let bad = db.clone();
        let panicked = tokio::spawn(async move {
            bad.write::<(), StoreError>(async move |tx| {
                tx.set_visibility(&ProductId("goda".into()), false, 2)
                    .await?;
                panic!("test")
            })
            .await
        });
        // On PostgreSQL the panic reaches the task of the caller; on SQLite it is returned as an error.
        assert!(panicked.await.map_or(true, |result| result.is_err()));
        write!(db, tx => tx.set_trending_rank(&ProductId("goda".into()), None, 3).await?);
        assert!(
            read!(db, db => db.product(&ProductId("goda".into())).await?)
                .unwrap()
                .is_visible
        );
    })
    .await;
}

/// On SQLite these writes share commits.
#[tokio::test]
async fn failed_write_in_a_batch_is_rolled_back_alone() {
    for_each_engine(|shop| async move {
        let product = add_product(&shop.db, "Goda").await;
        let db = Arc::new(shop.db);
        let writers = (0..60).map(|number| {
            let (db, id) = (db.clone(), product.id.clone());
            tokio::spawn(async move {
                db.write(async move |tx| {
                    let gram = Stock {
                        grams: 1,
                        ..Stock::default()
                    };
                    let row = format!("move-{number}");
                    tx.adjust_stock(&id, gram, StockAdjustment::Manual, &row, 2)
                        .await?;
                    if number % 3 == 0 {
                        return Err(StoreError::Broken(anyhow::anyhow!("fails")));
                    }
                    Ok(())
                })
                .await
            })
        });
        let mut committed = 0;
        for writer in writers.collect::<Vec<_>>() {
            committed += i64::from(writer.await.unwrap().is_ok());
        }
        assert_eq!(committed, 40);
        let id = product.id.clone();
        let after = read!(db, db => db.product(&id).await?).unwrap();
        assert_eq!(after.stock.grams, product.stock.grams + committed);
        let wrong = read!(db, db => db.products_not_matching_ledger().await?);
        assert_eq!(wrong, []);
    })
    .await;
}

/// SQLite has one writer: a transaction that waits would block all others.
#[tokio::test]
async fn sqlite_write_must_not_wait() {
    let shop = crate::engines::sqlite().await;
    let product = add_product(&shop.db, "Goda").await;
    let id = product.id.clone();
    let result: Result<(), StoreError> = shop
        .db
        .write(async move |tx| {
            tx.set_visibility(&id, false, 2).await?;
            std::future::pending::<()>().await;
            Ok(())
        })
        .await;
    assert!(matches!(result, Err(StoreError::Broken(_))), "{result:?}");
    let id = product.id.clone();
    let after = read!(shop.db, db => db.product(&id).await?).unwrap();
    assert!(after.is_visible);
    let id = product.id;
    write!(shop.db, tx => tx.set_trending_rank(&id, None, 3).await?);
}

#[tokio::test]
async fn concurrent_instances_can_migrate() {
    let folder = tempfile::tempdir().unwrap();
    let fresh_postgres = postgres().await.url;
    for url in [
        DatabaseUrl::Sqlite(folder.path().join("new/shop.db")),
        fresh_postgres,
    ] {
        let opening = (0..6).map(|_| {
            let url = url.clone();
            tokio::spawn(async move { mirasa_store::open(&url, PoolSize(1)).await.map(drop) })
        });
        for opened in opening.collect::<Vec<_>>() {
            opened.await.unwrap().unwrap();
        }
    }
}

#[tokio::test]
async fn ping_succeeds_on_a_running_database() {
    for_each_engine(|shop| async move { shop.db.ping().await.unwrap() }).await;
}
