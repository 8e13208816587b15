//! Users, sign-ins, carts, wishlists, addresses, messages.

use mirasa_app::repository::StoreError;
use mirasa_app::repository::cart::StoredCart;
use mirasa_app::repository::customers::sessions::{
    NewSession, SignInAttempt, SignInClaim, SignInOutcome,
};
use mirasa_domain::address::{Address, AddressInput, SavedAddress};
use mirasa_domain::money::Paise;
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{Gender, Profile, Role};

use crate::engines::{add_user, constraint, for_each_engine, read, write};
use crate::products::add_product;

#[tokio::test]
async fn session_is_valid_until_it_expires_or_is_deleted() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await;
        for token in ["one", "two"] {
            let session = NewSession {
                token_hash: token.into(),
                user: user.id.clone(),
                created_at_ms: 1,
                expires_at_ms: 1000,
            };
            write!(shop.db, tx => tx.insert_session(&session).await?);
        }
        assert_eq!(
            read!(shop.db, db => db.user_by_session("one", 999).await?),
            Some(user.clone())
        );
        assert_eq!(
            read!(shop.db, db => db.user_by_session("one", 1000).await?),
            None,
            "expired"
        );
        assert_eq!(
            read!(shop.db, db => db.user_by_session("three", 1).await?),
            None,
            "unknown"
        );
        write!(shop.db, tx => tx.delete_session("one").await?);
        assert_eq!(
            read!(shop.db, db => db.user_by_session("one", 1).await?),
            None,
            "signed out"
        );
        assert!(read!(shop.db, db => db.user_by_session("two", 1).await?).is_some());
        let id = user.id.clone();
        write!(shop.db, tx => tx.delete_sessions_of(&id).await?);
        assert_eq!(
            read!(shop.db, db => db.user_by_session("two", 1).await?),
            None,
            "signed out everywhere"
        );
    })
    .await;
}

#[tokio::test]
async fn sign_in_attempt_is_claimed_once_and_expires() {
    for_each_engine(|shop| async move {
        const HOUR_MS: i64 = 60 * 60 * 1000;
        let attempt = |state: &str, expires_at_ms| SignInAttempt {
            state_hash: state.into(),
            browser_token_hash: "browser".into(),
            nonce: "nonce".into(),
            pkce_verifier: "verifier".into(),
            return_to: "/cart?x=1".into(),
            add_to_cart: Some((
                ProductId("goda".into()),
                Packs {
                    of_50g: 2,
                    of_100g: 1,
                },
            )),
            expires_at_ms,
            claim: None,
        };
        let (first, again) = (attempt("a", 100), attempt("a", 100));
        write!(shop.db, tx => tx.insert_sign_in_attempt(&first).await?);
        assert_eq!(
            read!(shop.db, db => db.sign_in_attempt("a").await?),
            Some(again.clone())
        );
        assert!(
            !write!(shop.db, tx => tx.claim_sign_in_attempt("b", "code", 90).await?),
            "unknown"
        );
        assert!(write!(shop.db, tx => tx.claim_sign_in_attempt("a", "code", 90).await?));
        assert!(!write!(shop.db, tx => tx.claim_sign_in_attempt("a", "code", 91).await?));
        for outcome in [
            SignInOutcome::SignedIn {
                added_to_cart: None,
            },
            SignInOutcome::SignedIn {
                added_to_cart: Some(true),
            },
            SignInOutcome::SignedIn {
                added_to_cart: Some(false),
            },
            SignInOutcome::Refused,
            SignInOutcome::Unavailable,
        ] {
            write!(shop.db, tx => tx.set_sign_in_outcome("a", outcome).await?);
            let claim = SignInClaim {
                at_ms: 90,
                code_hash: "code".into(),
                outcome: Some(outcome),
            };
            let claimed = SignInAttempt {
                claim: Some(claim),
                ..again.clone()
            };
            assert_eq!(
                read!(shop.db, db => db.sign_in_attempt("a").await?),
                Some(claimed)
            );
        }
        let young = attempt("young", 300);
        write!(shop.db, tx => tx.insert_sign_in_attempt(&young).await?);
        assert_eq!(
            write!(shop.db, tx => tx.delete_expired(200).await?),
            0,
            "it still says to which page to return"
        );
        assert_eq!(
            write!(shop.db, tx => tx.delete_expired(200 + HOUR_MS).await?),
            1
        );
        assert!(read!(shop.db, db => db.sign_in_attempt("young").await?).is_some());
    })
    .await;
}

#[tokio::test]
async fn user_is_found_by_identity_and_can_be_updated() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await;
        let found = read!(shop.db, db => db.user_by_identity("https://accounts.google.com", "sub-asha").await?);
        assert_eq!(found, Some(user.clone()));
        assert_eq!(read!(shop.db, db => db.user_by_identity("https://evil.example", "sub-asha").await?), None);
        let id = user.id.clone();
        write!(shop.db, tx => tx.update_identity(&id, "new@mirasa.example", Some("photo"), Role::Admin, 5).await?);
        let (id, profile) = (user.id.clone(), Profile::parse("Asha 🌶", "9876543210", "1990-02-28", "female").unwrap());
        write!(shop.db, tx => { tx.update_profile(&id, &profile, 6).await?; tx.set_profile_picture(&id, "me.webp", 7).await? });
        let id = user.id.clone();
        let now = read!(shop.db, db => db.user(&id).await?).unwrap();
        assert_eq!((now.name.as_str(), now.email.as_str(), now.role), ("Asha 🌶", "new@mirasa.example", Role::Admin));
        assert_eq!((now.phone.as_deref(), now.gender.map(Gender::as_str), now.profile_picture.as_deref()), (Some("+919876543210"), Some("female"), Some("me.webp")));
    })
    .await;
}

#[tokio::test]
async fn cart_stores_lines_and_counts_changes() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await;
        let (goda, chai) = (
            add_product(&shop.db, "Goda").await.id,
            add_product(&shop.db, "Chai").await.id,
        );
        let id = user.id.clone();
        assert_eq!(
            read!(shop.db, db => db.cart(&id).await?),
            StoredCart::default()
        );
        let seen = Prices {
            of_50g: Some(Paise::new(6500)),
            of_100g: None,
        };
        let (id, a, b) = (user.id.clone(), goda.clone(), chai.clone());
        write!(shop.db, tx => {
            tx.lock_user(&id).await?;
            tx.upsert_cart_line(&id, &a, Packs { of_50g: 1, of_100g: 0 }, seen, 10).await?;
            tx.upsert_cart_line(&id, &b, Packs { of_50g: 0, of_100g: 3 }, seen, 11).await?;
            tx.upsert_cart_line(&id, &a, Packs { of_50g: 4, of_100g: 2 }, seen, 12).await?;
            tx.increment_cart_version(&id, 12).await?
        });
        let id = user.id.clone();
        let StoredCart { lines, version, .. } = read!(shop.db, db => db.cart(&id).await?);
        assert_eq!(
            lines
                .iter()
                .map(|l| (l.product.clone(), l.packs.of_50g, l.packs.of_100g))
                .collect::<Vec<_>>(),
            [(goda.clone(), 4, 2), (chai, 0, 3)]
        );
        assert_eq!((lines[0].last_seen_prices, version), (seen, 1));
        let (id, removed) = (user.id.clone(), goda);
        write!(shop.db, tx => tx.remove_cart_line(&id, &removed).await?);
        let id = user.id.clone();
        assert_eq!(read!(shop.db, db => db.cart(&id).await?).lines.len(), 1);
        let id = user.id.clone();
        write!(shop.db, tx => tx.clear_cart(&id).await?);
        let id = user.id.clone();
        assert!(read!(shop.db, db => db.cart(&id).await?).lines.is_empty());
    })
    .await;
}

#[tokio::test]
async fn wishlist_has_each_product_once_newest_first() {
    for_each_engine(|shop| async move {
        let user = add_user(&shop.db, "asha").await;
        let (goda, chai) = (
            add_product(&shop.db, "Goda").await.id,
            add_product(&shop.db, "Chai").await.id,
        );
        let (id, a, b) = (user.id.clone(), goda.clone(), chai.clone());
        write!(shop.db, tx => {
            tx.add_to_wishlist(&id, &a, 1).await?;
            tx.add_to_wishlist(&id, &b, 2).await?;
            tx.add_to_wishlist(&id, &a, 3).await?
        });
        let id = user.id.clone();
        assert_eq!(
            read!(shop.db, db => db.wishlist(&id).await?),
            [chai.clone(), goda.clone()]
        );
        let id = user.id.clone();
        write!(shop.db, tx => tx.remove_from_wishlist(&id, &chai).await?);
        let id = user.id.clone();
        assert_eq!(read!(shop.db, db => db.wishlist(&id).await?), [goda]);
    })
    .await;
}

pub fn address(id: &str, is_default: bool) -> SavedAddress {
    let input = AddressInput {
        address_name: "Home".into(),
        name: "Asha".into(),
        phone: "9876543210".into(),
        line1: "12 Laxmi Road".into(),
        line2: String::new(),
        city: "Pune".into(),
        state: "Maharashtra".into(),
        pincode: "411030".into(),
    };
    SavedAddress {
        id: id.into(),
        address: Address::parse(&input).unwrap(),
        is_default,
    }
}

#[tokio::test]
async fn address_belongs_to_its_user_and_one_is_the_default() {
    for_each_engine(|shop| async move {
        let (asha, ravi) = (add_user(&shop.db, "asha").await.id, add_user(&shop.db, "ravi").await.id);
        let id = asha.clone();
        write!(shop.db, tx => { tx.insert_address(&id, &address("1", true), 1).await?; tx.insert_address(&id, &address("2", false), 2).await? });
        let id = asha.clone();
        let second_default: Result<(), StoreError> =
            shop.db.write(async move |tx| tx.insert_address(&id, &address("3", true), 3).await).await;
        assert!(!constraint(second_default).is_empty(), "a constraint allows only one default");
        let id = asha.clone();
        write!(shop.db, tx => {
            tx.clear_default_address(&id).await?;
            tx.update_address(&id, &SavedAddress { is_default: true, ..address("2", true) }, 4).await?
        });
        let id = asha.clone();
        let all = read!(shop.db, db => db.addresses(&id).await?);
        assert_eq!(all, [address("2", true), address("1", false)], "the default comes first");
        let id = ravi.clone();
        assert_eq!(read!(shop.db, db => db.address(&id, &"1".into()).await?), None, "another user's");
        let id = ravi.clone();
        assert!(!write!(shop.db, tx => tx.delete_address(&id, &"1".into(), 5).await?));
        let id = asha.clone();
        assert!(write!(shop.db, tx => tx.delete_address(&id, &"1".into(), 5).await?));
        let id = asha.clone();
        assert_eq!(read!(shop.db, db => db.addresses(&id).await?).len(), 1);
    })
    .await;
}
