//! Tokens and keys of any bytes, through the whole adapter: nobody is signed in by an accident, and nothing
//! that a provider says brings the shop down or into its rows.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mirasa_app::ports::identity::{Identity, IdentityError, IdentityProvider as _};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::scripted::{Reply, Scripted, forge, known_key};
use super::{answer, ask};

const SHOP: &str = "https://shop.example";

/// Each case is a sign-in over HTTP.
fn few() -> TestRunner {
    let asked = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new(match std::env::var_os("PROPTEST_CASES") {
        Some(_) => asked,
        None => ProptestConfig { cases: 96, ..asked },
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

/// What a new row would be made of.
fn is_fit_for_a_row(identity: &Identity) -> bool {
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
fn no_token_of_any_bytes_signs_anybody_in() {
    let runtime = runtime();
    let provider = runtime.block_on(Scripted::start());
    let google = provider.adapter();
    let outcome = few().run(&any_token(), |token| {
        let finished = runtime.block_on(async {
            let begun = google.authorization_url(ask(SHOP, None)).await.unwrap();
            provider.will_send(&token);
            google.exchange_code(answer(SHOP, &begun, "code")).await
        });
        prop_assert!(
            matches!(finished, Err(IdentityError::Rejected(_))),
            "{finished:?}"
        );
        Ok(())
    });
    outcome.unwrap();
}

/// Signed by the right key, so that every claim is read.
#[test]
fn what_a_signed_token_claims_fits_into_a_row_or_is_refused() {
    let runtime = runtime();
    let provider = runtime.block_on(Scripted::start());
    let key = runtime.block_on(known_key());
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
    let outcome = few().run(&claims, |spoilt| {
        let finished = runtime.block_on(async {
            let begun = google.authorization_url(ask(SHOP, None)).await.unwrap();
            let mut claims = provider.claims(&begun.nonce);
            for (name, value) in spoilt {
                claims[name] = value;
            }
            provider.will_send(&key.sign(&claims).unwrap());
            google.exchange_code(answer(SHOP, &begun, "code")).await
        });
        match finished {
            Ok(identity) => prop_assert!(is_fit_for_a_row(&identity), "{identity:?}"),
            Err(IdentityError::Rejected(_)) => {}
            Err(other) => prop_assert!(false, "{other:?}"),
        }
        Ok(())
    });
    outcome.unwrap();
    // Not everything was refused: a spoilt name or picture keeps nobody out.
    runtime.block_on(async {
        let begun = google.authorization_url(ask(SHOP, None)).await.unwrap();
        let mut claims = provider.claims(&begun.nonce);
        claims["picture"] = json!("https://x.example/\u{0}");
        provider.will_send(&key.sign(&claims).unwrap());
        let identity = google
            .exchange_code(answer(SHOP, &begun, "code"))
            .await
            .unwrap();
        assert_eq!(identity.picture, None);
    });
}

#[test]
fn keys_and_descriptions_of_any_shape_let_nobody_in() {
    let runtime = runtime();
    let provider = runtime.block_on(Scripted::start());
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
    let outcome = few().run(&strategy, |(keys, description)| {
        provider.change(|script| {
            script.keys = keys;
            script.description = description.map(|json| Reply::Json(200, json));
        });
        // What the provider is was asked anew for each: an adapter remembers it.
        let google = provider.adapter();
        runtime.block_on(async {
            let Ok(begun) = google.authorization_url(ask(SHOP, None)).await else {
                return Ok(());
            };
            let header = json!({ "alg": "RS256" });
            let claims = provider.claims(&begun.nonce);
            provider.will_send(&forge(header, &claims, |_| vec![7; 256]));
            let finished = google.exchange_code(answer(SHOP, &begun, "code")).await;
            prop_assert!(finished.is_err(), "{finished:?}");
            Ok(())
        })
    });
    outcome.unwrap();
}
