//! Users, their roles and profiles.

pub use crate::id::UserId;
use crate::validation::{self, ValidationError};

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Role {
        Customer = "customer",
        Admin = "admin",
    }
}

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Gender {
        Male = "male",
        Female = "female",
        Other = "other",
        PreferNotToSay = "prefer-not-to-say",
    }
}

/// What users can change about themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    pub name: String,
    pub phone: Option<String>,
    pub date_of_birth: Option<String>,
    pub gender: Option<Gender>,
}

impl Profile {
    pub fn parse(
        name: &str,
        phone: &str,
        date_of_birth: &str,
        gender: &str,
    ) -> Result<Profile, ValidationError> {
        let filled = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
        Ok(Profile {
            name: validation::required("name", name, 100)?,
            phone: filled(phone)
                .map(|phone| crate::address::parse_phone(&phone))
                .transpose()?,
            date_of_birth: filled(date_of_birth)
                .map(|date| parse_date(&date))
                .transpose()?,
            gender: filled(gender)
                .map(|text| {
                    Gender::parse(&text).ok_or(ValidationError::Invalid {
                        field: "gender",
                        rule: "must be male, female, other or prefer-not-to-say",
                    })
                })
                .transpose()?,
        })
    }
}

/// Parses an existing date from 1900 to 2099, such as `1990-02-28`.
fn parse_date(text: &str) -> Result<String, ValidationError> {
    let bad = ValidationError::Invalid {
        field: "dateOfBirth",
        rule: "must be a date such as 1990-02-28",
    };
    let parts: Vec<u32> = text
        .split('-')
        .filter_map(|part| {
            part.bytes()
                .all(|b| b.is_ascii_digit())
                .then(|| part.parse().ok())?
        })
        .collect();
    let &[year, month, day] = parts.as_slice() else {
        return Err(bad);
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => 0,
    };
    if text.len() == 10 && (1900..2100).contains(&year) && (1..=days).contains(&day) {
        Ok(text.to_owned())
    } else {
        Err(bad)
    }
}

/// Checks the form of an email address only. Sign-in proves that it belongs to the user.
pub fn parse_email(field: &'static str, text: &str) -> Result<String, ValidationError> {
    let text = validation::required(field, text, 254)?;
    let well_formed = text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && host.contains('.')
            && !host.starts_with('.')
            && !host.ends_with('.')
            && !host.contains('@')
    });
    if well_formed && !text.chars().any(char::is_whitespace) {
        Ok(text)
    } else {
        Err(ValidationError::Invalid {
            field,
            rule: "must be an e-mail address",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub phone: Option<String>,
    pub date_of_birth: Option<String>,
    pub gender: Option<Gender>,
    /// The URL of the identity provider's image of the user.
    pub photo: Option<String>,
    /// The file name of the image that the user uploaded.
    pub profile_picture: Option<String>,
    pub role: Role,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn profile_has_valid_lengths_and_characters(
            name: String,
            birthday in prop_oneof![any::<String>(), "[0-9]{4}-[0-9]{2}-[0-9]{2}"],
            address in prop_oneof![any::<String>(), "[a-z.]{0,4}@[a-z.@]{0,8}"],
        ) {
            if let Ok(profile) = Profile::parse(&name, "", &birthday, "") {
                prop_assert!(!profile.name.is_empty() && profile.name.chars().count() <= 100);
                prop_assert!(profile.date_of_birth.is_none_or(|day| day.len() == 10));
            }
            if let Ok(email) = parse_email("email", &address) {
                prop_assert_eq!(email.matches('@').count(), 1);
                prop_assert!(!email.contains(|c: char| c.is_whitespace() || c.is_control()));
            }
        }
    }

    #[test]
    fn date_of_birth_must_exist() {
        for day in ["1990-02-28", "2000-02-29", "2024-12-31"] {
            assert!(Profile::parse("Asha", "", day, "").is_ok(), "{day}");
        }
        for day in [
            "1990-02-29",
            "1900-02-29",
            "1990-13-01",
            "90-1-1",
            "1990-1-01",
            "yesterday",
            "1990-01-01-01",
            "+990-01-01",
        ] {
            assert!(Profile::parse("Asha", "", day, "").is_err(), "{day}");
        }
    }

    #[test]
    fn parse_email_checks_the_form() {
        assert!(parse_email("email", "asha@mirasa.example").is_ok());
        for text in [
            "", "asha", "asha@", "@x.y", "a@b", "a b@c.d", "a@b@c.d", "a@.d",
        ] {
            assert!(parse_email("email", text).is_err(), "{text}");
        }
    }
}
