//! Property tests with random tokens and keys through the whole adapter: no user is signed in, and
//! no claim that cannot be stored is accepted.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mirasa_app::ports::identity::{Identity, IdentityError, IdentityProvider as _};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::fake_server::{FakeServer, Reply, forge};
use super::signing_key::known_key;
use super::{authorization_request, callback};

const SHOP: &str = "https://shop.example";

/// Each case is a sign-in over HTTP.
fn runner() -> TestRunner {
    let default = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new(match std::env::var_os("PROPTEST_CASES") {
        Some(_) => default,
        None => ProptestConfig {
            cases: 96,
            ..default
        },
    })
}

fn runtime() -> Runtime {
    Runtime::new().unwrap()
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-z]{1,4}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn any_token() -> impl Strategy<Value = String> {
    let part = || {
        prop_oneof![
            any_json().prop_map(|json| URL_SAFE_NO_PAD.encode(json.to_string())),
            Just(URL_SAFE_NO_PAD.encode(r#"{"alg":"RS256"}"#)),
            proptest::collection::vec(any::<u8>(), 0..60)
                .prop_map(|bytes| URL_SAFE_NO_PAD.encode(bytes)),
            "[A-Za-z0-9_=.-]{0,30}",
        ]
    };
    prop_oneof![
        any::<String>(),
        (part(), part(), part()).prop_map(|(head, claims, end)| format!("{head}.{claims}.{end}")),
    ]
}

/// Whether the values can be stored in a row.
fn is_storable(identity: &Identity) -> bool {
    let printable = |text: &str| !text.chars().any(char::is_control);
    printable(&identity.subject)
        && (1..=255).contains(&identity.subject.len())
        && printable(&identity.email)
        && identity.email.contains('@')
        && identity
            .picture
            .as_deref()
            .is_none_or(|url| printable(url) && url.starts_with("https://") && url.len() <= 2000)
}

#[test]
fn random_token_is_rejected() {
    let runtime = runtime();
    let provider = runtime.block_on(FakeServer::start());
    let google = provider.adapter();
    let outcome = runner().run(&any_token(), |token| {
        let result = runtime.block_on(async {
            let redirect = google
                .authorization_url(authorization_request(SHOP, None))
                .await
                .unwrap();
            provider.respond_with_token(&token);
            google
                .exchange_code(callback(SHOP, &redirect, "code"))
                .await
        });
        prop_assert!(
            matches!(result, Err(IdentityError::Rejected(_))),
            "{result:?}"
        );
        Ok(())
    });
    outcome.unwrap();
}

/// Signed by the right key, so that every claim is read.
#[test]
fn signed_claims_are_storable_or_rejected() {
    let runtime = runtime();
    let provider = runtime.block_on(FakeServer::start());
    let key = known_key();
    let google = provider.adapter();
    let claims = proptest::collection::vec(
        (
            "iss|aud|azp|exp|nonce|sub|email|email_verified|name|picture",
            prop_oneof![
                any_json(),
                any::<String>().prop_map(|text| Value::from(format!("{text}@it.example"))),
                any::<String>().prop_map(|text| Value::from(format!("https://{text}"))),
            ],
        ),
        1..3,
    );
    let outcome = runner().run(&claims, |changed| {
        let result = runtime.block_on(async {
            let redirect = google
                .authorization_url(authorization_request(SHOP, None))
                .await
                .unwrap();
            let mut claims = provider.claims(&redirect.nonce);
            for (name, value) in changed {
                claims[name] = value;
            }
            provider.respond_with_token(&key.sign(&claims));
            google
                .exchange_code(callback(SHOP, &redirect, "code"))
                .await
        });
        match result {
            Ok(identity) => prop_assert!(is_storable(&identity), "{identity:?}"),
            Err(IdentityError::Rejected(_)) => {}
            Err(other) => prop_assert!(false, "{other:?}"),
        }
        Ok(())
    });
    outcome.unwrap();
    // An invalid name or picture does not reject the sign-in.
    runtime.block_on(async {
        let redirect = google
            .authorization_url(authorization_request(SHOP, None))
            .await
            .unwrap();
        let mut claims = provider.claims(&redirect.nonce);
        claims["picture"] = json!("https://x.example/\u{0}");
        provider.respond_with_token(&key.sign(&claims));
        let identity = google
            .exchange_code(callback(SHOP, &redirect, "code"))
            .await
            .unwrap();
        assert_eq!(identity.picture, None);
    });
}

#[test]
fn random_keys_and_discovery_are_rejected() {
    let runtime = runtime();
    let provider = runtime.block_on(FakeServer::start());
    let field = || {
        prop_oneof![
            any_json(),
            Just(json!("RSA")),
            Just(json!("AQAB")),
            Just(json!("sig"))
        ]
    };
    let jwk = proptest::collection::vec(("kty|kid|use|alg|n|e|x|y|crv|k", field()), 0..8)
        .prop_map(|fields| Value::Object(fields.into_iter().collect()));
    let keys = proptest::collection::vec(prop_oneof![jwk, any_json()], 0..3);
    let strategy = (keys, prop::option::weighted(0.3, any_json()));
    let outcome = runner().run(&strategy, |(keys, description)| {
        provider.update(|state| {
            state.keys = keys;
            state.description = description.map(|json| Reply::Json(200, json));
        });
        // A new adapter each time, because it caches the metadata.
        let google = provider.adapter();
        runtime.block_on(async {
            let Ok(redirect) = google
                .authorization_url(authorization_request(SHOP, None))
                .await
            else {
                return Ok(());
            };
            let header = json!({ "alg": "RS256" });
            let claims = provider.claims(&redirect.nonce);
            provider.respond_with_token(&forge(header, &claims, |_| vec![7; 256]));
            let result = google
                .exchange_code(callback(SHOP, &redirect, "code"))
                .await;
            prop_assert!(result.is_err(), "{result:?}");
            Ok(())
        })
    });
    outcome.unwrap();
}
