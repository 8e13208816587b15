//! Transactions: whole or not at all, one after another where they meet, and a panic harms nobody else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mirasa_app::repository::StoreError;
use mirasa_app::repository::sessions::NewSession;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockAdjustment};
use mirasa_store::{DatabaseUrl, PoolSize};

use crate::engines::{a_user, beside, constraint, for_each_engine, postgres, read, write};
use crate::products::a_product;

#[tokio::test]
async fn a_refused_write_leaves_nothing_behind() {
    for_each_engine(|shop| async move {
        let product = a_product(&shop.db, "Goda").await;
        let id = product.id.clone();
        let refused: Result<(), StoreError> = shop
            .db
            .write(move |tx| {
                Box::pin(async move {
                    tx.set_visibility(&id, false, 2).await?;
                    Err(StoreError::Broken(anyhow::anyhow!("changed my mind")))
                })
            })
            .await;
        assert!(refused.is_err());
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
async fn a_statement_that_fails_takes_the_whole_write_with_it_though_nobody_asked() {
    for_each_engine(|shop| async move {
        let id = a_product(&shop.db, "Goda").await.id;
        let session = NewSession {
            token_hash: "known".into(),
            user: a_user(&shop.db, "asha").await.id,
            created_at_ms: 1,
            expires_at_ms: 2,
        };
        let again = session.clone();
        write!(shop.db, tx => tx.insert_session(&session).await?);
        for statements_after in 0..3 {
            let (id, again) = (id.clone(), again.clone());
            let written: Result<(), StoreError> = shop
                .db
                .write(move |tx| {
                    Box::pin(async move {
                        tx.set_visibility(&id, false, 2).await?;
                        tx.insert_session(&again).await?;
                        for _ in 0..statements_after {
                            tx.product(&id).await?;
                        }
                        Ok(())
                    })
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

/// On SQLite a write that has begun goes on to its end; here it is the caller who does it.
#[tokio::test]
async fn a_write_that_is_left_half_done_leaves_nothing_behind() {
    let shop = postgres().await;
    let id = a_product(&shop.db, "Goda").await.id;
    // More than there are connections, twice.
    for _ in 0..2 {
        let leaving = (0..12).map(|_| {
            let (db, id) = (shop.db.clone(), id.clone());
            let half = async move {
                db.write::<(), StoreError>(move |tx| {
                    Box::pin(async move {
                        tx.set_visibility(&id, false, 2).await?;
                        std::future::pending().await
                    })
                })
                .await
            };
            tokio::time::timeout(Duration::from_millis(200), half)
        });
        for left in futures::future::join_all(leaving).await {
            assert!(left.is_err(), "it was to be left half done");
        }
    }
    let seen = id.clone();
    let product = read!(shop.db, db => db.product(&seen).await?);
    assert!(product.unwrap().is_visible);
    write!(shop.db, tx => tx.set_visibility(&id, false, 3).await?);
}

#[tokio::test]
async fn a_database_that_stands_still_is_not_waited_for() {
    let shop = postgres().await;
    let id = a_product(&shop.db, "Goda").await.id;
    let DatabaseUrl::Postgres(url) = &shop.url else {
        unreachable!()
    };
    let other = beside(url).await;
    let hold = "begin; lock table products in access exclusive mode";
    other.batch_execute(hold).await.unwrap();
    let (began, hidden, seen) = (Instant::now(), id.clone(), id.clone());
    let writing = shop.db.write::<(), StoreError>(move |tx| {
        Box::pin(async move { tx.set_visibility(&hidden, false, 2).await })
    });
    let glancing = shop.db.point_read::<_, StoreError>(move |db| {
        Box::pin(async move { db.product(&seen).await.map(drop) })
    });
    let (written, glanced) = futures::future::join(writing, glancing).await;
    let is_away = |told| matches!(told, Err(StoreError::Unavailable(_)));
    assert!(is_away(written) && is_away(glanced));
    assert!(began.elapsed() < Duration::from_secs(9));
    other.batch_execute("rollback").await.unwrap();
    let seen = id.clone();
    let product = read!(shop.db, db => db.product(&seen).await?);
    assert!(product.unwrap().is_visible);
    write!(shop.db, tx => tx.set_visibility(&id, false, 3).await?);
}

#[tokio::test]
async fn many_writers_at_once_lose_nothing() {
    for_each_engine(|shop| async move {
        let product = a_product(&shop.db, "Goda").await;
        let user = a_user(&shop.db, "asha").await;
        let db = Arc::new(shop.db);
        let writers = (0..40).map(|number| {
            let (db, id, user) = (db.clone(), product.id.clone(), user.id.clone());
            tokio::spawn(async move {
                db.write(move |tx| {
                    Box::pin(async move {
                        tx.lock_user(&user).await?;
                        let held = tx
                            .cart(&user)
                            .await?
                            .0
                            .first()
                            .map_or(Packs::ZERO, |line| line.packs);
                        let more = Packs {
                            of_50g: held.of_50g + 1,
                            ..held
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
            read!(db, db => db.cart(&user).await?).0[0].packs.of_50g,
            40,
            "two tabs take turns"
        );
    })
    .await;
}

#[tokio::test]
async fn a_panic_in_one_write_harms_no_other() {
    for_each_engine(|shop| async move {
        a_product(&shop.db, "Goda").await;
        let db = Arc::new(shop.db);
        let bad = db.clone();
        let panicked = tokio::spawn(async move {
            bad.write::<(), StoreError>(|tx| {
                Box::pin(async move {
                    tx.set_visibility(&ProductId("goda".into()), false, 2)
                        .await?;
                    panic!("on purpose")
                })
            })
            .await
        });
        // On PostgreSQL the panic reaches the caller's own task; on SQLite it comes back as an error.
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

/// On SQLite these share their commits.
#[tokio::test]
async fn a_refusal_among_many_takes_only_its_own_back() {
    for_each_engine(|shop| async move {
        let product = a_product(&shop.db, "Goda").await;
        let db = Arc::new(shop.db);
        let writers = (0..60).map(|number| {
            let (db, id) = (db.clone(), product.id.clone());
            tokio::spawn(async move {
                db.write(move |tx| {
                    Box::pin(async move {
                        let gram = Stock {
                            grams: 1,
                            ..Stock::default()
                        };
                        let row = format!("move-{number}");
                        tx.adjust_stock(&id, gram, StockAdjustment::Manual, &row, 2)
                            .await?;
                        if number % 3 == 0 {
                            return Err(StoreError::Broken(anyhow::anyhow!("changed my mind")));
                        }
                        Ok(())
                    })
                })
                .await
            })
        });
        let mut kept = 0;
        for writer in writers.collect::<Vec<_>>() {
            kept += i64::from(writer.await.unwrap().is_ok());
        }
        assert_eq!(kept, 40);
        let id = product.id.clone();
        let after = read!(db, db => db.product(&id).await?).unwrap();
        assert_eq!(after.stock.grams, product.stock.grams + kept);
        let unexplained = read!(db, db => db.products_not_matching_ledger().await?);
        assert_eq!(unexplained, []);
    })
    .await;
}

/// SQLite has one writer: whoever waits in a transaction makes everybody wait.
#[tokio::test]
async fn a_write_may_not_wait_for_the_outside_world() {
    let shop = crate::engines::sqlite().await;
    let product = a_product(&shop.db, "Goda").await;
    let id = product.id.clone();
    let waited: Result<(), StoreError> = shop
        .db
        .write(move |tx| {
            Box::pin(async move {
                tx.set_visibility(&id, false, 2).await?;
                std::future::pending::<()>().await;
                Ok(())
            })
        })
        .await;
    assert!(matches!(waited, Err(StoreError::Broken(_))), "{waited:?}");
    let id = product.id.clone();
    let after = read!(shop.db, db => db.product(&id).await?).unwrap();
    assert!(after.is_visible);
    let id = product.id;
    write!(shop.db, tx => tx.set_trending_rank(&id, None, 3).await?);
}

#[tokio::test]
async fn several_instances_may_migrate_at_once() {
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
async fn a_database_that_answers_is_ready() {
    for_each_engine(|shop| async move { shop.db.ping().await.unwrap() }).await;
}
