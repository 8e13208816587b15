//! The provider is asked what it is once an hour, not once a sign-in; new keys are noticed sooner.

use std::sync::Arc;

use mirasa_app::ports::identity::IdentityProvider as _;

use super::super::GoogleSignIn;
use super::super::sandbox::SigningKey;
use super::scripted::{Scripted, known_key, other_key};
use super::{answer, ask, verdict};

const SHOP: &str = "https://shop.example";
const WELCOME: &str = "signed in asha@example.com";
const UNKNOWN: &str = "refused: the ID token is signed by an unknown key";

async fn sign_in(provider: &Scripted, google: &GoogleSignIn, key: &SigningKey) -> String {
    let begun = google.authorization_url(ask(SHOP, None)).await.unwrap();
    provider.will_send(&key.sign(&provider.claims(&begun.nonce)).unwrap());
    verdict(google.exchange_code(answer(SHOP, &begun, "code")).await)
}

#[tokio::test]
async fn many_sign_ins_ask_once_an_hour() {
    let provider = Scripted::start().await;
    let google = provider.adapter();
    assert_eq!(
        provider.asked(),
        (0, 0),
        "nobody is asked before the first sign-in"
    );
    for _ in 0..3 {
        assert_eq!(
            sign_in(&provider, &google, known_key().await).await,
            WELCOME
        );
    }
    assert_eq!(provider.asked(), (1, 1));
    provider.clock.advance_ms(59 * 60 * 1000);
    assert_eq!(
        sign_in(&provider, &google, known_key().await).await,
        WELCOME
    );
    assert_eq!(provider.asked(), (1, 1));
    provider.clock.advance_ms(60 * 1000);
    assert_eq!(
        sign_in(&provider, &google, known_key().await).await,
        WELCOME
    );
    assert_eq!(provider.asked(), (2, 2));
}

#[tokio::test]
async fn visitors_who_come_together_ask_once() {
    let provider = Scripted::start().await;
    let google = Arc::new(provider.adapter());
    let crowd = (0..20).map(|_| {
        let google = google.clone();
        tokio::spawn(async move { google.authorization_url(ask(SHOP, None)).await.is_ok() })
    });
    for visitor in crowd.collect::<Vec<_>>() {
        assert!(visitor.await.unwrap());
    }
    assert_eq!(provider.asked(), (1, 1));
}

#[tokio::test]
async fn new_keys_are_fetched_when_a_token_needs_them() {
    let provider = Scripted::start().await;
    let google = provider.adapter();
    assert_eq!(
        sign_in(&provider, &google, known_key().await).await,
        WELCOME
    );
    let new_key = other_key().await;
    provider.change(|script| script.keys = vec![new_key.public_jwk()]);
    provider.clock.advance_ms(11 * 1000);
    assert_eq!(sign_in(&provider, &google, new_key).await, WELCOME);
    assert_eq!(provider.asked(), (2, 2));
    assert_eq!(
        sign_in(&provider, &google, known_key().await).await,
        UNKNOWN,
        "a key that the provider has withdrawn is worth nothing"
    );
}

#[tokio::test]
async fn tokens_with_unknown_keys_do_not_make_us_ask_every_time() {
    let provider = Scripted::start().await;
    let google = provider.adapter();
    for _ in 0..5 {
        assert_eq!(
            sign_in(&provider, &google, other_key().await).await,
            UNKNOWN
        );
    }
    assert_eq!(
        provider.asked(),
        (1, 1),
        "what was asked seconds ago is not asked again"
    );
    provider.clock.advance_ms(11 * 1000);
    for _ in 0..5 {
        assert_eq!(
            sign_in(&provider, &google, other_key().await).await,
            UNKNOWN
        );
    }
    assert_eq!(provider.asked(), (2, 2));
}
