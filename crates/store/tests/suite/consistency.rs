//! The checks of `mirasa check`.

use mirasa_app::repository::payments::PaymentDetails;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::issue::{IssueKind, OrderIssue};
use mirasa_domain::order::OrderState;
use mirasa_domain::payment::PaymentAttemptState;
use mirasa_domain::stock::StockMovement;

use crate::engines::{add_user, for_each_engine, read, write};
use crate::leases::refund;
use crate::orders::{attempt, line, order, place};
use crate::products::add_product;
use crate::reservations::end;

#[tokio::test]
async fn consistency_check_finds_wrong_stock_and_payments() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        add_product(&shop.db, "One").await;
        let lines = vec![line("one", 1, 0)];
        let placed = order("o1", &user, 1, lines.clone());
        place(&shop.db, &placed).await;
        assert_eq!(read!(shop.db, db => db.orders_not_matching_ledger().await?), ["o1"], "the reservation has no ledger row");
        let reserved = lines.clone();
        write!(shop.db, tx => tx.apply_stock_movement(&"o1".into(), &reserved, StockMovement::Reserve, 5).await?);
        assert!(read!(shop.db, db => db.orders_not_matching_ledger().await?).is_empty());
        assert!(read!(shop.db, db => db.orders_with_wrong_reservation().await?).is_empty());
        assert!(read!(shop.db, db => db.orders_with_wrong_payment().await?).is_empty());

        let wrong = OrderState { stock_reserved: false, ..placed.state };
        write!(shop.db, tx => tx.save_order_state(&"o1".into(), wrong, None, None, 2).await?);
        assert_eq!(read!(shop.db, db => db.orders_with_wrong_reservation().await?), ["o1"]);
        let done = placed.state.completed();
        write!(shop.db, tx => tx.save_order_state(&"o1".into(), done, None, None, 2).await?);
        assert_eq!(read!(shop.db, db => db.orders_with_wrong_payment().await?), ["o1"], "no attempt has paid it");
        write!(shop.db, tx => {
            tx.save_order_state(&"o1".into(), done, None, Some(&"M-o1".into()), 2).await?;
            tx.close_attempt(&"M-o1".into(), PaymentAttemptState::Completed, PaymentDetails::default()).await?
        });
        assert!(read!(shop.db, db => db.orders_with_wrong_payment().await?).is_empty());
        let mut unassigned = attempt("M9", "o1", 1);
        unassigned.state = PaymentAttemptState::Completed;
        write!(shop.db, tx => tx.insert_attempt(&unassigned, 1).await?);
        assert_eq!(read!(shop.db, db => db.orders_with_wrong_payment().await?), ["o1"], "a payment without order, refund or issue");
        let refund = refund("R1", "M9");
        write!(shop.db, tx => tx.insert_refund(&refund).await?);
        assert!(read!(shop.db, db => db.orders_with_wrong_payment().await?).is_empty());
        let counts = read!(shop.db, db => db.checked_counts().await?);
        assert_eq!((counts.products, counts.orders, counts.payments), (1, 1, 2));
    })
    .await;
}

#[tokio::test]
async fn consistency_check_finds_payments_of_ended_orders() {
    for_each_engine(|shop| async move {
        let asha = add_user(&shop.db, "asha").await.id;
        let placed = order("o1", &asha, 1, vec![line("goda", 1, 0)]);
        place(&shop.db, &placed).await;
        end(&shop.db, &placed, EndReason::Deleted, 5).await;
        let wrong = async || read!(shop.db, db => db.orders_with_wrong_payment().await?);
        assert!(wrong().await.is_empty());
        write!(shop.db, tx => tx.close_attempt(&"M-o1".into(), PaymentAttemptState::Completed, PaymentDetails::default()).await?);
        assert_eq!(wrong().await, ["o1"]);
        // There is an issue, but no refund.
        let issue = |kind: IssueKind| OrderIssue {
            id: kind.as_str().into(),
            order_id: "o1".into(),
            kind,
            subject_id: "M-o1".into(),
            detail: String::new(),
            created_at_ms: 1,
            order_is_deleted: false,
        };
        let late = issue(IssueKind::LatePayment);
        write!(shop.db, tx => tx.open_issue(&late).await?);
        assert_eq!(wrong().await, ["o1"]);
        let mismatch = issue(IssueKind::AmountMismatch);
        write!(shop.db, tx => tx.open_issue(&mismatch).await?);
        assert!(wrong().await.is_empty(), "an admin decides");

        assert!(write!(shop.db, tx => tx.delete_order(&"o1".into(), 9).await?));
        let open = read!(shop.db, db => db.open_issues().await?);
        assert_eq!(open.len(), 2);
        assert!(open.iter().all(|open| open.issue.order_is_deleted));

        let second = order("o2", &asha, 1, vec![line("goda", 1, 0)]);
        place(&shop.db, &second).await;
        let mut pending = second.state;
        pending.end_reason = Some(EndReason::Expired);
        write!(shop.db, tx => tx.save_order_state(&"o2".into(), pending, None, None, 5).await?);
        assert_eq!(wrong().await, ["o2"], "a pending order must not have an end reason");
    })
    .await;
}
