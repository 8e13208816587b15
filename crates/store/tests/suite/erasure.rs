//! What stays of an erased customer, also if others write at the same time.

use mirasa_store::DatabaseUrl;

use crate::engines::{
    add_user, connect_directly, execute_sql, for_each_engine, postgres, read, write,
};
use crate::orders::{line, order, place};
use crate::products::add_product;

fn mail(id: &str, order: &str, recipient: &str) -> String {
    format!(
        "insert into mails (id, order_id, kind, recipient, subject, text_body, html_body, created_at, tries, next_try_at, leased_until)
            values ('{id}', {order}, 'x', '{recipient}', '', '', '', 9, 0, 9, 0)"
    )
}

/// An instance of an earlier version does not know the hash, and leaves emails that wait.
#[tokio::test]
async fn erasure_of_an_earlier_version_is_completed() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await;
        add_product(&shop.db, "Goda").await;
        place(
            &shop.db,
            &order("o1", &user.id, 5, vec![line("goda", 1, 0)]),
        )
        .await;
        let (id, email) = (user.id.clone(), user.email.clone());
        write!(shop.db, tx => tx.erase_user(&id, &email, 8).await?);
        let named = async || read!(shop.db, db => db.orders_naming_erased_customers().await?);
        let incomplete = async || read!(shop.db, db => db.incompletely_erased(7).await?);
        assert!(named().await.is_empty() && incomplete().await.is_empty());
        // Somebody signs in while the account is deleted.
        let id = user.id.clone();
        write!(shop.db, tx => tx.set_email_hash(&id, "hash").await?);
        assert!(named().await.is_empty());

        let issue = "insert into concerns (id, order_id, kind, about, detail, created_at)
            values ('c', 'o1', 'mail not sent', 'm', 'not sent to asha@mirasa.example', 9)";
        for left in [
            "update users set email_hash = 'x'",
            &mail("m", "'o1'", "asha@mirasa.example"),
            issue,
        ] {
            execute_sql(&shop, left).await;
            assert_eq!(named().await, ["o1"], "{left}");
            assert_eq!(incomplete().await, std::slice::from_ref(&user.id), "{left}");
            let id = user.id.clone();
            write!(shop.db, tx => tx.complete_erasure(&id, 10).await?);
            assert!(
                named().await.is_empty() && incomplete().await.is_empty(),
                "{left}"
            );
        }
    })
    .await;
}

/// The worker has marked the notice and stored its email, but has not committed, when the account is deleted.
#[tokio::test]
async fn notice_that_is_being_sent_leaves_no_email_after_erasure() {
    let shop = postgres().await;
    let DatabaseUrl::Postgres(url) = &shop.url else {
        unreachable!()
    };
    let user = add_user(&shop.db, "asha").await;
    add_product(&shop.db, "Goda").await;
    let notice = "insert into stock_notices (id, email, product_id, stop_token, requested_at)
        values ('n', 'asha@mirasa.example', 'goda', 't', 5)";
    execute_sql(&shop, notice).await;
    let worker = connect_directly(url).await;
    let email = mail("n-9", "null", "asha@mirasa.example");
    let send = format!("begin; update stock_notices set notified_at = 9 where id = 'n'; {email}");
    worker.batch_execute(&send).await.unwrap();
    let db = shop.db.clone();
    let erasing = tokio::spawn(async move {
        write!(db, tx => tx.erase_user(&user.id, &user.email, 10).await?);
    });
    let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    let observer = connect_directly(url).await;
    while observer
        .query_one(waiting, &[])
        .await
        .unwrap()
        .get::<_, i64>(0)
        == 0
    {
        assert!(!erasing.is_finished());
        tokio::task::yield_now().await;
    }
    worker.batch_execute("commit").await.unwrap();
    erasing.await.unwrap();
    let left = "select count(*) from mails where recipient <> ''";
    let left: i64 = observer.query_one(left, &[]).await.unwrap().get(0);
    assert_eq!(left, 0);
}
