//! Callbacks that a browser sends more than once: a service worker with navigation preload sends each navigation twice, and
//! Back leads to the provider's page again.

use std::collections::BTreeMap;

use futures::future::join_all;
use mirasa_server::serve;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::cart::{cart, packs};
use crate::harness::{
    TestClient, TestResponse, TestShop, client, eventually, for_each_engine, on_postgres_fresh,
    temporary_folder,
};

type Cookies = BTreeMap<String, String>;

fn cookies(browser: &TestClient) -> Cookies {
    browser.cookies.lock().unwrap().clone()
}

/// The name and the value of each.
fn sign_in_cookies(browser: &TestClient) -> Vec<(String, String)> {
    let all = cookies(browser).into_iter();
    all.filter(|(name, _)| name.starts_with("mirasa_sign_in_"))
        .collect()
}

/// The same browser, as another request of it sees it.
fn with_cookies(browser: TestClient, cookies: &Cookies) -> TestClient {
    *browser.cookies.lock().unwrap() = cookies.clone();
    browser
}

/// The session cookie that the response sets. Empty if there is none.
fn new_session(response: &TestResponse) -> String {
    let cookie = response.header("set-cookie");
    let value = cookie.strip_prefix("mirasa_session=").unwrap_or_default();
    value.split(';').next().unwrap_or_default().to_owned()
}

async fn sessions_of(shop: &TestShop, email: &str) -> u64 {
    let count = format!(
        "update sessions set user_id = user_id where user_id in (select id from users where email = '{email}')"
    );
    shop.sql(&count).await
}

/// Makes the attempt with this return path older.
async fn age_claim(shop: &TestShop, return_to: &str, ms: i64, and: &str) {
    let age = format!(
        "update sign_in_attempts set claimed_at = claimed_at - {ms}{and} where return_to = '{return_to}'"
    );
    assert_eq!(shop.sql(&age).await, 1);
}

/// A visitor who is about to return from the provider, with packs to add.
async fn at_callback(shop: &TestShop, email: &str, return_to: &str) -> (TestClient, String) {
    let browser = shop.visitor();
    let more = [("returnTo", return_to), ("add", "goda-masala:2:1")];
    let callback = browser.sign_in_until_callback(email, &more).await;
    (browser, callback)
}

#[test]
fn repeated_callback_has_the_result_of_the_first() {
    for_each_engine(async |shop| {
        let email = TestShop::email("repeat-once");
        let (browser, callback) = at_callback(shop, &email, "/product/goda-masala").await;
        let before = cookies(&browser);
        let first = browser.get(&callback).await;
        let session = new_session(&first);
        assert_eq!(first.redirect(), "/product/goda-masala?added=1");
        assert!(!session.is_empty());
        // With and without the cookies of the first response: browsers differ in when they store them.
        for known in [&before, &cookies(&browser)] {
            let again = with_cookies(shop.visitor(), known);
            let response = again.get(&callback).await;
            assert_eq!(response.redirect(), "/product/goda-masala?added=1");
            assert_eq!(new_session(&response), session);
            assert!(again.is_signed_in().await);
        }
        assert_eq!(packs(&cart(&browser).await), [("goda-masala", 2, 1)]);
        assert_eq!(sessions_of(shop, &email).await, 1);
    });
}

#[test]
fn concurrent_callbacks_have_one_result() {
    for_each_engine(async |shop| {
        let email = TestShop::email("repeat-at-once");
        let (browser, callback) = at_callback(shop, &email, "/wishlist").await;
        let tabs: Vec<_> = (0..6)
            .map(|_| with_cookies(shop.visitor(), &cookies(&browser)))
            .collect();
        let responses = join_all(tabs.iter().map(|tab| tab.get(&callback))).await;
        for response in &responses {
            assert_eq!(response.redirect(), "/wishlist?added=1");
            assert_eq!(new_session(response), new_session(&responses[0]));
        }
        assert_eq!(packs(&cart(&tabs[0]).await), [("goda-masala", 2, 1)]);
        assert_eq!(sessions_of(shop, &email).await, 1);
    });
}

#[test]
fn concurrent_callbacks_at_two_instances_have_one_result() {
    on_postgres_fresh(
        |_| {},
        async |shop| {
            let folder = temporary_folder();
            let mut config = shop.config.clone();
            config.data = folder.path().to_owned();
            config.listen = "127.0.0.1:0".parse().unwrap();
            config.public_url.clone_from(&shop.base);
            let second = serve::start(&config, None).await.unwrap();
            let bases = [shop.base.clone(), format!("http://{}", second.address)];
            for round in 0..5 {
                let email = TestShop::email(&format!("repeat-instances-{round}"));
                let (browser, callback) = at_callback(shop, &email, "/wishlist").await;
                let tabs = bases.iter().chain(&bases).map(|base| {
                    with_cookies(TestClient::new(client(None), base), &cookies(&browser))
                });
                let tabs: Vec<_> = tabs.collect();
                let responses = join_all(tabs.iter().map(|tab| tab.get(&callback))).await;
                for (tab, response) in tabs.iter().zip(&responses) {
                    assert_eq!(response.redirect(), "/wishlist?added=1");
                    assert_eq!(new_session(response), new_session(&responses[0]));
                    assert!(tab.is_signed_in().await);
                }
                assert_eq!(packs(&cart(&tabs[0]).await), [("goda-masala", 2, 1)]);
                assert_eq!(sessions_of(shop, &email).await, 1);
            }
        },
    );
}

/// The browser cancels a preloaded request when it is not needed.
#[test]
fn callback_works_after_its_first_request_was_dropped() {
    for_each_engine(async |shop| {
        let email = TestShop::email("repeat-dropped");
        let (browser, callback) = at_callback(shop, &email, "/about-us").await;
        let (name, value) = sign_in_cookies(&browser).pop().unwrap();
        let request =
            format!("GET {callback} HTTP/1.1\r\nHost: shop\r\nCookie: {name}={value}\r\n\r\n");
        let mut stream = TcpStream::connect(shop.running.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let claimed = "update sign_in_attempts set code_hash = code_hash
            where return_to = '/about-us' and claimed_at is not null";
        eventually("the first request has begun", async || {
            shop.sql(claimed).await == 1
        })
        .await;
        drop(stream);
        assert_eq!(browser.get(&callback).await.redirect(), "/about-us?added=1");
        assert!(browser.is_signed_in().await);
        assert_eq!(sessions_of(shop, &email).await, 1);
    });
}

#[test]
fn callback_cannot_be_repeated_after_a_minute() {
    for_each_engine(async |shop| {
        let page = "/cancellation-policy";
        let email = TestShop::email("repeat-late");
        let (browser, callback) = at_callback(shop, &email, page).await;
        let before = cookies(&browser);
        browser.get(&callback).await.redirect();
        age_claim(shop, page, 60_000, "").await;
        let late = with_cookies(shop.visitor(), &before);
        let response = late.get(&callback).await;
        assert_eq!(response.redirect(), format!("{page}?signIn=refused"));
        assert_eq!(new_session(&response), "");
        assert!(!late.is_signed_in().await);
        let response = browser.get(&callback).await;
        assert_eq!(response.redirect(), page, "the user is signed in already");
        assert_eq!(new_session(&response), "");
    });
}

#[test]
fn repeated_callback_does_not_bring_back_a_session_that_has_ended() {
    for_each_engine(async |shop| {
        let email = TestShop::email("repeat-signed-out");
        let (browser, callback) = at_callback(shop, &email, "/wishlist").await;
        browser.get(&callback).await.redirect();
        browser.get("/api/auth/logout").await.redirect();
        let response = browser.get(&callback).await;
        assert_eq!(response.redirect(), "/wishlist?signIn=refused");
        assert_eq!(new_session(&response), "");
        assert!(!browser.is_signed_in().await);
        assert_eq!(sessions_of(shop, &email).await, 0);
    });
}

/// The process that exchanged the code ended before it could store the outcome.
#[test]
fn callback_of_a_lost_exchange_does_not_wait_for_ever() {
    for_each_engine(async |shop| {
        let page = "/terms-and-conditions";
        let email = TestShop::email("repeat-lost");
        let (browser, callback) = at_callback(shop, &email, page).await;
        let before = cookies(&browser);
        browser.get(&callback).await.redirect();
        age_claim(shop, page, 20_000, ", outcome = null").await;
        let response = with_cookies(shop.visitor(), &before).get(&callback).await;
        assert_eq!(response.redirect(), format!("{page}?signIn=unavailable"));
        assert_eq!(new_session(&response), "");
    });
}

/// Back leads to the provider's page, where the user picks an account once more.
#[test]
fn second_code_for_a_used_state_changes_nothing() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let login = "/api/auth/google/login?returnTo=/wishlist&login_hint=repeat-back@it.example";
        let authorize = browser.get(login).await.redirect();
        let callback = browser.get(&authorize).await.redirect();
        assert_eq!(browser.get(&callback).await.redirect(), "/wishlist");
        let session = browser.session();
        let second = browser.get(&authorize).await.redirect();
        assert_ne!(second, callback);
        let response = browser.get(&second).await;
        assert_eq!(response.redirect(), "/wishlist", "no message: signed in");
        assert_eq!(
            (new_session(&response).as_str(), browser.session()),
            ("", session)
        );
        browser.cookies.lock().unwrap().remove("mirasa_session");
        let response = browser.get(&second).await;
        assert_eq!(response.redirect(), "/wishlist?signIn=refused");
        assert!(!browser.is_signed_in().await);
    });
}

#[test]
fn two_tabs_can_sign_in_at_the_same_time() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let email = TestShop::email("repeat-tabs");
        let mut callbacks = Vec::new();
        for (page, add) in [("/", "goda-masala:1:0"), ("/wishlist", "goda-masala:0:1")] {
            let more = [("returnTo", page), ("add", add)];
            callbacks.push(browser.sign_in_until_callback(&email, &more).await);
        }
        assert_eq!(browser.get(&callbacks[0]).await.redirect(), "/?added=1");
        let first = browser.session();
        assert_eq!(
            browser.get(&callbacks[1]).await.redirect(),
            "/wishlist?added=1"
        );
        assert_ne!(
            browser.session(),
            first,
            "each sign-in has a session of its own"
        );
        assert_eq!(packs(&cart(&browser).await), [("goda-masala", 1, 1)]);
    });
}

/// A service worker with navigation preload sends the start of a sign-in twice too. The browser follows one response and
/// stores the cookies of both, in any order.
#[test]
fn sign_in_that_begins_twice_can_be_finished_whichever_response_comes_last() {
    for_each_engine(async |shop| {
        let email = TestShop::email("repeat-begin");
        let begin = async |browser: &TestClient| {
            let callback = browser.sign_in_until_callback(&email, &[]).await;
            (callback, cookies(browser))
        };
        let (mut followed, mut other) =
            (begin(&shop.visitor()).await, begin(&shop.visitor()).await);
        for _ in 0..2 {
            let browser = with_cookies(shop.visitor(), &followed.1);
            for (name, value) in &other.1 {
                browser.set_cookie(name, value);
            }
            assert_eq!(sign_in_cookies(&browser).len(), 2);
            assert_eq!(browser.get(&followed.0).await.redirect(), "/");
            assert!(browser.is_signed_in().await);
            (followed, other) = (other, followed);
        }
    });
}

/// The cookie may have been set by somebody else.
#[test]
fn planted_sign_in_cookie_signs_nobody_in() {
    for_each_engine(async |shop| {
        let email = TestShop::email("repeat-planted");
        let (attacker, _) = at_callback(shop, &email, "/").await;
        let (_, known) = sign_in_cookies(&attacker).pop().unwrap();
        for planted in [known.as_str(), &"A".repeat(43), "short"] {
            let (browser, callback) = at_callback(shop, &email, "/about-us").await;
            let (name, _) = sign_in_cookies(&browser).pop().unwrap();
            browser.set_cookie(&name, planted);
            let response = browser.get(&callback).await;
            assert_eq!(response.redirect(), "/about-us?signIn=refused");
            assert!(!browser.is_signed_in().await);
        }
    });
}
