//! The two cookies: the session, and the secret of a sign-in in progress.

use http::{HeaderMap, HeaderValue, header};
use mirasa_app::secret::Secret;

use crate::settings::HttpSettings;

#[derive(Clone, Copy)]
pub enum Cookie {
    Session,
    SignIn,
}

impl Cookie {
    /// The prefix makes the browser enforce Secure, this host and the path `/`.
    fn name(self, https: bool) -> &'static str {
        match (self, https) {
            (Cookie::Session, false) => "mirasa_session",
            (Cookie::Session, true) => "__Host-mirasa_session",
            (Cookie::SignIn, false) => "mirasa_sign_in",
            (Cookie::SignIn, true) => "__Host-mirasa_sign_in",
        }
    }
}

pub fn read(settings: &HttpSettings, headers: &HeaderMap, cookie: Cookie) -> Option<Secret> {
    find(headers, cookie.name(settings.is_https()))
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
    cookie: Cookie,
    secret: &Secret,
    max_age_s: u32,
) -> HeaderValue {
    write(settings, cookie, secret.expose(), max_age_s)
}

pub fn clear(settings: &HttpSettings, cookie: Cookie) -> HeaderValue {
    write(settings, cookie, "", 0)
}

fn write(settings: &HttpSettings, cookie: Cookie, value: &str, max_age_s: u32) -> HeaderValue {
    let https = settings.is_https();
    let secure = if https { "; Secure" } else { "" };
    let text = format!(
        "{}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}",
        cookie.name(https)
    );
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}
