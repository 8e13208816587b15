//! Too many calls at several instances: they count together what costs more, and each for itself where the
//! database does not answer.

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

fn on(config: &mut Config) {
    config.rate_limit = OnOff::On;
}

fn from(address: [u8; 4], base: &str) -> TestClient {
    TestClient::new(client(Some(IpAddr::from(address))), base)
}

/// A second instance on the shop's database.
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

    /// The same visitor at the shop and here.
    fn at_both(&self, shop: &TestShop, address: [u8; 4]) -> [TestClient; 2] {
        let here = format!("http://{}", self.running.address);
        [from(address, &shop.base), from(address, &here)]
    }
}

async fn write(browser: &TestClient) -> TestResponse {
    let message = json!({ "message": "hello" });
    browser.post("/api/api/queries", message).await
}

/// Calls at one and the other in turn until both have said no. What both let in must be what one bucket has.
async fn until_refused(
    browsers: &[TestClient; 2],
    burst: u128,
    every: Duration,
    call: impl AsyncFn(&TestClient) -> TestResponse,
) -> [TestResponse; 2] {
    let (mut welcome, mut noes) = (0, [None, None]);
    let began = Instant::now();
    for turn in 0..2000 {
        let at = turn % 2;
        let response = call(&browsers[at]).await;
        let came_back = began.elapsed().as_millis() / every.as_millis();
        if response.status == 429 {
            noes[at] = Some(response);
            if let [Some(first), Some(second)] = noes {
                assert!(welcome >= burst, "only {welcome} calls were welcome");
                return [first, second];
            }
        } else {
            welcome += 1;
            assert!(
                welcome <= burst + came_back,
                "{welcome} calls were welcome: {response:?}"
            );
        }
    }
    panic!("{welcome} calls were welcome");
}

fn seconds_to_wait(no: &TestResponse) -> u64 {
    no.expect_error(429, "Too many requests. Please try again in a moment.");
    no.header("retry-after").parse().unwrap()
}

#[test]
fn two_instances_let_in_as_many_as_one() {
    for_each_engine_fresh(on, async |shop| {
        let second = Second::start(shop).await;
        let flooder = second.at_both(shop, [127, 0, 0, 11]);
        let every = Duration::from_secs(10);
        let noes = until_refused(&flooder, 20, every, async |browser| {
            let response = write(browser).await;
            assert!(matches!(response.status, 201 | 429), "{response:?}");
            response
        })
        .await;
        for no in &noes {
            let wait = seconds_to_wait(no);
            assert!((1..=10).contains(&wait), "{wait} s");
        }
        let every = Duration::from_millis(500);
        let noes = until_refused(&flooder, 120, every, async |browser| {
            browser.get("/api/auth/google/login").await
        })
        .await;
        assert_eq!(noes.each_ref().map(seconds_to_wait), [1, 1]);
        for browser in second.at_both(shop, [127, 0, 0, 12]) {
            assert_eq!(write(&browser).await.status, 201, "somebody else");
        }
        let hashed = "update call_buckets set wait = wait where length(key) = 64";
        let buckets = shop.sql(hashed).await;
        assert_eq!(buckets, 3, "two of one visitor, one of the other");
        second.running.stop().await;
    });
}

#[test]
fn whoever_was_refused_together_is_refused_from_memory() {
    for_each_engine_fresh(on, async |shop| {
        let second = Second::start(shop).await;
        let flooder = second.at_both(shop, [127, 0, 0, 18]);
        let noes = until_refused(&flooder, 20, Duration::from_secs(10), write).await;
        let refused = Instant::now();
        let wait = noes.iter().map(seconds_to_wait).min().unwrap();
        // Asked again, the database would let them in.
        shop.sql("delete from call_buckets").await;
        for browser in &flooder {
            let response = write(browser).await;
            let is_over = refused.elapsed() + Duration::from_secs(1) >= Duration::from_secs(wait);
            assert!(response.status == 429 || is_over, "{response:?}");
        }
        second.running.stop().await;
    });
}

#[test]
fn a_person_is_one_at_all_instances_and_in_all_sessions() {
    for_each_engine_fresh(on, async |shop| {
        let second = Second::start(shop).await;
        let browsers = second.at_both(shop, [127, 0, 0, 13]);
        let phone = shop.admin().await.session().unwrap();
        let laptop = shop.admin().await.session().unwrap();
        assert_ne!(phone, laptop);
        browsers[0].set_cookie("mirasa_session", &phone);
        browsers[1].set_cookie("mirasa_session", &laptop);
        // It is no picture; the look at it is what costs.
        let send = async |browser: &TestClient| browser.upload(&[("x.png", b"AAAA")]).await;
        let noes = until_refused(&browsers, 20, Duration::from_secs(2), send).await;
        let wait = seconds_to_wait(&noes[1]);
        assert!((1..=2).contains(&wait), "{wait} s");
        sleep(Duration::from_secs(wait)).await;
        assert_ne!(send(&browsers[1]).await.status, 429, "as it was told");
        second.running.stop().await;
    });
}

#[test]
fn a_customer_changes_their_picture_a_few_times_an_hour() {
    for_each_engine_fresh(on, async |shop| {
        let second = Second::start(shop).await;
        let browsers = second.at_both(shop, [127, 0, 0, 19]);
        for browser in &browsers {
            let session = shop.customer("many-faces").await.session().unwrap();
            browser.set_cookie("mirasa_session", &session);
        }
        let every = Duration::from_secs(600);
        let noes = until_refused(&browsers, 6, every, async |browser| {
            let body = json!({ "profilePicture": "data:image/png;base64,AAAA" });
            browser.put("/api/user/profile-picture", body).await
        })
        .await;
        for no in &noes {
            let wait: u64 = no.header("retry-after").parse().unwrap();
            assert!((120..=600).contains(&wait), "{wait} s");
            let minutes = wait.div_ceil(60);
            no.expect_error(
                429,
                &format!("Too many requests. Please try again in {minutes} minutes."),
            );
        }
        assert_eq!(
            browsers[0].get("/api/userinfo").await.status,
            200,
            "everything else goes on"
        );
        second.running.stop().await;
    });
}

#[test]
fn whoever_may_not_come_in_fills_no_table() {
    for_each_engine_fresh(on, async |shop| {
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
fn without_its_database_an_instance_counts_for_itself() {
    on_postgres_fresh(on, async |shop| {
        let browser = from([127, 0, 0, 15], &shop.base);
        assert_eq!(write(&browser).await.status, 201);
        shop.drop_database().await;
        for _ in 1..20 {
            assert_eq!(write(&browser).await.status, 503);
        }
        let mut response = write(&browser).await;
        if response.status == 503 {
            response = write(&browser).await; // that took ten seconds, and one had come back
        }
        assert!(seconds_to_wait(&response) <= 10);
    });
}

#[test]
fn a_bucket_that_cannot_be_reached_delays_few_calls_and_stops_none() {
    on_postgres_fresh(on, async |shop| {
        let browser = from([127, 0, 0, 16], &shop.base);
        let url = shop.config.database_url.expose();
        let other = postgres(url).await;
        let hold = "begin; lock table call_buckets in access exclusive mode";
        other.batch_execute(hold).await.unwrap();
        let began = Instant::now();
        for _ in 0..10 {
            assert_eq!(write(&browser).await.status, 201);
        }
        let took = began.elapsed();
        assert!(took > Duration::from_millis(900), "nobody held it up");
        assert!(took < Duration::from_secs(6), "{took:?} for ten calls");
        // Whoever waits in vain leaves the rest of the shop its connections.
        for _ in 0..5 {
            sleep(Duration::from_millis(2100)).await;
            assert_eq!(write(&browser).await.status, 201);
        }
        other.batch_execute("rollback").await.unwrap();
        let names = AtomicU8::new(1);
        eventually("calls are counted together again", async || {
            let somebody = [127, 0, 1, names.fetch_add(1, Ordering::Relaxed)];
            write(&from(somebody, &shop.base)).await;
            shop.sql("update call_buckets set wait = wait").await >= 2
        })
        .await;
    });
}
