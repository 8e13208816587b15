//! The whole sign-in against the sandbox, with a small browser in between.

use axum::Router;
use mirasa_app::ports::identity::IdentityProvider as _;
use reqwest::header::{CONTENT_SECURITY_POLICY, LOCATION};
use serde_json::Value;
use url::Url;

use super::super::GoogleSettings;
use super::super::sandbox::PATH;
use super::sandbox_shop::{browser, filled_form, instance, shop, with};
use super::{CALLBACK, adapter, answer, ask, listener, serve, verdict};

#[tokio::test]
async fn a_login_hint_signs_in_without_a_click() {
    let shop = shop().await;
    let begun = shop.begin(Some("Meera.Joshi@Example.com")).await;
    let back = shop.returned(&shop.open(&begun.url).await);
    assert_eq!(back.state.as_ref(), Some(&begun.state));
    let code = back.code.unwrap();
    let identity = shop
        .google
        .exchange_code(answer(&shop.url, &begun, &code))
        .await
        .unwrap();
    assert_eq!(identity.issuer, format!("{}{PATH}", shop.url));
    assert_eq!(identity.email, "meera.joshi@example.com");
    assert_eq!(identity.name.as_deref(), Some("Meera Joshi"));
    assert_eq!(identity.picture, None);

    let again = shop.begin(Some("meera.joshi@example.com")).await;
    let code = shop.code_for(&again).await;
    let same = shop
        .google
        .exchange_code(answer(&shop.url, &again, &code))
        .await
        .unwrap();
    assert_eq!(same.subject, identity.subject, "a person stays one person");
}

#[tokio::test]
async fn the_page_lets_you_pick_who_you_are() {
    let shop = shop().await;
    for (email, sends) in [
        ("shopper@mirasa.example", "get"),
        ("admin@mirasa.example", "post"),
        ("me@example.com", "get"),
    ] {
        let begun = shop.begin(None).await;
        let page = shop.open(&begun.url).await;
        assert_eq!(page.status(), 200);
        let page = page.text().await.unwrap();
        let fields = filled_form(&page, email);
        let address = format!("{}{PATH}/authorize", shop.url);
        let request = match sends {
            "get" => browser().get(Url::parse_with_params(&address, &fields).unwrap()),
            _ => browser().post(address).form(&fields),
        };
        let back = shop.returned(&request.send().await.unwrap());
        assert_eq!(back.state.as_ref(), Some(&begun.state));
        let verdict = shop.finish(&begun, &back.code.unwrap()).await;
        assert_eq!(verdict, format!("signed in {email}"));
    }
}

#[tokio::test]
async fn the_page_says_what_it_is_and_lets_nothing_in() {
    let shop = shop().await;
    let begun = shop.begin(None).await;
    let hostile = "\"><script>alert(1)</script>'&";
    let url = with(
        &with(&begun.url, "state", Some(hostile)),
        "login_hint",
        Some(hostile),
    );
    let response = shop.open(&url).await;
    let policy = response.headers()[CONTENT_SECURITY_POLICY]
        .to_str()
        .unwrap()
        .to_owned();
    let page = response.text().await.unwrap();
    assert!(page.contains("Sandbox") && page.contains("This is not Google"));
    assert!(page.contains("Asha Kulkarni") && page.contains("Rohan Mirasa"));
    assert!(page.contains("Mirasa &lt;&amp;&gt; Co"));
    assert!(page.contains("That is not an e-mail address."));
    assert!(!page.contains("<script") && !page.contains("style=\""));
    assert!(page.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;"));
    assert!(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"));

    // The style sheet in the page is the one that the policy lets through.
    let style = page
        .split("<style>")
        .nth(1)
        .unwrap()
        .split("</style>")
        .next()
        .unwrap();
    let hash = {
        use base64::Engine as _;
        use sha2::Digest as _;
        base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(style))
    };
    assert!(
        policy.contains(&format!("style-src 'sha256-{hash}'")),
        "{policy}"
    );

    // Cancelling is a plain link back, as OAuth has it.
    assert!(page.contains(&format!(
        "href=\"{}{CALLBACK}?error=access_denied&amp;state=",
        shop.url
    )));
}

#[tokio::test]
async fn a_request_from_somebody_else_leads_nowhere() {
    let shop = shop().await;
    let begun = shop.begin(Some("me@example.com")).await;
    let elsewhere = [
        ("client_id", Some("a-rival")),
        ("client_id", None),
        (
            "redirect_uri",
            Some("https://evil.example/api/auth/google/callback"),
        ),
        ("redirect_uri", None),
    ];
    for (name, value) in elsewhere {
        let response = shop.open(&with(&begun.url, name, value)).await;
        assert_eq!(response.status(), 400, "{name} {value:?}");
        assert_eq!(response.headers().get(LOCATION), None);
    }
    let longer = format!("{}{CALLBACK}/../evil", shop.url);
    let response = shop
        .open(&with(&begun.url, "redirect_uri", Some(&longer)))
        .await;
    assert_eq!(
        response.status(),
        400,
        "the address must match to the letter"
    );
}

#[tokio::test]
async fn a_request_without_its_safeguards_goes_back_with_an_error() {
    let shop = shop().await;
    let begun = shop.begin(Some("me@example.com")).await;
    for (name, value, error) in [
        ("response_type", Some("token"), "unsupported_response_type"),
        ("scope", Some("email profile"), "invalid_scope"),
        ("code_challenge", None, "invalid_request"),
        ("code_challenge_method", Some("plain"), "invalid_request"),
        ("code_challenge_method", None, "invalid_request"),
    ] {
        let back = shop.returned(&shop.open(&with(&begun.url, name, value)).await);
        assert_eq!(back.error.as_deref(), Some(error), "{name} {value:?}");
        assert_eq!(back.state.as_ref(), Some(&begun.state));
        assert_eq!(back.code, None);
    }
}

#[tokio::test]
async fn a_code_works_once_soon_and_for_who_began() {
    const REFUSED: &str = "refused: the provider does not accept the code";
    let shop = shop().await;
    let hint = Some("me@example.com");

    let begun = shop.begin(hint).await;
    let code = shop.code_for(&begun).await;
    assert_eq!(shop.finish(&begun, &code).await, "signed in me@example.com");
    assert_eq!(shop.finish(&begun, &code).await, REFUSED, "a replayed code");

    let begun = shop.begin(hint).await;
    let code = shop.code_for(&begun).await;
    let thief = shop.begin(hint).await;
    assert_eq!(shop.finish(&thief, &code).await, REFUSED, "a stolen code");
    assert_eq!(
        shop.finish(&begun, &code).await,
        REFUSED,
        "a code that a thief has tried"
    );

    let begun = shop.begin(hint).await;
    let code = shop.code_for(&begun).await;
    shop.clock.advance_ms(59_999);
    assert_eq!(shop.finish(&begun, &code).await, "signed in me@example.com");

    let begun = shop.begin(hint).await;
    let code = shop.code_for(&begun).await;
    shop.clock.advance_ms(60_000);
    assert_eq!(shop.finish(&begun, &code).await, REFUSED, "an old code");

    let begun = shop.begin(hint).await;
    let code = shop.code_for(&begun).await;
    let forged = format!("A{}", &code[1..]);
    assert_eq!(shop.finish(&begun, &forged).await, REFUSED, "a forged code");
    let other = answer("https://evil.example", &begun, &code);
    assert_eq!(
        verdict(shop.google.exchange_code(other).await),
        REFUSED,
        "another way back"
    );
}

#[tokio::test]
async fn a_client_without_the_secret_gets_nothing() {
    let shop = shop().await;
    let settings = GoogleSettings {
        client_secret: "guessed".into(),
        ..shop.sandbox.client_settings(None)
    };
    let stranger = adapter(settings, &shop.clock);
    let begun = shop.begin(Some("me@example.com")).await;
    let code = shop.code_for(&begun).await;
    assert_eq!(
        verdict(
            stranger
                .exchange_code(answer(&shop.url, &begun, &code))
                .await
        ),
        "unreachable: the provider does not exchange codes for this shop: invalid_client"
    );
    assert_eq!(
        shop.finish(&begun, &code).await,
        "signed in me@example.com",
        "a stranger cannot spend a code"
    );
}

/// Two instances behind one address: the browser meets one, the server-to-server calls the other.
#[tokio::test]
async fn instances_with_one_secret_serve_each_others_codes() {
    let shop = shop().await;
    for (secret, expected) in [
        ([7; 32], "signed in me@example.com"),
        (
            [8; 32],
            "unreachable: the provider does not exchange codes for this shop: invalid_client",
        ),
    ] {
        let (listener, address) = listener().await;
        let second = instance(&shop.url, secret, &shop.clock);
        serve(listener, Router::new().nest(PATH, second.router()));
        let google = adapter(shop.sandbox.client_settings(Some(&address)), &shop.clock);
        let begun = google
            .authorization_url(ask(&shop.url, Some("me@example.com")))
            .await
            .unwrap();
        assert!(
            begun.url.starts_with(&shop.url),
            "the browser goes to the public address"
        );
        let code = shop.code_for(&begun).await;
        let outcome = google.exchange_code(answer(&shop.url, &begun, &code)).await;
        assert_eq!(verdict(outcome), expected);
    }
}

#[tokio::test]
async fn user_info_knows_the_bearer_for_an_hour() {
    let shop = shop().await;
    let begun = shop.begin(Some("shopper@mirasa.example")).await;
    let code = shop.code_for(&begun).await;
    let settings = shop.sandbox.client_settings(None);
    let redirect_uri = format!("{}{CALLBACK}", shop.url);
    let tokens: Value = browser()
        .post(format!("{}/token", settings.issuer))
        .form(&[
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", &redirect_uri),
            ("code_verifier", &begun.pkce_verifier),
            ("client_id", &settings.client_id),
            ("client_secret", &settings.client_secret),
        ])
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let token = tokens["access_token"].as_str().unwrap();
    let ask = |token: String| {
        browser()
            .get(format!("{}/userinfo", settings.issuer))
            .bearer_auth(token)
            .send()
    };
    let known: Value = ask(token.to_owned()).await.unwrap().json().await.unwrap();
    assert_eq!(known["email"], "shopper@mirasa.example");
    assert_eq!(known["name"], "Asha Kulkarni");
    assert_eq!(ask(format!("x{token}")).await.unwrap().status(), 401);
    assert_eq!(
        ask(code).await.unwrap().status(),
        401,
        "a code is no access token"
    );
    shop.clock.advance_ms(60 * 60 * 1000);
    assert_eq!(ask(token.to_owned()).await.unwrap().status(), 401);
}

/// `prompt` and the rest of the request, as the provider will read them.
#[tokio::test]
async fn the_request_carries_what_openid_asks_for() {
    let shop = shop().await;
    let settings = GoogleSettings {
        prompt: Some("select_account".into()),
        ..shop.sandbox.client_settings(None)
    };
    let google = adapter(settings, &shop.clock);
    let begun = google
        .authorization_url(ask(&shop.url, Some("a&b=c@example.com")))
        .await
        .unwrap();
    let url = Url::parse(&begun.url).unwrap();
    let value = |name| {
        let mut found = url.query_pairs().filter(|(key, _)| key == name);
        let (_, value) = found.next().unwrap_or_else(|| panic!("no {name}"));
        assert!(found.next().is_none(), "{name} twice");
        value.into_owned()
    };
    assert_eq!(value("response_type"), "code");
    assert_eq!(value("scope"), "openid email profile");
    assert_eq!(value("prompt"), "select_account");
    assert_eq!(value("login_hint"), "a&b=c@example.com");
    assert_eq!(value("code_challenge_method"), "S256");
    assert_eq!(value("state"), begun.state);
    assert_eq!(value("nonce"), begun.nonce);
    assert_eq!(value("redirect_uri"), format!("{}{CALLBACK}", shop.url));
    let secrets = [&begun.state, &begun.nonce, &begun.pkce_verifier];
    assert!(secrets.iter().all(|secret| secret.len() >= 43));
    assert!(!begun.url.contains(&begun.pkce_verifier));
    let next = google
        .authorization_url(ask(&shop.url, None))
        .await
        .unwrap();
    assert!(next.state != begun.state && next.nonce != begun.nonce);
    assert_ne!(next.pkce_verifier, begun.pkce_verifier);
}
