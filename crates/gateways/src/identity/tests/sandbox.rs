//! The whole sign-in against the sandbox, with HTTP requests in place of a browser.

use axum::Router;
use mirasa_app::ports::identity::IdentityProvider as _;
use reqwest::header::{CONTENT_SECURITY_POLICY, LOCATION};
use serde_json::Value;
use url::Url;

use super::super::GoogleSettings;
use super::sandbox_shop::{browser, filled_form, instance, sandbox_settings, shop, with_param};
use super::{CALLBACK, adapter, authorization_request, callback, listener, outcome_text, serve};
use mirasa_sandbox::identity::PATH;

#[tokio::test]
async fn login_hint_signs_in_without_page() {
    let shop = shop().await;
    let redirect = shop.begin(Some("Meera.Joshi@Example.com")).await;
    let back = shop.returned(&shop.open(&redirect.url).await);
    assert_eq!(back.state.as_ref(), Some(&redirect.state));
    let code = back.code.unwrap();
    let identity = shop
        .google
        .exchange_code(callback(&shop.url, &redirect, &code))
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
        .exchange_code(callback(&shop.url, &again, &code))
        .await
        .unwrap();
    assert_eq!(same.subject, identity.subject, "a person stays one person");
}

#[tokio::test]
async fn account_page_signs_in_chosen_account() {
    let shop = shop().await;
    for (email, method) in [
        ("shopper@mirasa.example", "get"),
        ("admin@mirasa.example", "post"),
        ("me@example.com", "get"),
    ] {
        let redirect = shop.begin(None).await;
        let page = shop.open(&redirect.url).await;
        assert_eq!(page.status(), 200);
        let page = page.text().await.unwrap();
        let fields = filled_form(&page, email);
        let address = format!("{}{PATH}/authorize", shop.url);
        let request = match method {
            "get" => browser().get(Url::parse_with_params(&address, &fields).unwrap()),
            _ => browser().post(address).form(&fields),
        };
        let back = shop.returned(&request.send().await.unwrap());
        assert_eq!(back.state.as_ref(), Some(&redirect.state));
        let text = shop.finish(&redirect, &back.code.unwrap()).await;
        assert_eq!(text, format!("signed in {email}"));
    }
}

#[tokio::test]
async fn account_page_escapes_input_and_sets_csp() {
    let shop = shop().await;
    let redirect = shop.begin(None).await;
    let hostile = "\"><script>alert(1)</script>'&";
    let url = with_param(
        &with_param(&redirect.url, "state", Some(hostile)),
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

    // The page's stylesheet is the one that the policy allows.
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

    // Cancel is a link to the callback with an OAuth error.
    assert!(page.contains(&format!(
        "href=\"{}{CALLBACK}?error=access_denied&amp;state=",
        shop.url
    )));
}

#[tokio::test]
async fn foreign_client_or_redirect_uri_is_rejected() {
    let shop = shop().await;
    let redirect = shop.begin(Some("me@example.com")).await;
    let changed_params = [
        ("client_id", Some("a-rival")),
        ("client_id", None),
        (
            "redirect_uri",
            Some("https://evil.example/api/auth/google/callback"),
        ),
        ("redirect_uri", None),
    ];
    for (name, value) in changed_params {
        let response = shop.open(&with_param(&redirect.url, name, value)).await;
        assert_eq!(response.status(), 400, "{name} {value:?}");
        assert_eq!(response.headers().get(LOCATION), None);
    }
    let other_path = format!("{}{CALLBACK}/../evil", shop.url);
    let response = shop
        .open(&with_param(
            &redirect.url,
            "redirect_uri",
            Some(&other_path),
        ))
        .await;
    assert_eq!(response.status(), 400, "the URL must match exactly");
}

#[tokio::test]
async fn invalid_request_redirects_with_oauth_error() {
    let shop = shop().await;
    let redirect = shop.begin(Some("me@example.com")).await;
    for (name, value, error) in [
        ("response_type", Some("token"), "unsupported_response_type"),
        ("scope", Some("email profile"), "invalid_scope"),
        ("code_challenge", None, "invalid_request"),
        ("code_challenge_method", Some("plain"), "invalid_request"),
        ("code_challenge_method", None, "invalid_request"),
    ] {
        let back = shop.returned(&shop.open(&with_param(&redirect.url, name, value)).await);
        assert_eq!(back.error.as_deref(), Some(error), "{name} {value:?}");
        assert_eq!(back.state.as_ref(), Some(&redirect.state));
        assert_eq!(back.code, None);
    }
}

#[tokio::test]
async fn code_works_once_in_time_and_for_same_verifier() {
    const REJECTED: &str = "refused: the provider does not accept the code";
    let shop = shop().await;
    let hint = Some("me@example.com");

    let redirect = shop.begin(hint).await;
    let code = shop.code_for(&redirect).await;
    assert_eq!(
        shop.finish(&redirect, &code).await,
        "signed in me@example.com"
    );
    assert_eq!(
        shop.finish(&redirect, &code).await,
        REJECTED,
        "a replayed code"
    );

    let redirect = shop.begin(hint).await;
    let code = shop.code_for(&redirect).await;
    let other = shop.begin(hint).await;
    assert_eq!(shop.finish(&other, &code).await, REJECTED, "a stolen code");
    assert_eq!(
        shop.finish(&redirect, &code).await,
        REJECTED,
        "a code that a thief has tried"
    );

    let redirect = shop.begin(hint).await;
    let code = shop.code_for(&redirect).await;
    shop.clock.advance_ms(59_999);
    assert_eq!(
        shop.finish(&redirect, &code).await,
        "signed in me@example.com"
    );

    let redirect = shop.begin(hint).await;
    let code = shop.code_for(&redirect).await;
    shop.clock.advance_ms(60_000);
    assert_eq!(shop.finish(&redirect, &code).await, REJECTED, "an old code");

    let redirect = shop.begin(hint).await;
    let code = shop.code_for(&redirect).await;
    let forged = format!("A{}", &code[1..]);
    assert_eq!(
        shop.finish(&redirect, &forged).await,
        REJECTED,
        "a forged code"
    );
    let other = callback("https://evil.example", &redirect, &code);
    assert_eq!(
        outcome_text(shop.google.exchange_code(other).await),
        REJECTED,
        "another way back"
    );
}

#[tokio::test]
async fn wrong_client_secret_is_rejected() {
    let shop = shop().await;
    let settings = GoogleSettings {
        client_secret: "guessed".into(),
        ..sandbox_settings(&shop.sandbox, None)
    };
    let wrong_client = adapter(settings, &shop.clock);
    let redirect = shop.begin(Some("me@example.com")).await;
    let code = shop.code_for(&redirect).await;
    assert_eq!(
        outcome_text(
            wrong_client
                .exchange_code(callback(&shop.url, &redirect, &code))
                .await
        ),
        "unreachable: the provider does not exchange codes for this shop: invalid_client"
    );
    assert_eq!(
        shop.finish(&redirect, &code).await,
        "signed in me@example.com",
        "a stranger cannot spend a code"
    );
}

/// Two instances behind one URL: the browser uses one, the server-to-server requests the other.
#[tokio::test]
async fn instances_with_same_secret_accept_each_others_codes() {
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
        let google = adapter(sandbox_settings(&shop.sandbox, Some(&address)), &shop.clock);
        let redirect = google
            .authorization_url(authorization_request(&shop.url, Some("me@example.com")))
            .await
            .unwrap();
        assert!(
            redirect.url.starts_with(&shop.url),
            "the browser goes to the public address"
        );
        let code = shop.code_for(&redirect).await;
        let outcome = google
            .exchange_code(callback(&shop.url, &redirect, &code))
            .await;
        assert_eq!(outcome_text(outcome), expected);
    }
}

#[tokio::test]
async fn access_token_is_valid_for_an_hour() {
    let shop = shop().await;
    let redirect = shop.begin(Some("shopper@mirasa.example")).await;
    let code = shop.code_for(&redirect).await;
    let settings = sandbox_settings(&shop.sandbox, None);
    let redirect_uri = format!("{}{CALLBACK}", shop.url);
    let tokens: Value = browser()
        .post(format!("{}/token", settings.issuer))
        .form(&[
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", &redirect_uri),
            ("code_verifier", &redirect.pkce_verifier),
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
    let user_info = |token: String| {
        browser()
            .get(format!("{}/userinfo", settings.issuer))
            .bearer_auth(token)
            .send()
    };
    let claims: Value = user_info(token.to_owned())
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(claims["email"], "shopper@mirasa.example");
    assert_eq!(claims["name"], "Asha Kulkarni");
    assert_eq!(user_info(format!("x{token}")).await.unwrap().status(), 401);
    assert_eq!(
        user_info(code).await.unwrap().status(),
        401,
        "a code is no access token"
    );
    shop.clock.advance_ms(60 * 60 * 1000);
    assert_eq!(user_info(token.to_owned()).await.unwrap().status(), 401);
}

/// The parameters of the authorization URL, as the provider reads them.
#[tokio::test]
async fn authorization_url_has_openid_parameters() {
    let shop = shop().await;
    let settings = GoogleSettings {
        prompt: Some("select_account".into()),
        ..sandbox_settings(&shop.sandbox, None)
    };
    let google = adapter(settings, &shop.clock);
    let redirect = google
        .authorization_url(authorization_request(&shop.url, Some("a&b=c@example.com")))
        .await
        .unwrap();
    let url = Url::parse(&redirect.url).unwrap();
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
    assert_eq!(value("state"), redirect.state);
    assert_eq!(value("nonce"), redirect.nonce);
    assert_eq!(value("redirect_uri"), format!("{}{CALLBACK}", shop.url));
    let secrets = [&redirect.state, &redirect.nonce, &redirect.pkce_verifier];
    assert!(secrets.iter().all(|secret| secret.len() >= 43));
    assert!(!redirect.url.contains(&redirect.pkce_verifier));
    let next = google
        .authorization_url(authorization_request(&shop.url, None))
        .await
        .unwrap();
    assert!(next.state != redirect.state && next.nonce != redirect.nonce);
    assert_ne!(next.pkce_verifier, redirect.pkce_verifier);
}
