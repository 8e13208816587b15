//! The cookies: the session, and the secret of each sign-in in progress.

use http::{HeaderMap, HeaderValue, header};
use mirasa_app::secret::Secret;

use crate::settings::HttpSettings;

/// As much of the hash of a sign-in's state as tells the sign-ins of one browser apart.
const STATE_HASH_CHARS: usize = 16;

#[derive(Clone, Copy)]
pub enum Cookie<'a> {
    Session,
    /// Each sign-in has a cookie of its own. Two may begin at the same time, in two tabs or because the browser sends a
    /// navigation twice, and the responses may arrive in any order.
    SignIn {
        state_hash: &'a str,
    },
}

impl Cookie<'_> {
    /// The prefix makes the browser enforce Secure, this host and the path `/`.
    fn name(self, https: bool) -> String {
        let prefix = if https { "__Host-" } else { "" };
        match self {
            Cookie::Session => format!("{prefix}mirasa_session"),
            Cookie::SignIn { state_hash } => {
                let start = state_hash.get(..STATE_HASH_CHARS).unwrap_or(state_hash);
                format!("{prefix}mirasa_sign_in_{start}")
            }
        }
    }
}

pub fn read(settings: &HttpSettings, headers: &HeaderMap, cookie: Cookie<'_>) -> Option<Secret> {
    find(headers, &cookie.name(settings.is_https()))
}

/// The first valid value: other sites of the same domain may have set cookies of the same name, with any bytes.
pub(crate) fn find(headers: &HeaderMap, name: &str) -> Option<Secret> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, value)| *key == name && !value.is_empty() && value.len() <= 100)
        .map(|(_, value)| Secret::from_text(value))
}

pub fn set(
    settings: &HttpSettings,
    cookie: Cookie<'_>,
    secret: &Secret,
    max_age_s: u32,
) -> HeaderValue {
    write(settings, cookie, secret.expose(), max_age_s)
}

pub fn clear(settings: &HttpSettings, cookie: Cookie<'_>) -> HeaderValue {
    write(settings, cookie, "", 0)
}

fn write(settings: &HttpSettings, cookie: Cookie<'_>, value: &str, max_age_s: u32) -> HeaderValue {
    let https = settings.is_https();
    let secure = if https { "; Secure" } else { "" };
    let text = format!(
        "{}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}",
        cookie.name(https)
    );
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}
