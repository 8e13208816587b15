//! The reads of a checkout, and the reservation of stock.

use mirasa_app::repository::payments::checkout::ResumableOrder;
use mirasa_app::repository::{Database, StoreError};
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::OrderId;
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::Stock;
use mirasa_domain::user::UserId;

use crate::engines::{add_user, constraint, for_each_engine, read, write};
use crate::orders::{line, order, place};
use crate::products::add_product;
use crate::users::address;

async fn resumable_orders(
    db: &Database,
    user: &UserId,
    key: Option<&'static str>,
) -> Vec<(OrderId, Option<String>)> {
    let user = user.clone();
    let open = write!(db, tx => tx.begin_checkout(&user, &"none".into(), key).await?).orders;
    let ids = |found: ResumableOrder| (found.order.id, found.key_body_hash);
    open.into_iter().map(ids).collect()
}

#[tokio::test]
async fn idempotency_key_belongs_to_one_user_and_can_be_deleted() {
    for_each_engine(|shop| async move {
        let asha = add_user(&shop.db, "asha").await.id;
        let ravi = add_user(&shop.db, "ravi").await.id;
        let placed = order("o1", &asha, 1, vec![line("goda", 1, 0)]);
        place(&shop.db, &placed).await;
        let id = asha.clone();
        write!(shop.db, tx => tx.insert_idempotency_key(&id, "k", "hash", &"o1".into(), 1).await?);
        let with_hash = [("o1".into(), Some("hash".to_owned()))];
        assert_eq!(
            resumable_orders(&shop.db, &asha, Some("k")).await,
            with_hash
        );
        assert!(
            resumable_orders(&shop.db, &ravi, Some("k"))
                .await
                .is_empty()
        );
        assert_eq!(
            resumable_orders(&shop.db, &asha, Some("other")).await,
            [("o1".into(), None)],
            "it is pending"
        );
        let ended = placed.state.failed(EndReason::Failed);
        write!(shop.db, tx => tx.save_order_state(&"o1".into(), ended, None, None, 2).await?);
        assert!(resumable_orders(&shop.db, &asha, None).await.is_empty());
        assert_eq!(
            resumable_orders(&shop.db, &asha, Some("k")).await,
            with_hash,
            "in any state"
        );
        let id = asha.clone();
        let twice: Result<(), StoreError> = shop
            .db
            .write(async move |tx| {
                tx.insert_idempotency_key(&id, "k", "other", &"o1".into(), 2)
                    .await
            })
            .await;
        assert!(!constraint(twice).is_empty());
        write!(shop.db, tx => tx.delete_idempotency_keys(&"o1".into()).await?);
        assert!(
            resumable_orders(&shop.db, &asha, Some("k"))
                .await
                .is_empty()
        );
    })
    .await;
}

#[tokio::test]
async fn begin_checkout_reads_only_the_users_own_rows() {
    for_each_engine(|shop| async move {
        let asha = add_user(&shop.db, "asha").await.id;
        let ravi = add_user(&shop.db, "ravi").await.id;
        let id = asha.clone();
        write!(shop.db, tx => tx.insert_address(&id, &address("home", true), 1).await?);
        let placed = order("o1", &asha, 1, vec![line("goda", 1, 0), line("chai", 0, 2)]);
        place(&shop.db, &placed).await;
        let start = write!(shop.db, tx => tx.begin_checkout(&asha, &"home".into(), None).await?);
        let (found, open) = (start.address, start.orders);
        assert_eq!(found, Some(address("home", true)));
        let open: Vec<_> = open.into_iter().map(|open| open.order).collect();
        assert_eq!(open, [placed]);
        let start = write!(shop.db, tx => tx.begin_checkout(&ravi, &"home".into(), None).await?);
        let (found, open) = (start.address, start.orders);
        assert_eq!((found, open), (None, vec![]));
    })
    .await;
}

#[tokio::test]
async fn concurrent_checkouts_of_one_user_are_serialised() {
    for_each_engine(|shop| async move {
        // For the later users the connections of the pool are already open.
        for (name, has_address) in [("asha", true), ("ravi", false), ("meera", true)] {
            let user = add_user(&shop.db, name).await.id;
            if has_address {
                let id = user.clone();
                write!(shop.db, tx => tx.insert_address(&id, &address(name, true), 1).await?);
            }
            let clicks = (0..12).map(|click| {
                let (db, user) = (shop.db.clone(), user.clone());
                let new = order(
                    &format!("{name}-{click}"),
                    &user,
                    1,
                    vec![line("goda", 1, 0)],
                );
                async move {
                    write!(db, tx => {
                        let open = tx.begin_checkout(&user, &name.into(), None).await?.orders;
                        if open.is_empty() {
                            tx.insert_order(&new).await?;
                        }
                        open.len()
                    })
                }
            });
            let mut seen = futures::future::join_all(clicks).await;
            seen.sort_unstable();
            assert_eq!(seen, [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn reserve_stock_fails_completely_if_one_product_is_short() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        let ids = [
            add_product(&shop.db, "One").await.id,
            add_product(&shop.db, "Two").await.id,
        ];
        // Two lines of one product are one movement.
        let lines = vec![line("two", 2, 1), line("one", 1, 0), line("two", 1, 0)];
        let placed = order("o1", &user, 1, lines.clone());
        place(&shop.db, &placed).await;
        let locked = ids.clone();
        write!(shop.db, tx => {
            tx.lock_products(&locked).await?;
            tx.reserve_stock(&"o1".into(), &lines, 5).await?
        });
        let stock =
            async |id: ProductId| read!(shop.db, db => db.product(&id).await?).unwrap().stock;
        let left = [
            Stock {
                grams: 950,
                pouches_50g: 9,
                pouches_100g: 5,
            },
            Stock {
                grams: 750,
                pouches_50g: 7,
                pouches_100g: 4,
            },
        ];
        assert_eq!(
            [stock(ids[0].clone()).await, stock(ids[1].clone()).await],
            left
        );
        assert!(read!(shop.db, db => db.orders_not_matching_ledger().await?).is_empty());

        for (order_id, lines) in [
            ("o2", vec![line("one", 1, 0), line("two", 0, 5)]),
            // The same movement cannot be recorded twice.
            ("o1", placed.lines.clone()),
        ] {
            let new = order("o2", &user, 2, lines.clone());
            let taken: Result<(), StoreError> = shop
                .db
                .write(async move |tx| {
                    tx.insert_order(&new).await?;
                    tx.reserve_stock(&order_id.into(), &lines, 6).await
                })
                .await;
            assert!(!constraint(taken).is_empty());
            assert_eq!(
                [stock(ids[0].clone()).await, stock(ids[1].clone()).await],
                left
            );
            assert_eq!(read!(shop.db, db => db.order(&"o2".into()).await?), None);
        }
        assert!(read!(shop.db, db => db.products_not_matching_ledger().await?).is_empty());
    })
    .await;
}
