//! What the owner was notified of, and what is new.

use mirasa_app::repository::Database;
use mirasa_app::repository::emails::notifications::FirstOf;
use mirasa_domain::issue::{IssueKind, OrderIssue};
use mirasa_domain::message::EmailId;
use mirasa_domain::notification::{NotificationKind, NotificationState, Period};
use mirasa_domain::order_event::{Actor, OrderEvent, OrderEventKind};
use tokio::task::JoinSet;

use crate::engines::{add_user, for_each_engine, read, write};
use crate::leases::email;
use crate::messages::{add_message, message};
use crate::orders::{line, order, place};

const KIND: NotificationKind = NotificationKind::Messages;

async fn state(db: &Database) -> Option<NotificationState> {
    read!(db, db => db.notification(KIND).await?)
}

#[tokio::test]
async fn notification_begins_once_and_ends() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        assert_eq!(state(&db).await, None);
        for at_ms in [10, 20] {
            write!(db, tx => tx.begin_notification(KIND, at_ms).await?);
        }
        let begun = NotificationState {
            last_sent_at_ms: None,
            seen_until_ms: 10,
        };
        assert_eq!(state(&db).await, Some(begun));
        write!(db, tx => tx.record_notification(KIND, Some(40), 30).await?);
        let recorded = NotificationState {
            last_sent_at_ms: Some(40),
            seen_until_ms: 30,
        };
        assert_eq!(state(&db).await, Some(recorded));
        let other = read!(db, db => db.notification(NotificationKind::Issues).await?);
        assert_eq!(other, None);
        write!(db, tx => tx.end_notifications().await?);
        assert_eq!(state(&db).await, None);
    })
    .await;
}

#[tokio::test]
async fn instances_take_turns() {
    for_each_engine(|shop| async move {
        write!(shop.db, tx => tx.begin_notification(KIND, 0).await?);
        let mut instances = JoinSet::new();
        for _ in 0..20 {
            let db = shop.db.clone();
            instances.spawn(async move {
                write!(db, tx => {
                    let state = tx.lock_notification(KIND).await?.unwrap();
                    let next = state.seen_until_ms + 1;
                    tx.record_notification(KIND, Some(next), next).await?
                });
            });
        }
        instances.join_all().await;
        assert_eq!(state(&shop.db).await.unwrap().seen_until_ms, 20);
    })
    .await;
}

#[tokio::test]
async fn period_has_what_is_new_and_open() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        let period = Period {
            after_ms: 10,
            until_ms: 20,
        };
        for (id, at_ms) in [
            ("m1", 10),
            ("m2", 11),
            ("m3", 12),
            ("m4", 13),
            ("m5", 20),
            ("m6", 21),
        ] {
            add_message(&db, id, "asha@mirasa.example", at_ms).await;
        }
        write!(db, tx => tx.set_message_state(&"m3".into(), Some(14), None).await?);
        let found = read!(db, db => db.unread_messages_of(period, 2).await?);
        let first = |id: &str, at_ms: i64| message(id, "asha@mirasa.example", at_ms);
        assert_eq!(
            found,
            FirstOf {
                rows: vec![first("m2", 11), first("m4", 13)],
                count: 3
            },
            "m1 is older, m3 was read, m6 is newer"
        );

        let user = add_user(&db, "asha").await.id;
        for id in ["o1", "o2"] {
            place(&db, &order(id, &user, 1, vec![line("goda", 1, 0)])).await;
        }
        for (event, order_id, kind, at_ms) in [
            ("e1", "o1", OrderEventKind::Paid, 11),
            ("e2", "o2", OrderEventKind::Ended, 12),
            ("e3", "o2", OrderEventKind::Paid, 21),
        ] {
            let event = OrderEvent {
                id: event.into(),
                order_id: order_id.into(),
                at_ms,
                kind,
                actor: Actor::System,
                detail: String::new(),
            };
            write!(db, tx => tx.insert_order_event(&event).await?);
        }
        let found = read!(db, db => db.paid_orders_of(period, 9).await?);
        assert_eq!((found.rows[0].id.as_str(), found.count), ("o1", 1));
        assert_eq!(
            read!(db, db => db.open_problems_of(period, 9).await?).count,
            0
        );

        for (id, kind, at_ms) in [
            ("c1", IssueKind::RefundFailed, 11),
            ("c2", IssueKind::LatePayment, 12),
            ("c3", IssueKind::AmountMismatch, 13),
            ("c4", IssueKind::Refund, 21),
        ] {
            let issue = OrderIssue {
                id: id.into(),
                order_id: "o1".into(),
                kind,
                subject_id: "M-o1".into(),
                detail: "detail".into(),
                created_at_ms: at_ms,
                order_is_deleted: false,
            };
            write!(db, tx => tx.open_issue(&issue).await?);
        }
        write!(db, tx => tx.resolve_issue(&"c3".into(), "", 15).await?);
        for (failed_refunds, id) in [(true, "c1"), (false, "c2")] {
            let found = read!(db, db => db.open_issues_of(period, failed_refunds, 9).await?);
            assert_eq!((found.rows[0].id.as_str(), found.count), (id, 1));
        }
    })
    .await;
}

#[tokio::test]
async fn sent_notifications_are_deleted_after_a_while() {
    for_each_engine(|shop| async move {
        let db = shop.db;
        let mut emails = ["n1", "n2", "n3", "m1"].map(|id| email(id, 10));
        emails[1].created_at_ms = 20;
        for email in &mut emails[..3] {
            email.kind = "notification".into();
        }
        for email in emails {
            write!(db, tx => tx.insert_email(&email).await?);
        }
        let sent = ["n1", "n2", "m1"].map(EmailId::from);
        write!(db, tx => tx.mark_emails_sent(&sent, 30).await?);
        let deleted = write!(db, tx => tx.delete_sent_notifications(20).await?);
        assert_eq!(deleted, 1);
        let kept = read!(db, db => db.recent_emails(9).await?);
        let kept: Vec<_> = kept.iter().map(|email| email.id.as_str()).collect();
        assert_eq!(
            kept,
            ["n2", "n3", "m1"],
            "too new, not sent, not a notification"
        );

        // An erased customer may be named in any of them.
        let user = add_user(&db, "ravi").await;
        write!(db, tx => tx.erase_user(&user.id, &user.email, 40).await?);
        let kept = read!(db, db => db.recent_emails(9).await?);
        let kept: Vec<_> = kept.iter().map(|email| email.id.as_str()).collect();
        assert_eq!(kept, ["n3", "m1"]);
    })
    .await;
}
