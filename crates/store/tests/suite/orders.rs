//! Orders and their stock.

use mirasa_app::repository::payments::PaymentDetails;
use mirasa_app::repository::{Database, StoreError};
use mirasa_domain::address::{Address, AddressInput};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderLine, OrderState, OrderStatus, PaymentStatus};
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::payment::{PaymentAttempt, PaymentAttemptState};
use mirasa_domain::product::ProductId;
use mirasa_domain::stock::{Stock, StockMovement};
use mirasa_domain::user::UserId;

use crate::engines::{add_user, constraint, for_each_engine, read, write};
use crate::products::add_product;

fn address() -> Address {
    let input = AddressInput {
        address_name: "Home".into(),
        name: "Asha \"Tai\" O'Neil".into(),
        phone: "9876543210".into(),
        line1: "12 Laxmi Road".into(),
        line2: String::new(),
        city: "पुणे".into(),
        state: "Maharashtra".into(),
        pincode: "411030".into(),
    };
    Address::parse(&input).unwrap()
}

pub fn line(product: &str, of_50g: u32, of_100g: u32) -> OrderLine {
    let prices = Prices {
        of_50g: Some(Paise::new(6550)),
        of_100g: (of_100g > 0).then(|| Paise::new(12_000)),
    };
    let packs = Packs { of_50g, of_100g };
    OrderLine {
        product: ProductId(product.into()),
        product_name: format!("{product} at that time"),
        image: "a.webp".into(),
        packs,
        prices,
        discount: Paise::ZERO,
        total: prices.total(packs),
        restocked: Packs::ZERO,
    }
}

pub fn order(id: &str, user: &UserId, at_ms: i64, lines: Vec<OrderLine>) -> Order {
    Order {
        id: id.into(),
        user: user.clone(),
        merchant_order_id: format!("M-{id}").into(),
        state: OrderState {
            total: lines.iter().map(|line| line.total).sum(),
            payment_status: PaymentStatus::Pending,
            order_status: OrderStatus::Pending,
            stock_reserved: true,
            end_reason: None,
        },
        payment_error: None,
        paid_by_attempt: None,
        address: address(),
        expires_at_ms: at_ms + 900,
        created_at_ms: at_ms,
        updated_at_ms: at_ms,
        deleted_at_ms: None,
        delivered_at_ms: None,
        packed_at_ms: None,
        version: 0,
        sends_refunded: false,
        replaces_order_id: None,
        discount: None,
        lines,
    }
}

pub fn attempt(number: &str, order_id: &str, at_ms: i64) -> PaymentAttempt {
    PaymentAttempt {
        merchant_order_id: number.into(),
        order_id: order_id.into(),
        amount: Paise::new(6550),
        state: PaymentAttemptState::Opening,
        redirect_url: None,
        expires_at_ms: at_ms + 900,
        created_at_ms: at_ms,
        polled_at_ms: 0,
    }
}

/// Inserts an order with its first attempt, as checkout does, but without the stock movement.
pub async fn place(db: &Database, order: &Order) {
    let order = order.clone();
    write!(db, tx => {
        tx.insert_order(&order).await?;
        let first = attempt(
            order.merchant_order_id.as_str(),
            order.id.as_str(),
            order.created_at_ms,
        );
        tx.insert_attempt(&first, order.created_at_ms + 10).await?
    });
}

#[tokio::test]
async fn order_is_read_as_it_was_stored() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        let placed = order(
            "o1",
            &user,
            100,
            vec![line("goda", 2, 1), line("chai", 1, 0)],
        );
        place(&shop.db, &placed).await;
        assert_eq!(
            read!(shop.db, db => db.order(&"o1".into()).await?),
            Some(placed.clone())
        );
        assert_eq!(
            read!(shop.db, db => db.order_by_payment_attempt(&"M-o1".into()).await?),
            Some(placed.clone())
        );
        assert_eq!(read!(shop.db, db => db.order(&"o2".into()).await?), None);
        let id = user.clone();
        assert_eq!(
            read!(shop.db, db => db.pending_orders_of(&id).await?),
            std::slice::from_ref(&placed)
        );

        write!(shop.db, tx => {
            tx.lock_order(&"o1".into()).await?;
            tx.insert_attempt(&attempt("M2", "o1", 150), 160).await?;
            tx.set_current_attempt(&"o1".into(), &"M2".into(), 999).await?;
            assert!(tx.open_attempt(&"M2".into(), "https://pay", "OMO1", 888).await?)
        });
        let second = read!(shop.db, db => db.attempt(&"M2".into()).await?).unwrap();
        assert_eq!(
            (
                second.state,
                second.redirect_url.as_deref(),
                second.expires_at_ms
            ),
            (PaymentAttemptState::Open, Some("https://pay"), 888)
        );
        let now = read!(shop.db, db => db.order_by_payment_attempt(&"M-o1".into()).await?).unwrap();
        assert_eq!(
            (now.merchant_order_id.as_str(), now.expires_at_ms),
            ("M2", 999),
            "found by either attempt"
        );

        let settled = placed.state.completed();
        write!(shop.db, tx => {
            let details = PaymentDetails { received: Some(Paise::new(6550)), mode: Some("CARD"), transaction_id: Some("T1") };
            tx.close_attempt(&"M2".into(), PaymentAttemptState::Completed, details).await?;
            tx.save_order_state(&"o1".into(), settled, None, Some(&"M2".into()), 200).await?
        });
        // A late payment page does not open a closed attempt again.
        assert!(!write!(shop.db, tx => tx.open_attempt(&"M2".into(), "https://late", "OMO1", 1).await?));
        assert_eq!(
            read!(shop.db, db => db.attempt(&"M2".into()).await?).unwrap().state,
            PaymentAttemptState::Completed
        );
        let now = read!(shop.db, db => db.order(&"o1".into()).await?).unwrap();
        assert_eq!(
            (now.state, now.paid_by_attempt, now.updated_at_ms),
            (settled, Some("M2".into()), 200)
        );
        let id = user.clone();
        assert!(read!(shop.db, db => db.pending_orders_of(&id).await?).is_empty());
        let id = user.clone();
        assert_eq!(read!(shop.db, db => db.orders_of(&id).await?).len(), 1);

        assert!(write!(shop.db, tx => tx.set_order_status(&"o1".into(), OrderStatus::Shipped, 300).await?));
        assert!(write!(shop.db, tx => tx.delete_order(&"o1".into(), 400).await?));
        assert!(!write!(shop.db, tx => tx.delete_order(&"o1".into(), 400).await?));
        assert!(
            !write!(shop.db, tx => tx.set_order_status(&"o1".into(), OrderStatus::Pending, 400).await?)
        );
        assert_eq!(read!(shop.db, db => db.order(&"o1".into()).await?), None);
        assert!(
            read!(shop.db, db => db.order_by_payment_attempt(&"M2".into()).await?).is_some(),
            "its payments are still processed"
        );
        let id = user.clone();
        assert!(read!(shop.db, db => db.orders_of(&id).await?).is_empty());
    })
    .await;
}

async fn stock(db: &Database, id: &str) -> Stock {
    let id = ProductId(id.into());
    read!(db, db => db.product(&id).await?).unwrap().stock
}

#[tokio::test]
async fn stock_movement_applies_to_all_lines_or_none() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        add_product(&shop.db, "One").await;
        add_product(&shop.db, "Two").await;
        let lines = vec![line("two", 2, 1), line("one", 1, 0)];
        let placed = order("o1", &user, 1, lines.clone());
        place(&shop.db, &placed).await;
        let reserved = lines.clone();
        let left = write!(shop.db, tx => tx.apply_stock_movement(&"o1".into(), &reserved, StockMovement::Reserve, 5).await?).unwrap();
        assert_eq!(left.len(), 2);
        let two = Stock { grams: 800, pouches_50g: 8, pouches_100g: 4 };
        assert!(left.contains(&(ProductId("two".into()), two)));
        assert_eq!(stock(&shop.db, "two").await, two);

        // The stock of one product is not sufficient: neither changes, and the transaction can continue.
        let too_many = vec![line("one", 1, 0), line("two", 0, 5)];
        place(&shop.db, &order("o2", &user, 2, too_many.clone())).await;
        let moved = write!(shop.db, tx => {
            let moved = tx.apply_stock_movement(&"o2".into(), &too_many, StockMovement::Reserve, 6).await?;
            tx.set_order_status(&"o2".into(), OrderStatus::Cancelled, 6).await?;
            moved
        });
        assert_eq!(moved, None);
        assert_eq!(stock(&shop.db, "one").await, Stock { grams: 950, pouches_50g: 9, pouches_100g: 5 });
        assert!(read!(shop.db, db => db.products_not_matching_ledger().await?).is_empty());

        // The same movement cannot be recorded twice.
        let again = lines.clone();
        let twice: Result<_, StoreError> = shop.db.write(async move |tx| tx.apply_stock_movement(&"o1".into(), &again, StockMovement::Reserve, 7).await).await;
        assert!(!constraint(twice).is_empty());
        let back = lines.clone();
        write!(shop.db, tx => tx.apply_stock_movement(&"o1".into(), &back, StockMovement::Release, 8).await?).unwrap();
        assert_eq!(stock(&shop.db, "two").await, Stock { grams: 1000, pouches_50g: 10, pouches_100g: 5 });
        write!(shop.db, tx => tx.apply_stock_movement(&"o1".into(), &lines, StockMovement::ReserveAgain, 9).await?).unwrap();
        // Two lines of one product are added up.
        let split = vec![line("one", 5, 0), line("one", 5, 0)];
        place(&shop.db, &order("o3", &user, 3, split.clone())).await;
        assert_eq!(write!(shop.db, tx => tx.apply_stock_movement(&"o3".into(), &split, StockMovement::Reserve, 10).await?), None);
        let split = vec![line("one", 5, 0), line("one", 4, 0)];
        assert!(write!(shop.db, tx => tx.apply_stock_movement(&"o3".into(), &split, StockMovement::Reserve, 10).await?).is_some());
        assert_eq!(stock(&shop.db, "one").await.pouches_50g, 0);
        assert!(read!(shop.db, db => db.products_not_matching_ledger().await?).is_empty());

        write!(shop.db, tx => tx.lock_products(&[ProductId("two".into()), ProductId("one".into())]).await?);
        let ids = [ProductId("two".into()), ProductId("nothing".into())];
        assert_eq!(read!(shop.db, db => db.products_by_id(&ids).await?).len(), 1);
        assert!(read!(shop.db, db => db.products_by_id(&[]).await?).is_empty());
    })
    .await;
}

#[tokio::test]
async fn transaction_locks_all_its_products_at_once() {
    for_each_engine(|shop| async move {
        let [one, two] = ["one", "two"].map(|id| ProductId(id.into()));
        let (first, second) = (vec![one.clone()], vec![two.clone(), one.clone()]);
        let locked_later = shop.db.write(async move |tx| {
            tx.lock_products(&first).await?;
            tx.lock_products(&second).await
        });
        let error = locked_later.await.unwrap_err();
        assert!(format!("{error:?}").contains("two"), "{error:?}");
        let (both, first) = (vec![two, one.clone()], vec![one]);
        write!(shop.db, tx => {
            tx.lock_products(&both).await?;
            tx.lock_products(&first).await?
        });
    })
    .await;
}

#[tokio::test]
async fn ordered_packs_are_removed_from_the_cart() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        for name in ["One", "Two", "Three"] {
            let id = add_product(&shop.db, name).await.id;
            let user = user.clone();
            write!(shop.db, tx => tx.upsert_cart_line(&user, &id, Packs { of_50g: 3, of_100g: 1 }, Prices::default(), 1).await?);
        }
        let id = user.clone();
        let ordered = vec![line("one", 3, 1), line("two", 1, 5), line("gone", 1, 0)];
        write!(shop.db, tx => tx.remove_ordered_from_cart(&id, &ordered).await?);
        let mut left: Vec<_> = read!(shop.db, db => db.cart(&user).await?).lines.into_iter().map(|l| (l.product.0, l.packs.of_50g, l.packs.of_100g)).collect();
        left.sort();
        assert_eq!(left, [("three".into(), 3, 1), ("two".into(), 2, 0)]);
    })
    .await;
}
