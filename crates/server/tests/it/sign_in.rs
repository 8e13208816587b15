//! Signing in through the sandbox Google and out again, and everything that may not work on the way.

use http::Method;
use mirasa_server::config::Config;
use serde_json::json;

use crate::cart::{cart, packs};
use crate::harness::{ADMIN, TestClient, TestShop, for_each_engine, on_sqlite_fresh};

const REFUSED: &str = "/?signIn=refused";

#[test]
fn a_visitor_signs_in_and_out() {
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
        assert!(
            !browser
                .cookies
                .lock()
                .unwrap()
                .contains_key("mirasa_sign_in"),
            "used up"
        );

        let session = browser.session().unwrap();
        assert_eq!(browser.get("/api/auth/logout").await.redirect(), "/");
        assert_eq!(browser.session(), None);
        browser.set_cookie("mirasa_session", &session);
        assert!(
            !browser.is_signed_in().await,
            "the session is dead on the server too"
        );
        assert_eq!(
            browser.get("/api/auth/logout").await.redirect(),
            "/",
            "signing out twice is fine"
        );
    });
}

#[test]
fn the_same_person_comes_back_with_a_new_session() {
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
fn a_session_given_to_the_browser_beforehand_is_not_used() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        browser.set_cookie("mirasa_session", "chosen-by-somebody-else");
        browser.sign_in(&TestShop::email("sign-in-fixation")).await;
        assert_ne!(browser.session().unwrap(), "chosen-by-somebody-else");
        assert!(browser.session().unwrap().len() >= 43, "256 bits");
        browser.set_cookie("mirasa_session", "chosen-by-somebody-else");
        assert!(!browser.is_signed_in().await);
    });
}

async fn is_refused(browser: &TestClient, callback: &str) {
    assert_eq!(
        browser.get(callback).await.redirect(),
        REFUSED,
        "{callback}"
    );
    assert!(!browser.is_signed_in().await, "{callback}");
}

#[test]
fn only_the_browser_that_began_can_finish_and_only_once() {
    for_each_engine(async |shop| {
        let email = TestShop::email("sign-in-state");
        let email = email.as_str();
        let victim = shop.visitor();
        let callback = victim.sign_in_until_callback(email, &[]).await;
        is_refused(&shop.visitor(), &callback).await;
        // Whoever presents a state uses it up: the thief's try ended the attempt.
        is_refused(&victim, &callback).await;

        let other = shop.visitor();
        other.sign_in_until_callback(email, &[]).await;
        let callback = victim.sign_in_until_callback(email, &[]).await;
        is_refused(&other, &callback).await;

        let callback = victim.sign_in_until_callback(email, &[]).await;
        victim.cookies.lock().unwrap().clear();
        is_refused(&victim, &callback).await;

        let callback = victim.sign_in_until_callback(email, &[]).await;
        let cookies = victim.cookies.lock().unwrap().clone();
        assert_eq!(victim.get(&callback).await.redirect(), "/");
        assert!(victim.is_signed_in().await);
        let replayed = shop.visitor();
        *replayed.cookies.lock().unwrap() = cookies;
        is_refused(&replayed, &callback).await;
    });
}

#[test]
fn a_sign_in_that_took_too_long_is_refused() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let callback = browser
            .sign_in_until_callback(
                &TestShop::email("sign-in-slow"),
                &[("returnTo", "/shipping-policy")],
            )
            .await;
        // This one alone: others are signing in at the same shop.
        let expire =
            "update sign_in_attempts set expires_at = 1 where return_to = '/shipping-policy'";
        assert_eq!(shop.sql(expire).await, 1);
        is_refused(&browser, &callback).await;
    });
}

#[test]
fn while_google_is_away_people_land_on_a_page_of_the_shop() {
    let away = |config: &mut Config| {
        config.google.issuer = "http://127.0.0.1:1".into();
        config.google.client_id = "client".into();
        config.google.client_secret = "secret".into();
    };
    on_sqlite_fresh(away, async |shop| {
        let browser = shop.visitor();
        let response = browser.get("/api/auth/google/login").await;
        assert_eq!(response.redirect(), "/?signIn=unavailable");
        assert_eq!(
            shop.visitor().get("/sandbox/google/authorize").await.status,
            404,
            "no sandbox beside it"
        );
    });
}

#[test]
fn a_forged_or_missing_answer_is_refused() {
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
            is_refused(&visitor, &format!("/api/auth/google/callback?{query}")).await;
        }
        // A true state with a false code: the provider says no.
        is_refused(
            &browser,
            &format!("/api/auth/google/callback?code=forged&{state}"),
        )
        .await;
    });
}

#[test]
fn a_sign_in_leads_back_to_the_shop_and_nowhere_else() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        for elsewhere in [
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
                .sign_in_with(&TestShop::email("sign-in-open"), &[("returnTo", elsewhere)])
                .await;
            assert_eq!(landed, "/", "{elsewhere:?}");
        }
    });
}

#[test]
fn what_was_wanted_is_in_the_cart_afterwards() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let email = TestShop::email("sign-in-wanted");
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
fn signing_out_everywhere_ends_every_session_of_that_person() {
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
fn configured_people_are_admins_and_nobody_else() {
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
fn a_page_elsewhere_cannot_sign_anybody_out() {
    for_each_engine(async |shop| {
        let browser = shop.customer("sign-in-csrf").await;
        let ask = browser
            .request(Method::GET, "/api/auth/logout")
            .header("sec-fetch-site", "cross-site");
        assert_eq!(browser.send(ask).await.status, 403);
        assert!(browser.is_signed_in().await);
        for from in ["same-origin", "none"] {
            let ask = browser
                .request(Method::GET, "/api/auth/logout")
                .header("sec-fetch-site", from);
            assert_eq!(browser.send(ask).await.redirect(), "/");
        }
        assert!(!browser.is_signed_in().await);
    });
}

#[test]
fn cookies_are_out_of_reach_of_scripts_and_other_sites() {
    for_each_engine(async |shop| {
        let browser = shop.visitor();
        let login = browser
            .get("/api/auth/google/login?login_hint=sign-in-cookies@it.example")
            .await;
        let attributes = login.header("set-cookie");
        assert!(attributes.starts_with("mirasa_sign_in="));
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
        assert_eq!(
            cookies[0],
            "mirasa_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        );
        assert!(cookies[1].starts_with("mirasa_session="));
        assert!(
            cookies[1].ends_with("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"),
            "{}",
            cookies[1]
        );
        assert_eq!(back.header("cache-control"), "no-store");
    });
}

#[test]
fn under_https_cookies_are_secure_and_bound_to_the_host() {
    let https = |config: &mut Config| {
        config.public_url = "https://mirasa.example".into();
    };
    on_sqlite_fresh(https, async |shop| {
        let mut browser = shop.visitor();
        let elsewhere = browser
            .get("/api/auth/google/login?returnTo=/wishlist")
            .await;
        assert_eq!(
            elsewhere.header("location"),
            "https://mirasa.example/api/auth/google/login?returnTo=%2Fwishlist",
            "the cookie must be set under the name that the provider returns to"
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
            "a cookie without the prefix does not count"
        );
    });
}

#[test]
fn who_signs_in_for_the_first_time_in_many_tabs_is_one_person() {
    for_each_engine(async |shop| {
        let tabs: Vec<_> = (0..6).map(|_| shop.visitor()).collect();
        let email = TestShop::email("sign-in-tabs");
        futures::future::join_all(tabs.iter().map(|tab| tab.sign_in(&email))).await;
        for tab in &tabs {
            assert!(tab.is_signed_in().await);
        }
        let one = "update users set id = id where email = 'sign-in-tabs@it.example'";
        assert_eq!(shop.sql(one).await, 1);
    });
}
