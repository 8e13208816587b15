//! The accounts of the sandbox: two demo accounts, and any other email address.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub const DEMO_SHOPPER: &str = "shopper@mirasa.example";
pub const DEMO_ADMIN: &str = "admin@mirasa.example";

pub(super) struct DemoAccount {
    pub(super) email: &'static str,
    pub(super) name: &'static str,
    pub(super) role: &'static str,
}

pub(super) const DEMO_ACCOUNTS: [DemoAccount; 2] = [
    DemoAccount {
        email: DEMO_SHOPPER,
        name: "Asha Kulkarni",
        role: "Shopper",
    },
    DemoAccount {
        email: DEMO_ADMIN,
        name: "Rohan Mirasa",
        role: "Admin",
    },
];

/// The email address in lower case. None if it is not valid.
pub(super) fn parse_email(typed: &str) -> Option<String> {
    let email = typed.trim().to_lowercase();
    let (local, domain) = email.split_once('@')?;
    let is_plain = |part: &str, more: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    let is_valid = email.len() <= 254
        && is_plain(local, ".!#$%&'*+/=?^_`{|}~-")
        && is_plain(domain, ".-")
        && domain.contains('.')
        && !domain.starts_with(['.', '-'])
        && !domain.ends_with(['.', '-']);
    is_valid.then_some(email)
}

/// The claims about an account. The sandbox has no profile pictures.
pub(super) fn claims(email: &str) -> Value {
    json!({
        "sub": subject(email),
        "email": email,
        "email_verified": true,
        "name": name(email),
    })
}

/// The same for an email address on every instance.
pub fn subject(email: &str) -> String {
    let digest = Sha256::digest(format!("sandbox person {email}"));
    base16ct::lower::encode_string(&digest[..16])
}

fn name(email: &str) -> String {
    if let Some(account) = DEMO_ACCOUNTS.iter().find(|account| account.email == email) {
        return account.name.to_owned();
    }
    let local = email.split('@').next().unwrap_or_default();
    let words = local
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect::<Vec<_>>();
    if words.is_empty() {
        local.to_owned()
    } else {
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::{name, parse_email, subject};

    #[test]
    fn email_is_normalised_or_rejected() {
        assert_eq!(
            parse_email(" Asha.K@Example.COM ").as_deref(),
            Some("asha.k@example.com")
        );
        for invalid in [
            "",
            "asha",
            "@example.com",
            "asha@",
            "a b@example.com",
            "a@b@c.d",
            "a@example",
        ] {
            assert_eq!(parse_email(invalid), None, "{invalid:?}");
        }
        for hostile in [
            "<b>@example.com",
            "a@exa\"mple.com",
            "a\n@example.com",
            "a@.com",
            "a@b.com.",
        ] {
            assert_eq!(parse_email(hostile), None, "{hostile:?}");
        }
    }

    #[test]
    fn name_is_derived_from_email() {
        assert_eq!(name("shopper@mirasa.example"), "Asha Kulkarni");
        assert_eq!(name("meera.joshi+test@example.com"), "Meera Joshi Test");
        assert_eq!(name("+@example.com"), "+");
    }

    #[test]
    fn subject_depends_only_on_email() {
        assert_eq!(
            subject("shopper@mirasa.example"),
            subject("shopper@mirasa.example")
        );
        assert_ne!(
            subject("shopper@mirasa.example"),
            subject("admin@mirasa.example")
        );
    }
}
