//! Token buckets that instances share, with concurrent requests and wrong clocks.

use std::time::Duration;

use mirasa_app::repository::operations::rate_limits::TokenBucket;
use mirasa_app::repository::{Database, StoreError};
use mirasa_store::PoolSize;

use crate::engines::{for_each_engine, write};

const HOUR: i64 = 3_600_000;
const WINDOW: i64 = 3 * 100;

/// Three tokens, refilled by one every 100 ms.
fn small(key: &str) -> TokenBucket {
    TokenBucket {
        key: key.into(),
        burst: 3,
        refill_interval: Duration::from_millis(100),
    }
}

/// The wait in milliseconds, 0 if a token was taken.
async fn take(db: &Database, key: &str, now_ms: i64) -> u128 {
    let bucket = small(key);
    let wait = write!(db, tx => tx.take_token(&bucket, now_ms).await?);
    wait.map_or(0, |wait| wait.as_millis())
}

#[tokio::test]
async fn token_bucket_empties_and_refills() {
    for_each_engine(|shop| async move {
        let take = async |key, at| take(&shop.db, key, at).await;
        for _ in 0..3 {
            assert_eq!(take("a", 1000).await, 0);
        }
        assert_eq!(take("a", 1000).await, 100);
        assert_eq!(
            take("a", 1030).await,
            70,
            "a rejected request takes no token"
        );
        assert_eq!(take("b", 1030).await, 0, "another bucket is full");
        assert_eq!(take("a", 1100).await, 0);
        assert_eq!(take("a", 1100).await, 100);
        for _ in 0..3 {
            assert_eq!(take("a", HOUR).await, 0);
        }
        assert_eq!(take("a", HOUR).await, 100, "it has no more than the burst");
    })
    .await;
}

/// The same calculation as in memory: `full_at` grows by one interval per token, up to the burst.
#[tokio::test]
async fn token_bucket_matches_the_one_in_memory() {
    for_each_engine(|shop| async move {
        let (mut now, mut full_at, mut rejected) = (HOUR, 0, 0);
        for step in 0..300_i64 {
            now += step * step % 97;
            let after = now.max(full_at) + 100;
            let wait = (after - now - WINDOW).max(0);
            if wait == 0 {
                full_at = after;
            } else {
                rejected += 1;
            }
            let actual = take(&shop.db, "a", now).await;
            assert_eq!(actual, u128::try_from(wait).unwrap(), "at step {step}");
        }
        assert!((50..250).contains(&rejected), "{rejected} of 300");
    })
    .await;
}

#[tokio::test]
async fn concurrent_instances_take_at_most_the_burst() {
    for_each_engine(|shop| async move {
        let second = mirasa_store::open(&shop.url, PoolSize(4)).await.unwrap();
        let instances = [shop.db.clone(), second];
        for round in 0..5 {
            let takers = (0..40).map(|number| {
                let (db, bucket) = (instances[number % 2].clone(), small(&round.to_string()));
                tokio::spawn(async move {
                    let taken = db
                        .write::<_, StoreError>(async move |tx| tx.take_token(&bucket, 1000).await);
                    taken.await.unwrap()
                })
            });
            let mut taken_count = 0;
            for taker in takers.collect::<Vec<_>>() {
                match taker.await.unwrap() {
                    None => taken_count += 1,
                    Some(wait) => assert_eq!(wait.as_millis(), 100),
                }
            }
            assert_eq!(taken_count, 3);
        }
    })
    .await;
}

#[tokio::test]
async fn token_bucket_tolerates_a_clock_that_was_ahead() {
    for_each_engine(|shop| async move {
        let take = async |at| take(&shop.db, "a", at).await;
        for _ in 0..4 {
            take(HOUR).await;
        }
        // The clock is set back by an hour: the bucket is empty, but not more than empty.
        assert_eq!(take(1000).await, 100);
        assert_eq!(take(1050).await, 50);
        assert_eq!(take(1100).await, 0);
        for _ in 0..3 {
            assert_eq!(take(1100 + WINDOW).await, 0, "it refills as usual");
        }
        assert_eq!(take(1100 + WINDOW).await, 100);
        // The clock of another machine is 30 ms behind: the wait is not longer, and no token is added.
        assert_eq!(take(1070 + WINDOW).await, 100);
        assert_eq!(take(1100 + WINDOW).await, 70);
    })
    .await;
}

#[tokio::test]
async fn full_token_buckets_are_deleted() {
    for_each_engine(|shop| async move {
        take(&shop.db, "old", 1000).await;
        for _ in 0..3 {
            take(&shop.db, "young", 1000).await;
        }
        assert_eq!(write!(shop.db, tx => tx.delete_expired(1099).await?), 0);
        assert_eq!(write!(shop.db, tx => tx.delete_expired(1100).await?), 1);
        assert_eq!(take(&shop.db, "young", 1100).await, 0);
        assert_eq!(
            take(&shop.db, "young", 1100).await,
            100,
            "it was not deleted"
        );
    })
    .await;
}
