//! Sign-in and sign-out. A session is a random token in a cookie; the server stores only its hash.

mod callback;

use mirasa_domain::pack::Packs;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{Role, User, UserId};
use mirasa_domain::validation;

use crate::cart::{add_packs, find_purchasable};
pub use crate::customers::sign_in::callback::FinishedSignIn;
use crate::ports::identity::{AuthorizationRequest, Identity};
use crate::repository::customers::NewUser;
use crate::repository::customers::sessions::{NewSession, SignInAttempt};
use crate::secret::Secret;
use crate::{AppError, Shop};

const SIGN_IN_TTL_MS: i64 = 10 * 60 * 1000;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const MAX_NAME_CHARS: usize = 100;

/// What the visitor wanted to do when they were asked to sign in.
#[derive(Debug, Clone, Default)]
pub struct SignInIntent {
    pub return_to: String,
    pub add_to_cart: Option<(ProductId, Packs)>,
}

pub struct SignInRedirect {
    pub url: String,
    /// For a cookie of the browser that started the sign-in.
    pub browser: Secret,
    pub state_hash: String,
}

impl Shop {
    fn callback_url(&self) -> String {
        format!("{}/api/auth/google/callback", self.settings.public_url)
    }

    pub async fn begin_sign_in(
        &self,
        intent: SignInIntent,
        login_hint: Option<String>,
    ) -> Result<SignInRedirect, AppError> {
        let redirect = self
            .identity
            .authorization_url(AuthorizationRequest {
                redirect_uri: self.callback_url(),
                login_hint,
            })
            .await?;
        let browser = Secret::generate(&*self.ids);
        let state_hash = Secret::from_text(&redirect.state).hash();
        let attempt = SignInAttempt {
            state_hash: state_hash.clone(),
            browser_token_hash: browser.hash(),
            nonce: redirect.nonce,
            pkce_verifier: redirect.pkce_verifier,
            return_to: safe_return_path(&intent.return_to),
            add_to_cart: intent.add_to_cart,
            expires_at_ms: self.now_ms() + SIGN_IN_TTL_MS,
            claim: None,
        };
        self.db
            .write(async move |tx| Ok::<_, AppError>(tx.insert_sign_in_attempt(&attempt).await?))
            .await?;
        Ok(SignInRedirect {
            url: redirect.url,
            browser,
            state_hash,
        })
    }

    /// Creates a session for the identity, and the user if it is new. Configured admins get their role here.
    async fn open_session(&self, identity: Identity, session: &Secret) -> Result<UserId, AppError> {
        let now_ms = self.now_ms();
        let is_admin = self.is_configured_admin(&identity.email);
        let new_id = UserId(self.ids.new_id());
        let email_hash = self.email_hash(&identity.email);
        let (token_hash, expires_at_ms) = (
            session.hash(),
            now_ms + i64::from(self.settings.session_days) * DAY_MS,
        );
        self.db
            .write(async move |tx| {
                let known = tx
                    .user_by_identity(&identity.issuer, &identity.subject)
                    .await?;
                let user = match known {
                    Some(user) => {
                        let role = if is_admin { Role::Admin } else { user.role };
                        tx.update_identity(
                            &user.id,
                            &identity.email,
                            identity.picture.as_deref(),
                            role,
                            now_ms,
                        )
                        .await?;
                        user.id
                    }
                    None => {
                        let name = display_name(&identity);
                        let role = if is_admin {
                            Role::Admin
                        } else {
                            Role::Customer
                        };
                        let user = NewUser {
                            id: new_id,
                            issuer: identity.issuer,
                            subject: identity.subject,
                            email: identity.email,
                            name,
                            photo: identity.picture,
                            role,
                        };
                        tx.insert_user(&user, now_ms).await?;
                        // The first sign-in may run in two tabs at once. Both get the same user.
                        let stored = tx.user_by_identity(&user.issuer, &user.subject).await?;
                        stored.map_or(user.id, |stored| stored.id)
                    }
                };
                tx.set_email_hash(&user, &email_hash).await?;
                tx.insert_session(&NewSession {
                    token_hash,
                    user: user.clone(),
                    created_at_ms: now_ms,
                    expires_at_ms,
                })
                .await?;
                Ok::<_, AppError>(user)
            })
            .await
    }

    /// The item may be sold out by now. The sign-in succeeds in any case.
    async fn add_intended_item(&self, user: UserId, product: ProductId, packs: Packs) -> bool {
        let (now_ms, snapshot) = (self.now_ms(), self.catalogue.snapshot());
        let added: Result<(), AppError> = self
            .db
            .write(async move |tx| {
                tx.increment_cart_version(&user, now_ms).await?;
                let lines = tx.cart(&user).await?.lines;
                let found = find_purchasable(&snapshot, &product)?;
                add_packs(tx, &user, lines, found, packs, now_ms)
                    .await
                    .map(drop)
            })
            .await;
        added.is_ok()
    }

    /// The user of a session, if the session is valid.
    pub async fn user_for_session(&self, session: &Secret) -> Result<Option<User>, AppError> {
        let (hash, now_ms) = (session.hash(), self.now_ms());
        self.db
            .point_read(async move |db| Ok(db.user_by_session(&hash, now_ms).await?))
            .await
    }

    pub async fn sign_out(&self, session: &Secret) -> Result<(), AppError> {
        let hash = session.hash();
        self.db
            .write(async move |tx| Ok(tx.delete_session(&hash).await?))
            .await
    }

    pub async fn sign_out_everywhere(&self, user: &UserId) -> Result<(), AppError> {
        let user = user.clone();
        self.db
            .write(async move |tx| Ok(tx.delete_sessions_of(&user).await?))
            .await
    }

    pub async fn delete_expired(&self) -> Result<u64, AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| Ok(tx.delete_expired(now_ms).await?))
            .await
    }
}

/// The provider's name of the user if it is valid as a profile name, otherwise the local part of the email.
fn display_name(identity: &Identity) -> String {
    let local = identity.email.split('@').next();
    let names = [identity.name.as_deref(), local].into_iter().flatten();
    let mut valid =
        names.filter_map(|name| validation::required("name", name, MAX_NAME_CHARS).ok());
    valid.next().unwrap_or_else(|| "Customer".into())
}

/// Allows only paths of the shop: `//evil.example`, `/\evil.example` and `https:…` become `/`.
fn safe_return_path(path: &str) -> String {
    let is_own = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && !path.chars().any(char::is_control)
        && !path.starts_with("/api/auth/")
        && path.len() <= 500;
    if is_own {
        path.to_owned()
    } else {
        "/".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;

    proptest! {
        /// Resolved as a browser does it.
        #[test]
        fn safe_return_path_never_leaves_the_shop(
            text in prop_oneof![any::<String>(), "[/\\\\.:@%a-z\t\r\n ]{0,12}", "/[/\\\\]?evil\\.example.*"],
        ) {
            let shop = Url::parse("https://shop.example/api/auth/google/callback").unwrap();
            let path = safe_return_path(&text);
            let landed = shop.join(&path).unwrap();
            prop_assert_eq!(landed.origin(), shop.origin());
            prop_assert!(!path.chars().any(char::is_control));
            prop_assert_eq!(safe_return_path(&path), path);
        }
    }

    #[test]
    fn display_name_falls_back_to_the_email_if_the_name_is_invalid() {
        let name_of = |name: Option<&str>, email: &str| {
            display_name(&Identity {
                issuer: String::new(),
                subject: String::new(),
                email: email.into(),
                name: name.map(str::to_owned),
                picture: None,
            })
        };
        assert_eq!(name_of(Some(" Asha "), "a.k@it.example"), "Asha");
        for invalid in [
            "",
            "  ",
            "a\0b",
            "a\r\nBcc: x",
            "a\u{202e}b",
            &"x".repeat(101),
        ] {
            assert_eq!(
                name_of(Some(invalid), "a.k@it.example"),
                "a.k",
                "{invalid:?}"
            );
        }
        assert_eq!(name_of(None, "\u{202e}@it.example"), "Customer");
    }

    #[test]
    fn safe_return_path_rejects_other_hosts() {
        assert_eq!(
            safe_return_path("/product/goda-masala?x=1#y"),
            "/product/goda-masala?x=1#y"
        );
        for elsewhere in [
            "",
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "/a\nb",
            "/api/auth/logout",
            "product",
        ] {
            assert_eq!(safe_return_path(elsewhere), "/", "{elsewhere}");
        }
    }
}
