//! Buckets of calls that instances share: nobody comes between looking and taking, and no clock breaks them.

use std::time::Duration;

use mirasa_app::repository::rate_limits::TokenBucket;
use mirasa_app::repository::{Database, StoreError};
use mirasa_store::PoolSize;

use crate::engines::{for_each_engine, write};

const HOUR: i64 = 3_600_000;
const WINDOW: i64 = 3 * 100;

/// Three calls, one of which comes back every 100 ms.
fn small(key: &str) -> TokenBucket {
    TokenBucket {
        key: key.into(),
        burst: 3,
        refill_interval: Duration::from_millis(100),
    }
}

/// How many milliseconds to wait; 0 if the call was let in.
async fn take(db: &Database, key: &str, now_ms: i64) -> u128 {
    let bucket = small(key);
    let wait = write!(db, tx => tx.take_token(&bucket, now_ms).await?);
    wait.map_or(0, |wait| wait.as_millis())
}

#[tokio::test]
async fn a_shared_bucket_empties_and_fills_again() {
    for_each_engine(|shop| async move {
        let take = async |key, at| take(&shop.db, key, at).await;
        for _ in 0..3 {
            assert_eq!(take("a", 1000).await, 0);
        }
        assert_eq!(take("a", 1000).await, 100);
        assert_eq!(take("a", 1030).await, 70, "a refusal costs nothing");
        assert_eq!(take("b", 1030).await, 0, "somebody else's bucket is full");
        assert_eq!(take("a", 1100).await, 0);
        assert_eq!(take("a", 1100).await, 100);
        for _ in 0..3 {
            assert_eq!(take("a", HOUR).await, 0);
        }
        assert_eq!(take("a", HOUR).await, 100, "it holds no more than that");
    })
    .await;
}

/// The arithmetic is memory's: `full_at` moves on by one call's time, and may not go beyond the burst's.
#[tokio::test]
async fn the_statement_reckons_as_memory_does() {
    for_each_engine(|shop| async move {
        let (mut now, mut full_at, mut refused) = (HOUR, 0, 0);
        for step in 0..300_i64 {
            now += step * step % 97;
            let after = now.max(full_at) + 100;
            let wait = (after - now - WINDOW).max(0);
            if wait == 0 {
                full_at = after;
            } else {
                refused += 1;
            }
            let told = take(&shop.db, "a", now).await;
            assert_eq!(told, u128::try_from(wait).unwrap(), "at step {step}");
        }
        assert!((50..250).contains(&refused), "{refused} of 300");
    })
    .await;
}

#[tokio::test]
async fn instances_that_take_at_once_never_take_more_than_there_is() {
    for_each_engine(|shop| async move {
        let second = mirasa_store::open(&shop.url, PoolSize(4)).await.unwrap();
        let instances = [shop.db.clone(), second];
        for round in 0..5 {
            let takers = (0..40).map(|number| {
                let (db, bucket) = (instances[number % 2].clone(), small(&round.to_string()));
                tokio::spawn(async move {
                    let taken = db.write::<_, StoreError>(move |tx| {
                        Box::pin(async move { tx.take_token(&bucket, 1000).await })
                    });
                    taken.await.unwrap()
                })
            });
            let mut admit = 0;
            for taker in takers.collect::<Vec<_>>() {
                match taker.await.unwrap() {
                    None => admit += 1,
                    Some(wait) => assert_eq!(wait.as_millis(), 100),
                }
            }
            assert_eq!(admit, 3);
        }
    })
    .await;
}

#[tokio::test]
async fn a_clock_that_was_ahead_holds_nobody_up() {
    for_each_engine(|shop| async move {
        let take = async |at| take(&shop.db, "a", at).await;
        for _ in 0..4 {
            take(HOUR).await;
        }
        // Set back by an hour: the bucket is empty, but only as empty as it can be.
        assert_eq!(take(1000).await, 100);
        assert_eq!(take(1050).await, 50);
        assert_eq!(take(1100).await, 0);
        for _ in 0..3 {
            assert_eq!(take(1100 + WINDOW).await, 0, "and it fills as ever");
        }
        assert_eq!(take(1100 + WINDOW).await, 100);
        // Another machine's clock is 30 ms behind: it waits no longer for that, and gives no call away.
        assert_eq!(take(1070 + WINDOW).await, 100);
        assert_eq!(take(1100 + WINDOW).await, 70);
    })
    .await;
}

#[tokio::test]
async fn buckets_that_are_full_again_are_swept() {
    for_each_engine(|shop| async move {
        take(&shop.db, "old", 1000).await;
        for _ in 0..3 {
            take(&shop.db, "young", 1000).await;
        }
        assert_eq!(write!(shop.db, tx => tx.delete_expired(1099).await?), 0);
        assert_eq!(write!(shop.db, tx => tx.delete_expired(1100).await?), 1);
        assert_eq!(take(&shop.db, "young", 1100).await, 0);
        assert_eq!(take(&shop.db, "young", 1100).await, 100, "it was kept");
    })
    .await;
}
