//! Sign-in through the sandbox Google and sign-out: success, forged callbacks, cookies and roles.

use http::Method;
use mirasa_server::config::Config;
use serde_json::json;

use crate::cart::{cart, packs};
use crate::harness::{ADMIN, TestClient, TestShop, for_each_engine, on_sqlite_fresh};

const REJECTED_LOCATION: &str = "/?signIn=refused";

#[test]
fn visitor_can_sign_in_and_out() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        assert!(!browser.is_signed_in().await);
        let landed = browser
            .sign_in_with(
                &TestShop::email("sign-in"),
                &[("returnTo", "/product/goda-masala?x=1#y")],
            )
            .await;
        assert_eq!(landed, "/product/goda-masala?x=1#y");
        assert!(browser.is_signed_in().await);
        let user = browser.get("/api/userinfo").await.expect_ok();
        assert_eq!(
            (&user["user"]["email"], &user["user"]["name"]),
            (&json!("sign-in@it.example"), &json!("Sign In"))
        );

        let session = browser.session().unwrap();
        assert_eq!(browser.get("/api/auth/logout").await.redirect(), "/");
        assert_eq!(browser.session(), None);
        browser.set_cookie("mirasa_session", &session);
        assert!(
            !browser.is_signed_in().await,
            "the session is deleted on the server, too"
        );
        assert_eq!(
            browser.get("/api/auth/logout").await.redirect(),
            "/",
            "a second sign-out succeeds"
        );
    });
}

#[test]
fn second_sign_in_keeps_the_account_and_creates_a_new_session() {
    for_each_engine(async |shop| {
        let browser = shop.customer("sign-in-again").await;
        let first = browser.session().unwrap();
        let id = browser.get("/api/userinfo").await.expect_ok()["user"]["_id"].take();
        browser
            .put("/api/user/profile", json!({ "name": "My Own Name" }))
            .await
            .expect_ok();
        browser.sign_in(&TestShop::email("sign-in-again")).await;
        assert_ne!(browser.session().unwrap(), first);
        let user = browser.get("/api/userinfo").await.expect_ok()["user"].take();
        assert_eq!((&user["_id"], &user["name"]), (&id, &json!("My Own Name")));
    });
}

#[test]
fn session_fixation_is_not_possible() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        browser.set_cookie("mirasa_session", "chosen-by-attacker");
        browser.sign_in(&TestShop::email("sign-in-fixation")).await;
        assert_ne!(browser.session().unwrap(), "chosen-by-attacker");
        assert!(browser.session().unwrap().len() >= 43, "256 bits");
        browser.set_cookie("mirasa_session", "chosen-by-attacker");
        assert!(!browser.is_signed_in().await);
    });
}

async fn expect_rejected(browser: &TestClient, callback: &str) {
    expect_rejected_at(browser, callback, REJECTED_LOCATION).await;
}

async fn expect_rejected_at(browser: &TestClient, callback: &str, location: &str) {
    let redirect = browser.get(callback).await.redirect();
    assert_eq!(redirect, location, "{callback}");
    assert!(!browser.is_signed_in().await, "{callback}");
}

#[test]
fn callback_works_once_and_only_in_the_same_browser() {
    for_each_engine(async |shop| {
        let email = TestShop::email("sign-in-state");
        let email = email.as_str();
        let victim = shop.visitor();
        let callback = victim.sign_in_until_callback(email, &[]).await;
        expect_rejected(&shop.visitor(), &callback).await;
        assert_eq!(victim.get(&callback).await.redirect(), "/");
        assert!(
            victim.is_signed_in().await,
            "the other browser changed nothing"
        );
        victim.cookies.lock().unwrap().clear();

        let other = shop.visitor();
        other.sign_in_until_callback(email, &[]).await;
        let callback = victim.sign_in_until_callback(email, &[]).await;
        expect_rejected(&other, &callback).await;

        let callback = victim.sign_in_until_callback(email, &[]).await;
        victim.cookies.lock().unwrap().clear();
        expect_rejected(&victim, &callback).await;

        let callback = victim.sign_in_until_callback(email, &[]).await;
        assert_eq!(victim.get(&callback).await.redirect(), "/");
        assert!(victim.is_signed_in().await);
        expect_rejected(&shop.visitor(), &callback).await;
        expect_rejected(&other, &callback).await;
    });
}

#[test]
fn expired_sign_in_is_rejected() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let callback = browser
            .sign_in_until_callback(
                &TestShop::email("sign-in-slow"),
                &[("returnTo", "/shipping-policy")],
            )
            .await;
        // Expire only this attempt: other tests sign in at the same server.
        let expire = "update sign_in_attempts set expires_at = expires_at - 600000 where return_to = '/shipping-policy'";
        assert_eq!(shop.sql(expire).await, 1);
        expect_rejected_at(&browser, &callback, "/shipping-policy?signIn=refused").await;
    });
}

#[test]
fn refused_sign_in_returns_to_the_page_on_which_it_began() {
    for_each_engine(async |shop| {
        let email = TestShop::email("sign-in-refused-page");
        for (return_to, landed) in [
            (
                "/product/goda-masala",
                "/product/goda-masala?signIn=refused",
            ),
            ("/search?q=goda#top", "/search?q=goda&signIn=refused#top"),
            ("//evil.example", "/?signIn=refused"),
            ("/api/auth/logout", "/?signIn=refused"),
        ] {
            let browser = shop.visitor();
            let more = [("returnTo", return_to), ("add", "goda-masala:1:0")];
            let callback = browser.sign_in_until_callback(&email, &more).await;
            let (_, state) = callback.split_once("state=").unwrap();
            for query in [
                format!("error=access_denied&state={state}"),
                format!("state={state}"),
                format!("code=forged&state={state}"),
            ] {
                let callback = format!("/api/auth/google/callback?{query}");
                expect_rejected_at(&browser, &callback, landed).await;
            }
        }
    });
}

#[test]
fn unavailable_google_redirects_to_a_page_of_the_shop() {
    let unreachable_google = |config: &mut Config| {
        config.google.issuer = "http://127.0.0.1:1".into();
        config.google.client_id = "client".into();
        config.google.client_secret = "secret".into();
    };
    on_sqlite_fresh(unreachable_google, async |shop| {
        let browser = shop.visitor();
        let response = browser.get("/api/auth/google/login").await;
        assert_eq!(response.redirect(), "/?signIn=unavailable");
        let login = "/api/auth/google/login?returnTo=/wishlist";
        assert_eq!(
            browser.get(login).await.redirect(),
            "/wishlist?signIn=unavailable"
        );
        assert_eq!(
            shop.visitor().get("/sandbox/google/authorize").await.status,
            404,
            "the sandbox does not run beside a real provider"
        );
    });
}

#[test]
fn forged_or_incomplete_callback_is_rejected() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let callback = browser
            .sign_in_until_callback(&TestShop::email("sign-in-forged"), &[])
            .await;
        let (_, query) = callback.split_once('?').unwrap();
        let part = |name: &str| {
            let pair = query
                .split('&')
                .find(|pair| pair.starts_with(name))
                .unwrap();
            pair.to_owned()
        };
        let (code, state) = (part("code="), part("state="));
        for query in [
            String::new(),
            code.clone(),
            state.clone(),
            format!("{code}&state=forged"),
            format!("{code}&state="),
            "error=access_denied".into(),
            format!("error=access_denied&{state}"),
            format!("error=access_denied&{code}&{state}"),
        ] {
            let visitor = shop.visitor();
            *visitor.cookies.lock().unwrap() = browser.cookies.lock().unwrap().clone();
            expect_rejected(&visitor, &format!("/api/auth/google/callback?{query}")).await;
        }
        // A valid state with a forged code: the provider rejects the code.
        expect_rejected(
            &browser,
            &format!("/api/auth/google/callback?code=forged&{state}"),
        )
        .await;
    });
}

#[test]
fn sign_in_redirects_only_within_the_shop() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for return_to in [
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example",
            "https:evil.example",
            "javascript:alert(1)",
            "evil.example",
            "/\tevil",
            " //evil.example",
            "/api/auth/logout",
            "",
        ] {
            let landed = browser
                .sign_in_with(&TestShop::email("sign-in-open"), &[("returnTo", return_to)])
                .await;
            assert_eq!(landed, "/", "{return_to:?}");
        }
    });
}

#[test]
fn intended_item_is_in_the_cart_after_sign_in() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let email = TestShop::email("sign-in-intent");
        for (add, landed) in [
            ("goda-masala:2:1", "/product/goda-masala?added=1"),
            ("hidden-masala:1:0", "/product/goda-masala?added=0"),
            ("goda-masala:9999:0", "/product/goda-masala?added=0"),
            ("nonsense", "/product/goda-masala"),
        ] {
            let more = [("returnTo", "/product/goda-masala"), ("add", add)];
            assert_eq!(browser.sign_in_with(&email, &more).await, landed, "{add}");
        }
        assert_eq!(packs(&cart(&browser).await), [("goda-masala", 2, 1)]);
    });
}

#[test]
fn sign_out_everywhere_ends_all_sessions_of_the_user() {
    for_each_engine(async |shop| {
        let (phone, laptop) = (
            shop.customer("sign-in-everywhere").await,
            shop.customer("sign-in-everywhere").await,
        );
        let other = shop.customer("sign-in-elsewhere").await;
        let phone_session = phone.session().unwrap();
        phone
            .post("/api/auth/logout-everywhere", json!({}))
            .await
            .expect_ok();
        assert_eq!(phone.session(), None);
        phone.set_cookie("mirasa_session", &phone_session);
        assert!(!phone.is_signed_in().await);
        assert!(!laptop.is_signed_in().await);
        assert!(other.is_signed_in().await);
    });
}

#[test]
fn only_configured_emails_are_admins() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for (email, role) in [
            (ADMIN, "admin"),
            ("OWNER@it.example", "admin"),
            ("admin@mirasa.example", "admin"),
            ("owner@it.example.evil.example", "customer"),
            ("owner+1@it.example", "customer"),
            ("shopper@mirasa.example", "customer"),
        ] {
            browser.sign_in(email).await;
            let user = browser.get("/api/userinfo").await.expect_ok();
            assert_eq!(user["user"]["role"], role, "{email}");
        }
    });
}

#[test]
fn cross_site_request_cannot_sign_out() {
    for_each_engine(async |shop| {
        let browser = shop.customer("sign-in-csrf").await;
        let request = browser
            .request(Method::GET, "/api/auth/logout")
            .header("sec-fetch-site", "cross-site");
        assert_eq!(browser.send(request).await.status, 403);
        assert!(browser.is_signed_in().await);
        for from in ["same-origin", "none"] {
            let request = browser
                .request(Method::GET, "/api/auth/logout")
                .header("sec-fetch-site", from);
            assert_eq!(browser.send(request).await.redirect(), "/");
        }
        assert!(!browser.is_signed_in().await);
    });
}

#[test]
fn cookies_are_http_only_and_same_site() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let login = browser
            .get("/api/auth/google/login?login_hint=sign-in-cookies@it.example")
            .await;
        let attributes = login.header("set-cookie");
        assert!(attributes.starts_with("mirasa_sign_in_"));
        assert!(
            attributes.ends_with("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"),
            "{attributes}"
        );
        assert_eq!(login.header("cache-control"), "no-store");

        let callback = browser.get(&login.redirect()).await.redirect();
        let back = browser.get(&callback).await;
        let cookies: Vec<_> = back
            .headers
            .get_all("set-cookie")
            .iter()
            .map(|value| value.to_str().unwrap())
            .collect();
        let [cookie] = cookies[..] else {
            panic!("{cookies:?}");
        };
        assert!(cookie.starts_with("mirasa_session="));
        assert!(
            cookie.ends_with("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"),
            "{cookie}"
        );
        assert_eq!(back.header("cache-control"), "no-store");
    });
}

#[test]
fn cookies_over_https_are_secure_and_host_prefixed() {
    let https = |config: &mut Config| {
        config.public_url = "https://mirasa.example".into();
    };
    on_sqlite_fresh(https, async |shop| {
        let mut browser = shop.visitor();
        let login = browser
            .get("/api/auth/google/login?returnTo=/wishlist")
            .await;
        assert_eq!(
            login.header("location"),
            "https://mirasa.example/api/auth/google/login?returnTo=%2Fwishlist",
            "the cookie must be set for the host that the provider redirects to"
        );
        browser.host = Some("mirasa.example".into());
        let callback = browser
            .sign_in_until_callback(&TestShop::email("https"), &[])
            .await;
        let back = browser.get(&callback).await;
        for cookie in back.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            assert!(cookie.starts_with("__Host-mirasa_"), "{cookie}");
            assert!(
                cookie.ends_with("; HttpOnly; SameSite=Lax; Secure"),
                "{cookie}"
            );
        }
        assert!(browser.is_signed_in().await);
        let session = browser.session().unwrap();
        browser.cookies.lock().unwrap().clear();
        browser.set_cookie("mirasa_session", &session);
        assert!(
            !browser.is_signed_in().await,
            "a cookie without the prefix is ignored"
        );
    });
}

#[test]
fn concurrent_first_sign_ins_create_one_account() {
    for_each_engine(async |shop| {
        let tabs: Vec<_> = (0..6).map(|_| shop.visitor()).collect();
        let email = TestShop::email("sign-in-tabs");
        futures::future::join_all(tabs.iter().map(|tab| tab.sign_in(&email))).await;
        for tab in &tabs {
            assert!(tab.is_signed_in().await);
        }
        let count_users = "update users set id = id where email = 'sign-in-tabs@it.example'";
        assert_eq!(shop.sql(count_users).await, 1);
    });
}
