//! The sign-in adapter against npm's `oidc-provider`, an independent OpenID provider. The first run
//! installs it from npm's cache or registry and keeps it under `~/.cache/mirasa`.

#![allow(clippy::unwrap_used, clippy::expect_used)] // helpers of a test are a test, too

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use mirasa_app::ports::clock::{SystemClock, SystemIdGenerator};
use mirasa_app::ports::identity::{
    AuthorizationCallback, AuthorizationRedirect, AuthorizationRequest, IdentityError,
    IdentityProvider as _,
};
use mirasa_gateways::identity::{GoogleSettings, GoogleSignIn};
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use sha2::{Digest as _, Sha256};
use url::Url;

const REDIRECT_URI: &str = "http://127.0.0.1:9/api/auth/google/callback";
/// Characters that both sides must encode alike.
const CLIENT_SECRET: &str = "a secret: with+signs/and=100%";

#[tokio::test]
async fn identity_is_accepted_from_independent_provider() {
    let provider = Provider::start();
    for algorithm in ["RS256", "ES256", "EdDSA"] {
        let google = provider.adapter(&format!("shop-{algorithm}"), CLIENT_SECRET);
        let (redirect, code) = provider.sign_in(&google, "asha@example.com").await;
        let identity = google
            .exchange_code(callback(&redirect, &code))
            .await
            .unwrap_or_else(|error| panic!("{algorithm}: {error:?}"));
        assert_eq!(identity.issuer, provider.issuer);
        assert_eq!(identity.subject, "person-asha@example.com");
        assert_eq!(identity.email, "asha@example.com");
        assert_eq!(identity.name.as_deref(), Some("Asha Kulkarni"));
        assert_eq!(
            identity.picture.as_deref(),
            Some("https://pictures.example/asha.png")
        );

        let replayed = google.exchange_code(callback(&redirect, &code)).await;
        assert!(
            matches!(&replayed, Err(IdentityError::Rejected(reason)) if reason.contains("code")),
            "{algorithm}: a code works once, but: {replayed:?}"
        );
    }
}

#[tokio::test]
async fn identity_is_rejected_for_invalid_sign_ins() {
    let provider = Provider::start();
    let google = provider.adapter("shop-RS256", CLIENT_SECRET);

    let (redirect, code) = provider.sign_in(&google, "unverified@example.com").await;
    let outcome = google.exchange_code(callback(&redirect, &code)).await;
    assert!(
        matches!(&outcome, Err(IdentityError::Rejected(reason)) if reason.contains("not verified")),
        "{outcome:?}"
    );

    let (redirect, code) = provider.sign_in(&google, "asha@example.com").await;
    let (other, _) = provider.sign_in(&google, "asha@example.com").await;
    let other_nonce = AuthorizationCallback {
        nonce: other.nonce.clone(),
        ..callback(&redirect, &code)
    };
    let outcome = google.exchange_code(other_nonce).await;
    assert!(
        matches!(&outcome, Err(IdentityError::Rejected(reason)) if reason.contains("nonce")),
        "{outcome:?}"
    );

    let (_, code) = provider.sign_in(&google, "asha@example.com").await;
    let outcome = google.exchange_code(callback(&other, &code)).await;
    assert!(
        matches!(&outcome, Err(IdentityError::Rejected(reason)) if reason.contains("code")),
        "the verifier of another sign-in: {outcome:?}"
    );

    let guessing = provider.adapter("shop-RS256", "guessed");
    let (redirect, code) = provider.sign_in(&guessing, "asha@example.com").await;
    let outcome = guessing.exchange_code(callback(&redirect, &code)).await;
    assert!(
        matches!(&outcome, Err(IdentityError::Unreachable(error)) if error.to_string().contains("invalid_client")),
        "{outcome:?}"
    );
}

fn callback(redirect: &AuthorizationRedirect, code: &str) -> AuthorizationCallback {
    AuthorizationCallback {
        redirect_uri: REDIRECT_URI.into(),
        code: code.into(),
        nonce: redirect.nonce.clone(),
        pkce_verifier: redirect.pkce_verifier.clone(),
    }
}

struct Provider {
    issuer: String,
    node: Child,
}

impl Provider {
    fn start() -> Provider {
        let mut node = Command::new("node")
            .arg("server.mjs")
            .current_dir(installed())
            .env("REDIRECT_URI", REDIRECT_URI)
            .env("CLIENT_SECRET", CLIENT_SECRET)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node cannot be started; scripts/setup.sh installs it");
        let lines = BufReader::new(node.stdout.take().unwrap()).lines();
        let (send, receive) = mpsc::channel();
        // Read to the end, or the provider would fail at its next write.
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        let ready = receive.recv_timeout(Duration::from_secs(60));
        let mut provider = Provider {
            issuer: String::new(),
            node,
        };
        let ready = ready.expect("oidc-provider said nothing for a minute, or ended (see above)");
        let ready: serde_json::Value = serde_json::from_str(&ready).unwrap();
        provider.issuer = ready["issuer"].as_str().unwrap().to_owned();
        provider
    }

    fn adapter(&self, client_id: &str, client_secret: &str) -> GoogleSignIn {
        let settings = GoogleSettings {
            issuer: self.issuer.clone(),
            client_id: client_id.into(),
            client_secret: client_secret.into(),
            prompt: None,
            internal_base_url: None,
            timeout: GoogleSettings::TIMEOUT,
        };
        GoogleSignIn::new(settings, Arc::new(SystemClock), Arc::new(SystemIdGenerator)).unwrap()
    }

    /// Starts a sign-in and follows the redirects until the provider returns a code.
    async fn sign_in(&self, google: &GoogleSignIn, email: &str) -> (AuthorizationRedirect, String) {
        let authorization_request = AuthorizationRequest {
            redirect_uri: REDIRECT_URI.into(),
            login_hint: Some(email.into()),
        };
        let redirect = google
            .authorization_url(authorization_request)
            .await
            .unwrap();
        let browser = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .build()
            .unwrap();
        let mut cookies = BTreeMap::new();
        let mut url = Url::parse(&redirect.url).unwrap();
        for _ in 0..10 {
            if url.as_str().starts_with(REDIRECT_URI) {
                let query = url.query_pairs().into_owned().collect::<BTreeMap<_, _>>();
                assert_eq!(query.get("state"), Some(&redirect.state), "{query:?}");
                return (redirect, query["code"].clone());
            }
            let cookie_header = cookies
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>();
            let request = browser
                .get(url.clone())
                .header(COOKIE, cookie_header.join("; "));
            let response = request.send().await.unwrap();
            for cookie in response.headers().get_all(SET_COOKIE) {
                let pair = cookie.to_str().unwrap().split(';').next().unwrap();
                let (name, value) = pair.split_once('=').unwrap();
                cookies.insert(name.to_owned(), value.to_owned());
            }
            let Some(next) = response.headers().get(LOCATION) else {
                let status = response.status();
                panic!("{url}: {status}: {}", response.text().await.unwrap());
            };
            url = url.join(next.to_str().unwrap()).unwrap();
        }
        panic!("the provider sends the browser in circles, at last to {url}");
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.node.kill();
        let _ = self.node.wait();
    }
}

/// A folder with the server and its packages, one for each version of both.
fn installed() -> PathBuf {
    let source = Path::new("tests/oidc-provider");
    let files = ["package.json", "package-lock.json", "server.mjs"];
    let contents = files.map(|file| std::fs::read(source.join(file)).unwrap());
    let version = base16ct::lower::encode_string(&Sha256::digest(contents.concat())[..8]);
    let home = std::env::home_dir().expect("no home folder to keep oidc-provider in");
    let kept = home.join(".cache/mirasa/oidc-provider");
    let folder = kept.join(version);
    if folder.exists() {
        return folder;
    }
    // Installed in a temporary folder and renamed, so that an interrupted or concurrent run leaves
    // no partial folder.
    std::fs::create_dir_all(&kept).unwrap();
    let draft = tempfile::tempdir_in(&kept).unwrap();
    for (file, content) in files.iter().zip(&contents) {
        std::fs::write(draft.path().join(file), content).unwrap();
    }
    let npm = Command::new("npm")
        .args(["ci", "--prefer-offline", "--no-audit", "--no-fund"])
        .current_dir(draft.path())
        .output()
        .expect("npm cannot be started; scripts/setup.sh installs it");
    assert!(
        npm.status.success(),
        "npm ci for oidc-provider failed:\n{}{}",
        String::from_utf8_lossy(&npm.stdout),
        String::from_utf8_lossy(&npm.stderr)
    );
    let draft = draft.keep();
    if let Err(error) = std::fs::rename(&draft, &folder) {
        std::fs::remove_dir_all(&draft).unwrap();
        assert!(folder.exists(), "{}: {error}", folder.display());
    }
    folder
}
