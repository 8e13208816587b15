//! The provider's metadata is fetched once an hour, not for each sign-in; an unknown key causes an
//! earlier refresh.

use std::sync::Arc;

use mirasa_app::ports::identity::IdentityProvider as _;

use super::super::GoogleSignIn;
use super::fake_server::FakeServer;
use super::signing_key::{SigningKey, known_key, other_key};
use super::{authorization_request, callback, outcome_text};

const SHOP: &str = "https://shop.example";
const SIGNED_IN: &str = "signed in asha@example.com";
const UNKNOWN_KEY: &str = "refused: the ID token is signed by an unknown key";

async fn sign_in(provider: &FakeServer, google: &GoogleSignIn, key: &SigningKey) -> String {
    let redirect = google
        .authorization_url(authorization_request(SHOP, None))
        .await
        .unwrap();
    provider.respond_with_token(&key.sign(&provider.claims(&redirect.nonce)));
    outcome_text(
        google
            .exchange_code(callback(SHOP, &redirect, "code"))
            .await,
    )
}

#[tokio::test]
async fn metadata_is_fetched_once_an_hour() {
    let provider = FakeServer::start().await;
    let google = provider.adapter();
    assert_eq!(
        provider.fetch_counts(),
        (0, 0),
        "no request before the first sign-in"
    );
    for _ in 0..3 {
        assert_eq!(sign_in(&provider, &google, known_key()).await, SIGNED_IN);
    }
    assert_eq!(provider.fetch_counts(), (1, 1));
    provider.clock.advance_ms(59 * 60 * 1000);
    assert_eq!(sign_in(&provider, &google, known_key()).await, SIGNED_IN);
    assert_eq!(provider.fetch_counts(), (1, 1));
    provider.clock.advance_ms(60 * 1000);
    assert_eq!(sign_in(&provider, &google, known_key()).await, SIGNED_IN);
    assert_eq!(provider.fetch_counts(), (2, 2));
}

#[tokio::test]
async fn concurrent_sign_ins_fetch_metadata_once() {
    let provider = FakeServer::start().await;
    let google = Arc::new(provider.adapter());
    let tasks = (0..20).map(|_| {
        let google = google.clone();
        tokio::spawn(async move {
            google
                .authorization_url(authorization_request(SHOP, None))
                .await
                .is_ok()
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert!(task.await.unwrap());
    }
    assert_eq!(provider.fetch_counts(), (1, 1));
}

#[tokio::test]
async fn unknown_key_refreshes_metadata() {
    let provider = FakeServer::start().await;
    let google = provider.adapter();
    assert_eq!(sign_in(&provider, &google, known_key()).await, SIGNED_IN);
    let new_key = other_key();
    provider.update(|state| state.keys = vec![new_key.public_jwk()]);
    provider.clock.advance_ms(11 * 1000);
    assert_eq!(sign_in(&provider, &google, new_key).await, SIGNED_IN);
    assert_eq!(provider.fetch_counts(), (2, 2));
    assert_eq!(
        sign_in(&provider, &google, known_key()).await,
        UNKNOWN_KEY,
        "a key that the provider has withdrawn is worth nothing"
    );
}

#[tokio::test]
async fn repeated_unknown_keys_do_not_refresh_each_time() {
    let provider = FakeServer::start().await;
    let google = provider.adapter();
    for _ in 0..5 {
        assert_eq!(sign_in(&provider, &google, other_key()).await, UNKNOWN_KEY);
    }
    assert_eq!(
        provider.fetch_counts(),
        (1, 1),
        "metadata that is seconds old is not fetched again"
    );
    provider.clock.advance_ms(11 * 1000);
    for _ in 0..5 {
        assert_eq!(sign_in(&provider, &google, other_key()).await, UNKNOWN_KEY);
    }
    assert_eq!(provider.fetch_counts(), (2, 2));
}
