//! The errors of PostgreSQL, and conflicting transactions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mirasa_app::repository::{Database, StoreError};
use mirasa_domain::user::UserId;
use mirasa_store::DatabaseUrl;
use mirasa_store::sql::errors::postgres_error;
use tokio::sync::Barrier;
use tokio_postgres::NoTls;

use crate::engines::{add_user, connect_directly, postgres, read};

/// Locks one user and, when the other transaction has locked the other user, that one too.
async fn lock_both_users(
    db: Database,
    first: UserId,
    second: UserId,
    meeting: Arc<Barrier>,
    attempts: Arc<AtomicU32>,
) -> Result<(), StoreError> {
    let is_first_attempt = Arc::new(AtomicU32::new(0));
    db.write(async move |tx| {
        attempts.fetch_add(1, Ordering::Relaxed);
        tx.lock_user(&first).await?;
        if is_first_attempt.fetch_add(1, Ordering::Relaxed) == 0 {
            meeting.wait().await;
        }
        tx.lock_user(&second).await?;
        tx.increment_cart_version(&first, 2).await?;
        tx.increment_cart_version(&second, 2).await
    })
    .await
}

#[tokio::test]
async fn deadlock_is_retried() {
    let shop = postgres().await;
    let (asha, ravi) = (
        add_user(&shop.db, "asha").await.id,
        add_user(&shop.db, "ravi").await.id,
    );
    let (meeting, attempts) = (Arc::new(Barrier::new(2)), Arc::new(AtomicU32::new(0)));
    let both = |first: &UserId, second: &UserId| {
        lock_both_users(
            shop.db.clone(),
            first.clone(),
            second.clone(),
            meeting.clone(),
            attempts.clone(),
        )
    };
    let (one, other) = tokio::join!(both(&asha, &ravi), both(&ravi, &asha));
    one.unwrap();
    other.unwrap();
    assert_eq!(
        attempts.load(Ordering::Relaxed),
        3,
        "one of them was retried"
    );
    for user in [asha, ravi] {
        let version = read!(shop.db, db => db.cart(&user).await?).version;
        assert_eq!(version, 2, "each was applied once");
    }
}

/// Serialisation failures do not occur at the isolation level of the shop, so a trigger raises one.
#[tokio::test]
async fn write_that_always_conflicts_is_unavailable() {
    let shop = postgres().await;
    let user = add_user(&shop.db, "asha").await.id;
    let DatabaseUrl::Postgres(url) = &shop.url else {
        unreachable!()
    };
    let always = "create function conflict() returns trigger language plpgsql as $$
        begin raise exception 'conflict' using errcode = '40001'; end $$;
        create trigger conflict before update on users for each row execute function conflict()";
    connect_directly(url)
        .await
        .batch_execute(always)
        .await
        .unwrap();
    let attempts = Arc::new(AtomicU32::new(0));
    let counted = attempts.clone();
    let written: Result<(), StoreError> = shop
        .db
        .write(async move |tx| {
            counted.fetch_add(1, Ordering::Relaxed);
            // Retried even if the work ignores the error.
            drop(tx.increment_cart_version(&user, 2).await);
            Ok(())
        })
        .await;
    assert!(
        matches!(written, Err(StoreError::Unavailable(_))),
        "{written:?}"
    );
    assert_eq!(attempts.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn only_an_unreachable_database_is_unavailable() {
    let shop = postgres().await;
    let DatabaseUrl::Postgres(url) = &shop.url else {
        unreachable!()
    };
    let client = connect_directly(url).await;
    let is_broken = |error| matches!(postgres_error(error), StoreError::Broken(_));
    let is_unavailable = |error| matches!(postgres_error(error), StoreError::Unavailable(_));

    let wrong_type = client.query("select $1::text", &[&5_i64]).await;
    assert!(
        is_broken(wrong_type.unwrap_err()),
        "a value of another type"
    );
    let too_few = client.query("select $1::text", &[]).await;
    assert!(is_broken(too_few.unwrap_err()), "a value is missing");
    let row = client.query_one("select 'x'::text", &[]).await.unwrap();
    let unread = row.try_get::<_, i64>(0).unwrap_err();
    assert!(is_broken(unread), "a column of another type");
    let missing = row.try_get::<_, String>("nowhere").unwrap_err();
    assert!(is_broken(missing), "no such column");

    let end = "select pg_terminate_backend(pg_backend_pid())";
    assert!(is_unavailable(client.batch_execute(end).await.unwrap_err()));
    let closed = client.batch_execute("select 1").await;
    assert!(
        is_unavailable(closed.unwrap_err()),
        "the connection is closed"
    );
    let refused = tokio_postgres::connect("postgres://u@127.0.0.1:1/d", NoTls).await;
    assert!(is_unavailable(refused.err().unwrap()), "no server listens");
}
