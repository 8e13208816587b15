//! How late the background work is.

use mirasa_app::repository::operations::queues::FirstDue;

use crate::engines::{add_user, for_each_engine, read, write};
use crate::leases::{email, refund};
use crate::orders::{line, order, place};

#[tokio::test]
async fn first_due_is_the_oldest_row_that_is_not_done() {
    for_each_engine(|shop| async move {
        let nothing = FirstDue::default();
        assert_eq!(read!(shop.db, db => db.first_due().await?), nothing);
        let user = add_user(&shop.db, "asha").await.id;
        place(&shop.db, &order("o1", &user, 1, vec![line("goda", 1, 0)])).await;
        let placed = read!(shop.db, db => db.first_due().await?);
        assert!(placed.payments_ms.is_some(), "{placed:?}");
        write!(shop.db, tx => {
            tx.insert_refund(&refund("R1", "M-o1")).await?;
            tx.insert_email(&email("first", 20)).await?;
            tx.insert_email(&email("second", 30)).await?
        });
        let first = read!(shop.db, db => db.first_due().await?);
        assert_eq!((first.emails_ms, first.refunds_ms), (Some(20), Some(10)));
        assert_eq!(
            (first.payments_ms, first.parcels_ms),
            (placed.payments_ms, None)
        );

        // A leased email counts until it is sent; a failed one until its next attempt.
        write!(shop.db, tx => tx.lease_emails(40, 99, 5).await?);
        assert_eq!(read!(shop.db, db => db.first_due().await?), first);
        write!(shop.db, tx => tx.mark_emails_sent(&["first".into()], 41).await?);
        write!(shop.db, tx => tx.mark_email_failed(&"second".into(), "no", 500).await?);
        let retried = read!(shop.db, db => db.first_due().await?);
        assert_eq!(retried.emails_ms, Some(500));
    })
    .await;
}
