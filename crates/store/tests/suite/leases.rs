//! Rows that workers lease: payment attempts, refunds and emails.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mirasa_app::repository::Database;
use mirasa_app::repository::emails::outbox::OutboxEmail;
use mirasa_app::repository::payments::PaymentDetails;
use mirasa_domain::money::Paise;
use mirasa_domain::order_event::Actor;
use mirasa_domain::payment::{AttemptId, PaymentAttemptState};
use mirasa_domain::refund::{Refund, RefundStatus};
use mirasa_store::PoolSize;

use crate::engines::{add_user, for_each_engine, read, write};
use crate::orders::{line, order, place};

pub fn refund(id: &str, number: &str) -> Refund {
    Refund {
        id: id.into(),
        merchant_order_id: number.into(),
        order_id: "o1".into(),
        amount: Paise::new(6550),
        reason: "late".into(),
        status: RefundStatus::Requested,
        requested_by: Actor::System,
        retry_of: None,
        superseded_by: None,
        error: None,
        deducted_from: None,
        lines: Vec::new(),
        poll_count: 0,
        created_at_ms: 10,
        updated_at_ms: 10,
    }
}

pub fn email(id: &str, at_ms: i64) -> OutboxEmail {
    OutboxEmail {
        id: id.into(),
        order_id: Some("o1".into()),
        kind: "confirmed".into(),
        recipient: "asha@mirasa.example".into(),
        subject: "Your order".into(),
        text_body: "text".into(),
        html_body: "<p>".into(),
        in_reply_to: None,
        reply_to: None,
        invoice_id: None,
        attempts: 0,
        created_at_ms: at_ms,
        sent_at_ms: None,
    }
}

#[tokio::test]
async fn refund_is_created_and_completed_once() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        place(&shop.db, &order("o1", &user, 1, vec![line("goda", 1, 0)])).await;
        assert!(write!(shop.db, tx => tx.insert_refund(&refund("R1", "M-o1")).await?));
        assert!(!write!(shop.db, tx => tx.insert_refund(&refund("R1", "M-o1")).await?));
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
        assert!(write!(shop.db, tx => tx.update_refund(&"R1".into(), RefundStatus::Pending, None, 200, 60).await?));
        assert!(write!(shop.db, tx => tx.lease_refunds(199, 300, 5).await?).is_empty());
        write!(shop.db, tx => tx.schedule_refund_now(&"R1".into(), 150).await?);
        let due = write!(shop.db, tx => tx.lease_refunds(150, 300, 5).await?);
        assert_eq!((due[0].status, due[0].poll_count), (RefundStatus::Pending, 1));
        assert!(write!(shop.db, tx => tx.update_refund(&"R1".into(), RefundStatus::Completed, None, 400, 160).await?));
        assert!(
            !write!(shop.db, tx => tx.update_refund(&"R1".into(), RefundStatus::Completed, None, 400, 161).await?),
            "it is completed once"
        );
        write!(shop.db, tx => tx.schedule_refund_now(&"R1".into(), 1).await?);
        assert!(write!(shop.db, tx => tx.lease_refunds(9999, 10_000, 5).await?).is_empty());
    })
    .await;
}

#[tokio::test]
async fn concurrent_workers_lease_each_row_once() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        for number in 0..30 {
            place(&shop.db, &order(&format!("o{number}"), &user, 1, vec![line("goda", 1, 0)])).await;
        }
        for number in 0..30 {
            write!(shop.db, tx => tx.insert_email(&email(&format!("m{number}"), 1)).await?);
            write!(shop.db, tx => tx.insert_refund(&refund(&format!("R{number}"), &format!("M-o{number}"))).await?);
        }
        let db = Arc::new(shop.db);
        let workers: Vec<_> = (0..8).map(|_| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut leased = Vec::new();
                for _ in 0..5 {
                    leased.extend(write!(db, tx => tx.lease_attempts(100, 1000, 3).await?).into_iter().map(|a| a.attempt.merchant_order_id.0));
                    leased.extend(write!(db, tx => tx.lease_emails(100, 1000, 3).await?).into_iter().map(|m| m.id.0));
                    leased.extend(write!(db, tx => tx.lease_refunds(100, 1000, 3).await?).into_iter().map(|r| r.id.0));
                }
                leased
            })
        }).collect();
        let mut all = Vec::new();
        for worker in workers {
            all.extend(worker.await.unwrap());
        }
        // A worker that waited for a lock may have leased fewer rows than there were. The next rounds lease the rest.
        for _ in 0..10 {
            all.extend(write!(db, tx => tx.lease_attempts(100, 1000, 3).await?).into_iter().map(|a| a.attempt.merchant_order_id.0));
            all.extend(write!(db, tx => tx.lease_emails(100, 1000, 3).await?).into_iter().map(|m| m.id.0));
            all.extend(write!(db, tx => tx.lease_refunds(100, 1000, 3).await?).into_iter().map(|r| r.id.0));
        }
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!((all.len(), count), (90, 90));
        // The lease of a worker that has died expires.
        assert_eq!(write!(db, tx => tx.lease_attempts(1000, 2000, 99).await?).len(), 30);
        write!(db, tx => tx.schedule_poll(&"M-o1".into(), 1100, 1500).await?);
        assert!(write!(db, tx => tx.lease_attempts(1499, 2000, 99).await?).is_empty());
        let again = write!(db, tx => tx.lease_attempts(1500, 2000, 99).await?);
        assert_eq!((again.len(), again[0].attempt.polled_at_ms), (1, 1100));
        write!(db, tx => tx.close_attempt(&"M-o1".into(), PaymentAttemptState::Failed, PaymentDetails::default()).await?);
        assert_eq!(write!(db, tx => tx.lease_attempts(9000, 9999, 99).await?).len(), 29, "a closed attempt is not leased");
    })
    .await;
}

#[tokio::test]
async fn polls_are_scheduled_together() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await.id;
        for number in 0..4 {
            place(&shop.db, &order(&format!("o{number}"), &user, 1, vec![line("goda", 1, 0)])).await;
        }
        let due = write!(shop.db, tx => tx.lease_attempts(100, 1000, 9).await?);
        assert_eq!(due.len(), 4);
        assert!(due.iter().all(|leased| leased.is_waited_for && leased.due_at_ms <= 100));
        write!(shop.db, tx => tx.close_attempt(&"M-o3".into(), PaymentAttemptState::Failed, PaymentDetails::default()).await?);
        let ids = ["M-o0", "M-o1", "M-o3"].map(AttemptId::from);
        write!(shop.db, tx => tx.schedule_polls(&ids, 200, 500).await?);
        write!(shop.db, tx => tx.schedule_polls(&[], 200, 500).await?);
        assert!(write!(shop.db, tx => tx.lease_attempts(499, 2000, 9).await?).is_empty());
        let again = write!(shop.db, tx => tx.lease_attempts(500, 2000, 9).await?);
        let mut again: Vec<_> = again.into_iter().map(|leased| (leased.attempt.merchant_order_id, leased.attempt.polled_at_ms, leased.due_at_ms)).collect();
        again.sort();
        assert_eq!(again, [("M-o0".into(), 200, 500), ("M-o1".into(), 200, 500)]);
    })
    .await;
}

#[tokio::test]
async fn email_is_leased_until_it_is_sent() {
    for_each_engine(|shop| async move {
        write!(shop.db, tx => { tx.insert_email(&email("m1", 10)).await?; tx.insert_email(&email("m2", 20)).await? });
        assert_eq!(write!(shop.db, tx => tx.lease_emails(15, 99, 9).await?), [email("m1", 10)]);
        write!(shop.db, tx => tx.mark_email_failed(&"m1".into(), "refused", 50).await?);
        assert!(write!(shop.db, tx => tx.lease_emails(19, 99, 9).await?).is_empty());
        let due = write!(shop.db, tx => tx.lease_emails(50, 99, 9).await?);
        assert_eq!(due.iter().map(|m| m.attempts).collect::<Vec<_>>().iter().sum::<i64>(), 1);
        assert_eq!(due.len(), 2);
        write!(shop.db, tx => tx.mark_emails_sent(&["m1".into()], 60).await?);
        let sent = read!(shop.db, db => db.email(&"m1".into()).await?).unwrap();
        assert_eq!((sent.sent_at_ms, sent.attempts), (Some(60), 2));
        assert_eq!(read!(shop.db, db => db.email(&"m9".into()).await?), None);
        let recent = read!(shop.db, db => db.recent_emails(9).await?);
        assert_eq!(recent.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(), ["m2", "m1"]);
        let due = write!(shop.db, tx => tx.lease_emails(99, 199, 9).await?);
        assert_eq!(due.iter().map(|m| m.id.as_str()).collect::<Vec<_>>(), ["m2"]);
    })
    .await;
}

/// Two instances lease and mark the same emails at the same time. On PostgreSQL a deadlock would end one of the
/// transactions, which would then run again.
#[tokio::test]
async fn concurrent_workers_do_not_deadlock() {
    const EMAILS: i64 = 600;
    for_each_engine(|shop| async move {
        for number in 0..EMAILS {
            // Their ids, their times and their places in the table are in different orders.
            let id = format!("m{:03}", (number * 7) % EMAILS);
            write!(shop.db, tx => tx.insert_email(&email(&id, (number * 11) % EMAILS)).await?);
        }
        let attempts = Arc::new(AtomicU32::new(0));
        let (mut transactions, mut sent) = (0, 0);
        // Another pool is another instance.
        let other = mirasa_store::open(&shop.url, PoolSize(8)).await.unwrap();
        let workers: Vec<_> = (0..12)
            .map(|number| {
                let db = [&shop.db, &other][number % 2].clone();
                let attempts = attempts.clone();
                tokio::spawn(lease_and_mark(db, attempts))
            })
            .collect();
        for worker in workers {
            let done = worker.await.unwrap();
            transactions += done.0;
            sent += done.1;
        }
        assert_eq!(sent, EMAILS, "each was leased once");
        assert_eq!(
            attempts.load(Ordering::Relaxed),
            transactions,
            "none was repeated"
        );
    })
    .await;
}

/// Until no email is left. Returns the numbers of transactions and of emails.
async fn lease_and_mark(db: Database, attempts: Arc<AtomicU32>) -> (u32, i64) {
    let (mut transactions, mut sent) = (0, 0);
    let mut empty = 0;
    while empty < 3 {
        let counted = attempts.clone();
        let leased = write!(db, tx => {
            counted.fetch_add(1, Ordering::Relaxed);
            tx.lease_emails(1000, 2000, 10).await?
        });
        transactions += 1;
        if leased.is_empty() {
            empty += 1;
            continue;
        }
        let ids: Vec<_> = leased.into_iter().map(|email| email.id).collect();
        sent += i64::try_from(ids.len()).unwrap();
        let counted = attempts.clone();
        write!(db, tx => {
            counted.fetch_add(1, Ordering::Relaxed);
            tx.mark_emails_sent(&ids, 1500).await?
        });
        transactions += 1;
    }
    (transactions, sent)
}
