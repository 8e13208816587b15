//! Who can sign in at the sandbox: two people of the demo shop, and whoever types an address.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub(super) struct DemoPerson {
    pub(super) email: &'static str,
    pub(super) name: &'static str,
    pub(super) role: &'static str,
}

pub(super) const DEMO_PEOPLE: [DemoPerson; 2] = [
    DemoPerson {
        email: "shopper@mirasa.example",
        name: "Asha Kulkarni",
        role: "Shopper",
    },
    DemoPerson {
        email: "admin@mirasa.example",
        name: "Rohan Mirasa",
        role: "Admin",
    },
];

/// An address as the sandbox keeps it, or nothing if it is none.
pub(super) fn email(typed: &str) -> Option<String> {
    let email = typed.trim().to_lowercase();
    let (local, domain) = email.split_once('@')?;
    let plain = |part: &str, more: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    let good = email.len() <= 254
        && plain(local, ".!#$%&'*+/=?^_`{|}~-")
        && plain(domain, ".-")
        && domain.contains('.')
        && !domain.starts_with(['.', '-'])
        && !domain.ends_with(['.', '-']);
    good.then_some(email)
}

/// What the sandbox says about the person with this address. It has no pictures of anybody.
pub(super) fn claims(email: &str) -> Value {
    json!({
        "sub": subject(email),
        "email": email,
        "email_verified": true,
        "name": name(email),
    })
}

/// The same person every time, on every instance.
fn subject(email: &str) -> String {
    let digest = Sha256::digest(format!("sandbox person {email}"));
    base16ct::lower::encode_string(&digest[..16])
}

fn name(email: &str) -> String {
    if let Some(person) = DEMO_PEOPLE.iter().find(|person| person.email == email) {
        return person.name.to_owned();
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
    use super::{email, name, subject};

    #[test]
    fn an_address_is_kept_in_one_spelling() {
        assert_eq!(
            email(" Asha.K@Example.COM ").as_deref(),
            Some("asha.k@example.com")
        );
        for none in [
            "",
            "asha",
            "@example.com",
            "asha@",
            "a b@example.com",
            "a@b@c.d",
            "a@example",
        ] {
            assert_eq!(email(none), None, "{none:?}");
        }
        for hostile in [
            "<b>@example.com",
            "a@exa\"mple.com",
            "a\n@example.com",
            "a@.com",
            "a@b.com.",
        ] {
            assert_eq!(email(hostile), None, "{hostile:?}");
        }
    }

    #[test]
    fn names_come_from_the_address() {
        assert_eq!(name("shopper@mirasa.example"), "Asha Kulkarni");
        assert_eq!(name("meera.joshi+test@example.com"), "Meera Joshi Test");
        assert_eq!(name("+@example.com"), "+");
    }

    #[test]
    fn a_person_is_one_subject_for_ever() {
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
