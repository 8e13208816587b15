//! Stock that unpaid orders reserve, and orders that have ended.

use mirasa_app::repository::Database;
use mirasa_app::repository::orders::RecentOrder;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::order::Order;
use mirasa_domain::user::UserId;

use crate::engines::{add_user, for_each_engine, read, write};
use crate::orders::{line, order, place};

pub async fn end(db: &Database, order: &Order, reason: EndReason, at_ms: i64) {
    let (id, failed) = (order.id.clone(), order.state.failed(reason));
    write!(db, tx => tx.save_order_state(&id, failed, None, None, at_ms).await?);
}

async fn paid(db: &Database, order: &Order, at_ms: i64) {
    let (id, number) = (order.id.clone(), order.merchant_order_id.clone());
    let done = order.state.completed();
    write!(db, tx => tx.save_order_state(&id, done, None, Some(&number), at_ms).await?);
}

async fn reason(db: &Database, number: &'static str) -> Option<EndReason> {
    let order = read!(db, db => db.order_by_payment_attempt(&number.into()).await?);
    order.unwrap().state.end_reason
}

#[tokio::test]
async fn reservations_are_sorted_by_size() {
    for_each_engine(|shop| async move {
        assert!(read!(shop.db, db => db.reservations(9).await?).is_empty());
        let asha = add_user(&shop.db, "asha").await.id;
        let small = order("small", &asha, 10, vec![line("goda", 3, 0)]);
        let lines = vec![line("goda", 0, 2), line("chai", 1, 1)];
        let large = order("large", &asha, 20, lines);
        let over = order("over", &asha, 30, vec![line("goda", 9, 9)]);
        let bought = order("bought", &asha, 40, vec![line("goda", 9, 9)]);
        for placed in [&small, &large, &over, &bought] {
            place(&shop.db, placed).await;
        }
        end(&shop.db, &over, EndReason::Expired, 35).await;
        paid(&shop.db, &bought, 45).await;
        let listed = read!(shop.db, db => db.reservations(9).await?);
        let ids: Vec<_> = listed.iter().map(|one| one.order_id.as_str()).collect();
        assert_eq!(ids, ["large", "small"]);
        let first = &listed[0];
        assert_eq!((first.packs.of_50g, first.packs.of_100g), (1, 3));
        assert_eq!(first.customer_email, "asha@mirasa.example");
        assert_eq!(first.total, large.state.total);
        assert_eq!((first.created_at_ms, first.expires_at_ms), (20, 920));
        let listed = read!(shop.db, db => db.reservations(1).await?);
        assert_eq!(listed.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn recent_orders_are_paid_or_unpaid() {
    for_each_engine(|shop| async move {
        let asha = add_user(&shop.db, "asha").await.id;
        let ravi = add_user(&shop.db, "ravi").await.id;
        let recent = async |user: &UserId, since_ms| {
            let user = user.clone();
            read!(shop.db, db => db.recent_orders(&user, since_ms).await?)
        };
        assert_eq!(recent(&asha, 0).await, Some(vec![]));
        assert_eq!(recent(&UserId("unknown".into()), 0).await, None);
        for (at, reason) in [
            (10, Some(EndReason::Expired)),
            (20, None),
            (30, Some(EndReason::Released)),
            (40, Some(EndReason::Replaced)),
            (50, Some(EndReason::Failed)),
            (60, Some(EndReason::Expired)),
        ] {
            let placed = order(&format!("o{at}"), &asha, at, vec![line("goda", 1, 0)]);
            place(&shop.db, &placed).await;
            match reason {
                Some(reason) => end(&shop.db, &placed, reason, at + 5).await,
                None => paid(&shop.db, &placed, at + 5).await,
            }
        }
        place(
            &shop.db,
            &order("open", &asha, 70, vec![line("goda", 1, 0)]),
        )
        .await;
        let unpaid = |ended_at_ms| RecentOrder::Unpaid { ended_at_ms };
        let all = vec![unpaid(65), unpaid(35), RecentOrder::Paid, unpaid(15)];
        assert_eq!(recent(&asha, 0).await, Some(all.clone()));
        assert_eq!(recent(&asha, 10).await, Some(all[..3].to_vec()));
        assert_eq!(recent(&ravi, 0).await, Some(vec![]));

        // A later change of the status does not change the time of the end.
        let shipped = mirasa_domain::order::OrderStatus::Shipped;
        write!(shop.db, tx => tx.set_order_status(&"o60".into(), shipped, 999).await?);
        assert_eq!(recent(&asha, 0).await, Some(all));
        let id = asha.clone();
        write!(shop.db, tx => tx.delete_user(&id, 100).await?);
        assert_eq!(recent(&asha, 0).await, None);
    })
    .await;
}

#[tokio::test]
async fn mark_failed_orders_keeps_deliberate_reasons() {
    for_each_engine(|shop| async move {
        let asha = add_user(&shop.db, "asha").await.id;
        let ravi = add_user(&shop.db, "ravi").await.id;
        let placed = |id: &str, user: &UserId| order(id, user, 1, vec![line("goda", 1, 0)]);
        let orders = [
            placed("expired", &asha),
            placed("released", &asha),
            placed("bought", &asha),
            placed("other", &ravi),
            placed("old", &asha),
        ];
        for placed in &orders {
            place(&shop.db, placed).await;
        }
        end(&shop.db, &orders[0], EndReason::Expired, 5).await;
        end(&shop.db, &orders[1], EndReason::Released, 5).await;
        paid(&shop.db, &orders[2], 5).await;
        end(&shop.db, &orders[3], EndReason::Expired, 5).await;
        // From before reasons were stored.
        let mut old = orders[4].state.failed(EndReason::Expired);
        old.end_reason = None;
        write!(shop.db, tx => tx.save_order_state(&"old".into(), old, None, None, 5).await?);
        let id = asha.clone();
        write!(shop.db, tx => tx.mark_failed_orders(&id, EndReason::AccountDeleted).await?);
        let marked = Some(EndReason::AccountDeleted);
        assert_eq!(reason(&shop.db, "M-expired").await, marked);
        assert_eq!(reason(&shop.db, "M-old").await, marked);
        assert_eq!(
            reason(&shop.db, "M-released").await,
            Some(EndReason::Released)
        );
        assert_eq!(reason(&shop.db, "M-bought").await, None);
        assert_eq!(reason(&shop.db, "M-other").await, Some(EndReason::Expired));

        assert!(write!(shop.db, tx => tx.delete_order(&"expired".into(), 9).await?));
        let deleted = read!(shop.db, db => db.deleted_orders_of(&asha).await?);
        assert_eq!(deleted.len(), 1);
        assert_eq!(
            (deleted[0].id.as_str(), deleted[0].deleted_at_ms),
            ("expired", Some(9))
        );
        assert_eq!(deleted[0].lines.len(), 1);
    })
    .await;
}
