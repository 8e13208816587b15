//! Orders, their goods, and whatever workers lease.

use mirasa_app::repository::outbox::OutboxEmail;
use mirasa_app::repository::{Database, StoreError};
use mirasa_domain::address::{Address, AddressInput};
use mirasa_domain::issue::{IssueKind, OrderIssue};
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderLine, OrderState, OrderStatus, PaymentStatus};
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::payment::{PaymentAttempt, PaymentAttemptState};
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::{Refund, RefundStatus};
use mirasa_domain::stock::{Stock, StockMovement};
use mirasa_domain::user::UserId;

use crate::engines::{a_user, constraint, for_each_engine, read, write};
use crate::products::a_product;

fn address() -> Address {
    let typed = AddressInput {
        address_name: "Home".into(),
        name: "Asha \"Tai\" O'Neil".into(),
        phone: "9876543210".into(),
        line1: "12 Laxmi Road".into(),
        line2: String::new(),
        city: "पुणे".into(),
        state: "Maharashtra".into(),
        pincode: "411030".into(),
    };
    Address::parse(&typed).unwrap()
}

pub fn line(product: &str, of_50g: u32, of_100g: u32) -> OrderLine {
    let prices = Prices {
        of_50g: Some(Paise::new(6550)),
        of_100g: (of_100g > 0).then(|| Paise::new(12_000)),
    };
    let packs = Packs { of_50g, of_100g };
    OrderLine {
        product: ProductId(product.into()),
        product_name: format!("{product} as it was called"),
        image: "a.webp".into(),
        packs,
        prices,
        total: prices.total(packs),
    }
}

pub fn order(id: &str, user: &UserId, at_ms: i64, lines: Vec<OrderLine>) -> Order {
    Order {
        id: id.into(),
        user: user.clone(),
        merchant_order_id: format!("M-{id}"),
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

/// An order with its first attempt, as checkout leaves it but for the stock.
pub async fn place(db: &Database, order: &Order) {
    let order = order.clone();
    write!(db, tx => {
        tx.insert_order(&order).await?;
        let first = attempt(&order.merchant_order_id, &order.id, order.created_at_ms);
        tx.insert_attempt(&first, order.created_at_ms + 10).await?
    });
}

#[tokio::test]
async fn an_order_comes_back_as_it_was_placed_and_settled() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
        let placed = order(
            "o1",
            &user,
            100,
            vec![line("goda", 2, 1), line("chai", 1, 0)],
        );
        place(&shop.db, &placed).await;
        assert_eq!(
            read!(shop.db, db => db.order("o1").await?),
            Some(placed.clone())
        );
        assert_eq!(
            read!(shop.db, db => db.order_by_payment_attempt("M-o1").await?),
            Some(placed.clone())
        );
        assert_eq!(read!(shop.db, db => db.order("o2").await?), None);
        let id = user.clone();
        assert_eq!(
            read!(shop.db, db => db.pending_orders_of(&id).await?),
            std::slice::from_ref(&placed)
        );

        write!(shop.db, tx => {
            tx.lock_order("o1").await?;
            tx.insert_attempt(&attempt("M2", "o1", 150), 160).await?;
            tx.set_current_attempt("o1", "M2", 999).await?;
            assert!(tx.open_attempt("M2", "https://pay", "OMO1", 888).await?)
        });
        let second = read!(shop.db, db => db.attempt("M2").await?).unwrap();
        assert_eq!(
            (
                second.state,
                second.redirect_url.as_deref(),
                second.expires_at_ms
            ),
            (PaymentAttemptState::Open, Some("https://pay"), 888)
        );
        let now = read!(shop.db, db => db.order_by_payment_attempt("M-o1").await?).unwrap();
        assert_eq!(
            (now.merchant_order_id.as_str(), now.expires_at_ms),
            ("M2", 999),
            "found by either number"
        );

        let settled = placed.state.completed();
        write!(shop.db, tx => {
            tx.close_attempt("M2", PaymentAttemptState::Completed, Some("CARD"), Some("T1")).await?;
            tx.save_order_state("o1", settled, None, Some("M2"), 200).await?
        });
        // A page that comes too late does not open what is closed.
        assert!(!write!(shop.db, tx => tx.open_attempt("M2", "https://late", "OMO1", 1).await?));
        assert_eq!(
            read!(shop.db, db => db.attempt("M2").await?).unwrap().state,
            PaymentAttemptState::Completed
        );
        let now = read!(shop.db, db => db.order("o1").await?).unwrap();
        assert_eq!(
            (now.state, now.paid_by_attempt.as_deref(), now.updated_at_ms),
            (settled, Some("M2"), 200)
        );
        let id = user.clone();
        assert!(read!(shop.db, db => db.pending_orders_of(&id).await?).is_empty());
        let id = user.clone();
        assert_eq!(read!(shop.db, db => db.orders_of(&id).await?).len(), 1);

        assert!(write!(shop.db, tx => tx.set_order_status("o1", OrderStatus::Shipped, 300).await?));
        assert!(write!(shop.db, tx => tx.delete_order("o1", 400).await?));
        assert!(!write!(shop.db, tx => tx.delete_order("o1", 400).await?));
        assert!(
            !write!(shop.db, tx => tx.set_order_status("o1", OrderStatus::Pending, 400).await?)
        );
        assert_eq!(read!(shop.db, db => db.order("o1").await?), None);
        assert!(
            read!(shop.db, db => db.order_by_payment_attempt("M2").await?).is_some(),
            "its money is still looked after"
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
async fn an_orders_goods_move_all_or_not_at_all() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
        a_product(&shop.db, "One").await;
        a_product(&shop.db, "Two").await;
        let lines = vec![line("two", 2, 1), line("one", 1, 0)];
        let placed = order("o1", &user, 1, lines.clone());
        place(&shop.db, &placed).await;
        let wanted = lines.clone();
        let left = write!(shop.db, tx => tx.apply_stock_movement("o1", &wanted, StockMovement::Reserve, 5).await?).unwrap();
        assert_eq!(left.len(), 2);
        let two = Stock { grams: 800, pouches_50g: 8, pouches_100g: 4 };
        assert!(left.contains(&(ProductId("two".into()), two)));
        assert_eq!(stock(&shop.db, "two").await, two);

        // One of them does not fit: the other stays as well, and the same transaction may go on.
        let too_many = vec![line("one", 1, 0), line("two", 0, 5)];
        place(&shop.db, &order("o2", &user, 2, too_many.clone())).await;
        let moved = write!(shop.db, tx => {
            let moved = tx.apply_stock_movement("o2", &too_many, StockMovement::Reserve, 6).await?;
            tx.set_order_status("o2", OrderStatus::Cancelled, 6).await?;
            moved
        });
        assert_eq!(moved, None);
        assert_eq!(stock(&shop.db, "one").await, Stock { grams: 950, pouches_50g: 9, pouches_100g: 5 });
        assert!(read!(shop.db, db => db.products_not_matching_ledger().await?).is_empty());

        // The same movement twice would be a double.
        let again = lines.clone();
        let twice: Result<_, StoreError> = shop.db.write(move |tx| Box::pin(async move { tx.apply_stock_movement("o1", &again, StockMovement::Reserve, 7).await })).await;
        assert!(!constraint(twice).is_empty());
        let back = lines.clone();
        write!(shop.db, tx => tx.apply_stock_movement("o1", &back, StockMovement::Release, 8).await?).unwrap();
        assert_eq!(stock(&shop.db, "two").await, Stock { grams: 1000, pouches_50g: 10, pouches_100g: 5 });
        write!(shop.db, tx => tx.apply_stock_movement("o1", &lines, StockMovement::ReserveAgain, 9).await?).unwrap();
        // Two lines of one product are one demand.
        let split = vec![line("one", 5, 0), line("one", 5, 0)];
        place(&shop.db, &order("o3", &user, 3, split.clone())).await;
        assert_eq!(write!(shop.db, tx => tx.apply_stock_movement("o3", &split, StockMovement::Reserve, 10).await?), None);
        let split = vec![line("one", 5, 0), line("one", 4, 0)];
        assert!(write!(shop.db, tx => tx.apply_stock_movement("o3", &split, StockMovement::Reserve, 10).await?).is_some());
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
async fn the_auditor_sees_what_does_not_agree() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
        a_product(&shop.db, "One").await;
        let lines = vec![line("one", 1, 0)];
        let placed = order("o1", &user, 1, lines.clone());
        place(&shop.db, &placed).await;
        assert_eq!(read!(shop.db, db => db.orders_not_matching_ledger().await?), ["o1"], "it holds what was never taken");
        let wanted = lines.clone();
        write!(shop.db, tx => tx.apply_stock_movement("o1", &wanted, StockMovement::Reserve, 5).await?);
        assert!(read!(shop.db, db => db.orders_not_matching_ledger().await?).is_empty());
        assert!(read!(shop.db, db => db.orders_with_wrong_reservation().await?).is_empty());
        assert!(read!(shop.db, db => db.orders_with_wrong_payment().await?).is_empty());

        let wrong = OrderState { stock_reserved: false, ..placed.state };
        write!(shop.db, tx => tx.save_order_state("o1", wrong, None, None, 2).await?);
        assert_eq!(read!(shop.db, db => db.orders_with_wrong_reservation().await?), ["o1"]);
        let done = placed.state.completed();
        write!(shop.db, tx => tx.save_order_state("o1", done, None, None, 2).await?);
        assert_eq!(read!(shop.db, db => db.orders_with_wrong_payment().await?), ["o1"], "nobody paid it");
        write!(shop.db, tx => {
            tx.save_order_state("o1", done, None, Some("M-o1"), 2).await?;
            tx.close_attempt("M-o1", PaymentAttemptState::Completed, None, None).await?
        });
        assert!(read!(shop.db, db => db.orders_with_wrong_payment().await?).is_empty());
        let mut stray = attempt("M9", "o1", 1);
        stray.state = PaymentAttemptState::Completed;
        write!(shop.db, tx => tx.insert_attempt(&stray, 1).await?);
        assert_eq!(read!(shop.db, db => db.orders_with_wrong_payment().await?), ["o1"], "money that nobody accounts for");
        let refund = refund("R1", "M9");
        write!(shop.db, tx => tx.insert_refund(&refund, 1).await?);
        assert!(read!(shop.db, db => db.orders_with_wrong_payment().await?).is_empty());
        assert_eq!(read!(shop.db, db => db.checked_counts().await?), (1, 1, 2));
    })
    .await;
}

#[tokio::test]
async fn bought_packs_leave_the_cart_and_others_stay() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
        for name in ["One", "Two", "Three"] {
            let id = a_product(&shop.db, name).await.id;
            let user = user.clone();
            write!(shop.db, tx => tx.upsert_cart_line(&user, &id, Packs { of_50g: 3, of_100g: 1 }, Prices::default(), 1).await?);
        }
        let id = user.clone();
        let bought = vec![line("one", 3, 1), line("two", 1, 5), line("gone", 1, 0)];
        write!(shop.db, tx => tx.remove_ordered_from_cart(&id, &bought).await?);
        let mut left: Vec<_> = read!(shop.db, db => db.cart(&user).await?).0.into_iter().map(|l| (l.product.0, l.packs.of_50g, l.packs.of_100g)).collect();
        left.sort();
        assert_eq!(left, [("three".into(), 3, 1), ("two".into(), 2, 0)]);
    })
    .await;
}

fn refund(id: &str, number: &str) -> Refund {
    Refund {
        id: id.into(),
        merchant_order_id: number.into(),
        order_id: "o1".into(),
        amount: Paise::new(6550),
        reason: "late".into(),
        status: RefundStatus::Requested,
        poll_count: 0,
    }
}

fn mail(id: &str, at_ms: i64) -> OutboxEmail {
    OutboxEmail {
        id: id.into(),
        order_id: Some("o1".into()),
        kind: "confirmed".into(),
        recipient: "asha@mirasa.example".into(),
        subject: "Your order".into(),
        text_body: "text".into(),
        html_body: "<p>".into(),
        attempts: 0,
        created_at_ms: at_ms,
        sent_at_ms: None,
    }
}

#[tokio::test]
async fn an_attempts_money_goes_back_once() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
        place(&shop.db, &order("o1", &user, 1, vec![line("goda", 1, 0)])).await;
        assert!(write!(shop.db, tx => tx.insert_refund(&refund("R1", "M-o1"), 10).await?));
        assert!(!write!(shop.db, tx => tx.insert_refund(&refund("R2", "M-o1"), 10).await?));
        assert!(
            write!(shop.db, tx => tx.lease_refunds(9, 99, 5).await?).is_empty(),
            "not due yet"
        );
        assert_eq!(
            write!(shop.db, tx => tx.lease_refunds(10, 100, 5).await?),
            [refund("R1", "M-o1")]
        );
        assert!(
            write!(shop.db, tx => tx.lease_refunds(50, 150, 5).await?).is_empty(),
            "leased"
        );
        assert!(write!(shop.db, tx => tx.update_refund("R1", RefundStatus::Pending, 200, 60).await?));
        assert!(write!(shop.db, tx => tx.lease_refunds(199, 300, 5).await?).is_empty());
        write!(shop.db, tx => tx.schedule_refund_now("R1", 150).await?);
        let due = write!(shop.db, tx => tx.lease_refunds(150, 300, 5).await?);
        assert_eq!((due[0].status, due[0].poll_count), (RefundStatus::Pending, 1));
        assert!(write!(shop.db, tx => tx.update_refund("R1", RefundStatus::Completed, 400, 160).await?));
        assert!(
            !write!(shop.db, tx => tx.update_refund("R1", RefundStatus::Completed, 400, 161).await?),
            "it ends once"
        );
        write!(shop.db, tx => tx.schedule_refund_now("R1", 1).await?);
        assert!(write!(shop.db, tx => tx.lease_refunds(9999, 10_000, 5).await?).is_empty());
    })
    .await;
}

#[tokio::test]
async fn nothing_is_leased_to_two_at_once() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
        for number in 0..30 {
            place(&shop.db, &order(&format!("o{number}"), &user, 1, vec![line("goda", 1, 0)])).await;
        }
        for number in 0..30 {
            write!(shop.db, tx => tx.insert_email(&mail(&format!("m{number}"), 1)).await?);
            write!(shop.db, tx => tx.insert_refund(&refund(&format!("R{number}"), &format!("M-o{number}")), 1).await?);
        }
        let db = std::sync::Arc::new(shop.db);
        let workers: Vec<_> = (0..8).map(|_| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut mine = Vec::new();
                for _ in 0..5 {
                    mine.extend(write!(db, tx => tx.lease_attempts(100, 1000, 3).await?).into_iter().map(|a| a.merchant_order_id));
                    mine.extend(write!(db, tx => tx.lease_emails(100, 1000, 3).await?).into_iter().map(|m| m.id));
                    mine.extend(write!(db, tx => tx.lease_refunds(100, 1000, 3).await?).into_iter().map(|r| r.id));
                }
                mine
            })
        }).collect();
        let mut all = Vec::new();
        for worker in workers {
            all.extend(worker.await.unwrap());
        }
        // A loser of a race may go home with less than there was; the next round finds the rest.
        for _ in 0..10 {
            all.extend(write!(db, tx => tx.lease_attempts(100, 1000, 3).await?).into_iter().map(|a| a.merchant_order_id));
            all.extend(write!(db, tx => tx.lease_emails(100, 1000, 3).await?).into_iter().map(|m| m.id));
            all.extend(write!(db, tx => tx.lease_refunds(100, 1000, 3).await?).into_iter().map(|r| r.id));
        }
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!((all.len(), count), (90, 90));
        // Who dies leaves the lease to run out.
        assert_eq!(write!(db, tx => tx.lease_attempts(1000, 2000, 99).await?).len(), 30);
        write!(db, tx => tx.schedule_poll("M-o1", 1100, 1500).await?);
        assert!(write!(db, tx => tx.lease_attempts(1499, 2000, 99).await?).is_empty());
        let again = write!(db, tx => tx.lease_attempts(1500, 2000, 99).await?);
        assert_eq!((again.len(), again[0].polled_at_ms), (1, 1100));
        write!(db, tx => tx.close_attempt("M-o1", PaymentAttemptState::Failed, None, None).await?);
        assert_eq!(write!(db, tx => tx.lease_attempts(9000, 9999, 99).await?).len(), 29, "what is over is left alone");
    })
    .await;
}

#[tokio::test]
async fn a_letter_is_tried_until_it_is_sent() {
    for_each_engine(|shop| async move {
        write!(shop.db, tx => { tx.insert_email(&mail("m1", 10)).await?; tx.insert_email(&mail("m2", 20)).await? });
        assert_eq!(write!(shop.db, tx => tx.lease_emails(15, 99, 9).await?), [mail("m1", 10)]);
        write!(shop.db, tx => tx.mark_email_failed("m1", "refused", 50).await?);
        assert!(write!(shop.db, tx => tx.lease_emails(19, 99, 9).await?).is_empty());
        let due = write!(shop.db, tx => tx.lease_emails(50, 99, 9).await?);
        assert_eq!(due.iter().map(|m| m.attempts).collect::<Vec<_>>().iter().sum::<i64>(), 1);
        assert_eq!(due.len(), 2);
        write!(shop.db, tx => tx.mark_emails_sent(&["m1".to_owned()], 60).await?);
        let sent = read!(shop.db, db => db.email("m1").await?).unwrap();
        assert_eq!((sent.sent_at_ms, sent.attempts), (Some(60), 2));
        assert_eq!(read!(shop.db, db => db.email("m9").await?), None);
        let recent = read!(shop.db, db => db.recent_emails(9).await?);
        assert_eq!(recent.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(), ["m2", "m1"]);
        let due = write!(shop.db, tx => tx.lease_emails(99, 199, 9).await?);
        assert_eq!(due.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(), ["m2"]);
    })
    .await;
}

#[tokio::test]
async fn issue_same_kind_and_subject_is_opened_and_resolved_once() {
    for_each_engine(|shop| async move {
        let user = a_user(&shop.db, "asha").await.id;
        place(&shop.db, &order("o1", &user, 1, vec![line("goda", 1, 0)])).await;
        let issue = |id: &str, kind: IssueKind| OrderIssue {
            id: id.into(),
            order_id: "o1".into(),
            kind,
            subject_id: "M-o1".into(),
            detail: "look".into(),
            created_at_ms: 1,
            order_is_deleted: false,
        };
        for (id, kind) in [
            ("c1", IssueKind::Refund),
            ("c2", IssueKind::Refund),
            ("c3", IssueKind::LatePayment),
        ] {
            let issue = issue(id, kind);
            write!(shop.db, tx => tx.open_issue(&issue).await?);
        }
        let mut open = read!(shop.db, db => db.open_issues().await?);
        open.sort_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(
            open,
            [
                issue("c1", IssueKind::Refund),
                issue("c3", IssueKind::LatePayment)
            ]
        );
        assert!(write!(shop.db, tx => tx.resolve_issue("c1", 5).await?));
        assert!(!write!(shop.db, tx => tx.resolve_issue("c1", 6).await?));
        let again = issue("c4", IssueKind::Refund);
        write!(shop.db, tx => tx.open_issue(&again).await?);
        assert_eq!(
            read!(shop.db, db => db.open_issues().await?).len(),
            1,
            "what was settled stays settled"
        );
    })
    .await;
}
