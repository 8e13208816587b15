//! Rate limits of several instances: expensive requests are counted in the shared database. If the database does not
//! respond, each instance counts for itself.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use mirasa_server::config::{Config, OnOff};
use mirasa_server::serve::{self, Server};
use serde_json::json;
use tokio::time::sleep;

use crate::harness::{
    TestClient, TestResponse, TestShop, client, eventually, for_each_engine_fresh,
    on_postgres_fresh, postgres, temporary_folder,
};

fn enable_rate_limit(config: &mut Config) {
    config.rate_limit = OnOff::On;
}

fn from(address: [u8; 4], base: &str) -> TestClient {
    TestClient::new(client(Some(IpAddr::from(address))), base)
}

/// A second instance on the same database.
struct Second {
    running: Server,
    _folder: Arc<tempfile::TempDir>,
}

impl Second {
    async fn start(shop: &TestShop) -> Second {
        let folder = temporary_folder();
        let mut config = shop.config.clone();
        config.data = folder.path().to_owned();
        config.listen = "127.0.0.1:0".parse().unwrap();
        Second {
            running: serve::start(&config, None).await.unwrap(),
            _folder: folder,
        }
    }

    /// Clients with the same IP at the first and at the second instance.
    fn at_both(&self, shop: &TestShop, address: [u8; 4]) -> [TestClient; 2] {
        let here = format!("http://{}", self.running.address);
        [from(address, &shop.base), from(address, &here)]
    }
}

async fn write(browser: &TestClient) -> TestResponse {
    let message = json!({ "message": "hello" });
    browser.post("/api/api/queries", message).await
}

/// Sends requests to both instances in turn until both return 429. Together they must accept what one bucket allows.
async fn flood_both(
    browsers: &[TestClient; 2],
    burst: u128,
    refill_interval: Duration,
    send_request: impl AsyncFn(&TestClient) -> TestResponse,
) -> [TestResponse; 2] {
    let (mut accepted, mut rejections) = (0, [None, None]);
    let began = Instant::now();
    for turn in 0..2000 {
        let at = turn % 2;
        let response = send_request(&browsers[at]).await;
        let refilled = began.elapsed().as_millis() / refill_interval.as_millis();
        if response.status == 429 {
            rejections[at] = Some(response);
            if let [Some(first), Some(second)] = rejections {
                assert!(accepted >= burst, "only {accepted} requests were accepted");
                return [first, second];
            }
        } else {
            accepted += 1;
            assert!(
                accepted <= burst + refilled,
                "{accepted} requests were accepted: {response:?}"
            );
        }
    }
    panic!("{accepted} requests were accepted");
}

fn seconds_to_wait(rejection: &TestResponse) -> u64 {
    rejection.expect_error(429, "Too many requests. Please try again in a moment.");
    rejection.header("retry-after").parse().unwrap()
}

#[test]
fn two_instances_accept_as_many_requests_as_one() {
    for_each_engine_fresh(enable_rate_limit, async |shop| {
        let second = Second::start(shop).await;
        let flooder = second.at_both(shop, [127, 0, 0, 11]);
        let refill_interval = Duration::from_secs(10);
        let rejections = flood_both(&flooder, 20, refill_interval, async |browser| {
            let response = write(browser).await;
            assert!(matches!(response.status, 201 | 429), "{response:?}");
            response
        })
        .await;
        for rejection in &rejections {
            let wait = seconds_to_wait(rejection);
            assert!((1..=10).contains(&wait), "{wait} s");
        }
        let refill_interval = Duration::from_millis(500);
        let rejections = flood_both(&flooder, 120, refill_interval, async |browser| {
            browser.get("/api/auth/google/login").await
        })
        .await;
        assert_eq!(rejections.each_ref().map(seconds_to_wait), [1, 1]);
        for browser in second.at_both(shop, [127, 0, 0, 12]) {
            assert_eq!(write(&browser).await.status, 201, "another IP");
        }
        let hashed = "update call_buckets set wait = wait where length(key) = 64";
        let buckets = shop.sql(hashed).await;
        assert_eq!(buckets, 3, "two buckets of the first IP, one of the second");
        second.running.stop().await;
    });
}

#[test]
fn rejected_client_is_rejected_without_the_database() {
    for_each_engine_fresh(enable_rate_limit, async |shop| {
        let second = Second::start(shop).await;
        let flooder = second.at_both(shop, [127, 0, 0, 18]);
        let rejections = flood_both(&flooder, 20, Duration::from_secs(10), write).await;
        let rejected_at = Instant::now();
        let wait = rejections.iter().map(seconds_to_wait).min().unwrap();
        // With empty buckets the database would accept them.
        shop.sql("delete from call_buckets").await;
        for browser in &flooder {
            let response = write(browser).await;
            let is_over =
                rejected_at.elapsed() + Duration::from_secs(1) >= Duration::from_secs(wait);
            assert!(response.status == 429 || is_over, "{response:?}");
        }
        second.running.stop().await;
    });
}

#[test]
fn limit_by_user_is_shared_by_sessions_and_instances() {
    for_each_engine_fresh(enable_rate_limit, async |shop| {
        let second = Second::start(shop).await;
        let browsers = second.at_both(shop, [127, 0, 0, 13]);
        let phone = shop.admin().await.session().unwrap();
        let laptop = shop.admin().await.session().unwrap();
        assert_ne!(phone, laptop);
        browsers[0].set_cookie("mirasa_session", &phone);
        browsers[1].set_cookie("mirasa_session", &laptop);
        // Not an image: the limit counts the attempt to decode it.
        let send = async |browser: &TestClient| browser.upload(&[("x.png", b"AAAA")]).await;
        let rejections = flood_both(&browsers, 20, Duration::from_secs(2), send).await;
        let wait = seconds_to_wait(&rejections[1]);
        assert!((1..=2).contains(&wait), "{wait} s");
        sleep(Duration::from_secs(wait)).await;
        assert_ne!(
            send(&browsers[1]).await.status,
            429,
            "accepted after the announced wait"
        );
        second.running.stop().await;
    });
}

#[test]
fn profile_picture_changes_are_limited_per_hour() {
    for_each_engine_fresh(enable_rate_limit, async |shop| {
        let second = Second::start(shop).await;
        let browsers = second.at_both(shop, [127, 0, 0, 19]);
        for browser in &browsers {
            let session = shop
                .customer("many-profile-pictures")
                .await
                .session()
                .unwrap();
            browser.set_cookie("mirasa_session", &session);
        }
        let refill_interval = Duration::from_secs(600);
        let rejections = flood_both(&browsers, 6, refill_interval, async |browser| {
            let body = json!({ "profilePicture": "data:image/png;base64,AAAA" });
            browser.put("/api/user/profile-picture", body).await
        })
        .await;
        for rejection in &rejections {
            let wait: u64 = rejection.header("retry-after").parse().unwrap();
            assert!((120..=600).contains(&wait), "{wait} s");
            let minutes = wait.div_ceil(60);
            rejection.expect_error(
                429,
                &format!("Too many requests. Please try again in {minutes} minutes."),
            );
        }
        assert_eq!(
            browsers[0].get("/api/userinfo").await.status,
            200,
            "other requests are accepted"
        );
        second.running.stop().await;
    });
}

#[test]
fn unauthenticated_requests_create_no_buckets() {
    for_each_engine_fresh(enable_rate_limit, async |shop| {
        let browser = from([127, 0, 0, 14], &shop.base);
        for number in 0..10 {
            browser.set_cookie("mirasa_session", &format!("made-up-{number}"));
            let picture = json!({ "profilePicture": "data:image/png;base64,AAAA" });
            let response = browser.put("/api/user/profile-picture", picture).await;
            assert_eq!(response.status, 401);
        }
        let rows = "update call_buckets set wait = wait";
        assert_eq!(shop.sql(rows).await, 0);
    });
}

#[test]
fn instance_without_database_counts_for_itself() {
    on_postgres_fresh(enable_rate_limit, async |shop| {
        let browser = from([127, 0, 0, 15], &shop.base);
        assert_eq!(write(&browser).await.status, 201);
        shop.drop_database().await;
        for _ in 1..20 {
            assert_eq!(write(&browser).await.status, 503);
        }
        let mut response = write(&browser).await;
        if response.status == 503 {
            response = write(&browser).await; // the loop took more than ten seconds, so one token was refilled
        }
        assert!(seconds_to_wait(&response) <= 10);
    });
}

#[test]
fn locked_bucket_table_delays_few_requests_and_rejects_none() {
    on_postgres_fresh(enable_rate_limit, async |shop| {
        let browser = from([127, 0, 0, 16], &shop.base);
        let url = shop.config.database_url.expose();
        let other = postgres(url).await;
        let lock = "begin; lock table call_buckets in access exclusive mode";
        other.batch_execute(lock).await.unwrap();
        let began = Instant::now();
        for _ in 0..10 {
            assert_eq!(write(&browser).await.status, 201);
        }
        let took = began.elapsed();
        assert!(
            took > Duration::from_millis(900),
            "no request waited for the lock"
        );
        assert!(took < Duration::from_secs(6), "{took:?} for ten requests");
        // Requests that wait for the lock do not use up the connection pool.
        for _ in 0..5 {
            sleep(Duration::from_millis(2100)).await;
            assert_eq!(write(&browser).await.status, 201);
        }
        other.batch_execute("rollback").await.unwrap();
        let last_octet = AtomicU8::new(1);
        eventually("requests are counted in the database again", async || {
            let client_ip = [127, 0, 1, last_octet.fetch_add(1, Ordering::Relaxed)];
            write(&from(client_ip, &shop.base)).await;
            shop.sql("update call_buckets set wait = wait").await >= 2
        })
        .await;
    });
}
