//! Delivery addresses in India.

pub use crate::id::AddressId;
use crate::validation::{self, ValidationError};

/// The states and union territories, as the form offers them.
pub const STATES: [&str; 36] = [
    "Andaman and Nicobar Islands",
    "Andhra Pradesh",
    "Arunachal Pradesh",
    "Assam",
    "Bihar",
    "Chandigarh",
    "Chhattisgarh",
    "Dadra and Nagar Haveli and Daman and Diu",
    "Delhi",
    "Goa",
    "Gujarat",
    "Haryana",
    "Himachal Pradesh",
    "Jammu and Kashmir",
    "Jharkhand",
    "Karnataka",
    "Kerala",
    "Ladakh",
    "Lakshadweep",
    "Madhya Pradesh",
    "Maharashtra",
    "Manipur",
    "Meghalaya",
    "Mizoram",
    "Nagaland",
    "Odisha",
    "Puducherry",
    "Punjab",
    "Rajasthan",
    "Sikkim",
    "Tamil Nadu",
    "Telangana",
    "Tripura",
    "Uttar Pradesh",
    "Uttarakhand",
    "West Bengal",
];

/// Six digits, the first not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pincode(u32);

impl Pincode {
    pub fn parse(text: &str) -> Result<Pincode, ValidationError> {
        let bad = ValidationError::Invalid {
            field: "pincode",
            rule: "must be 6 digits",
        };
        if text.len() != 6 || !text.bytes().all(|b| b.is_ascii_digit()) || text.starts_with('0') {
            return Err(bad);
        }
        text.parse().map(Pincode).map_err(|_| bad)
    }

    pub const fn get(self) -> u32 {
        self.0
    }
}

/// Parses an Indian phone number: ten digits, optionally with the prefix +91 or 0, spaces or dashes. Returns it in
/// international format: `+919876543210`.
pub fn parse_phone(text: &str) -> Result<String, ValidationError> {
    let bad = ValidationError::Invalid {
        field: "phone",
        rule: "must be a 10-digit phone number",
    };
    if text.trim().is_empty() {
        return Err(ValidationError::Required { field: "phone" });
    }
    if text
        .chars()
        .any(|c| !(c.is_ascii_digit() || matches!(c, ' ' | '-' | '+' | '(' | ')')))
    {
        return Err(bad);
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let subscriber = match digits.len() {
        10 => digits.as_str(),
        11 => digits.strip_prefix('0').ok_or(bad.clone())?,
        12 => digits.strip_prefix("91").ok_or(bad.clone())?,
        _ => return Err(bad),
    };
    if subscriber.starts_with('0') {
        Err(bad)
    } else {
        Ok(format!("+91{subscriber}"))
    }
}

/// The digits of a search for a part of a phone number, as `parse_phone` stores it. None if it cannot be one: it has other
/// characters, or fewer than four digits, which would find too many.
pub fn phone_part(text: &str) -> Option<String> {
    let is_phone = text
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, ' ' | '-' | '+' | '(' | ')'));
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if !is_phone || digits.len() < 4 {
        return None;
    }
    Some(digits.strip_prefix('0').unwrap_or(&digits).to_owned())
}

/// A valid address. Made only by `Address::parse`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Address {
    pub address_name: String,
    pub name: String,
    pub phone: String,
    pub line1: String,
    pub line2: String,
    pub city: String,
    pub state: String,
    pub pincode: String,
}

/// An address as the customer entered it.
#[derive(Debug, Clone, Default)]
pub struct AddressInput {
    pub address_name: String,
    pub name: String,
    pub phone: String,
    pub line1: String,
    pub line2: String,
    pub city: String,
    pub state: String,
    pub pincode: String,
}

impl Address {
    pub fn parse(input: &AddressInput) -> Result<Address, ValidationError> {
        let state = validation::required("state", &input.state, 60)?;
        let state = STATES
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(&state))
            .ok_or(ValidationError::Invalid {
                field: "state",
                rule: "must be an Indian state or union territory",
            })?;
        let pincode = validation::required("pincode", &input.pincode, 60)?;
        Pincode::parse(&pincode)?;
        Ok(Address {
            address_name: validation::required("addressName", &input.address_name, 60)?,
            name: validation::required("name", &input.name, 100)?,
            phone: parse_phone(&input.phone)?,
            line1: validation::required("addressLine1", &input.line1, 200)?,
            line2: validation::single_line("addressLine2", &input.line2, 200)?,
            city: validation::required("city", &input.city, 100)?,
            state: state.to_owned(),
            pincode,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAddress {
    pub id: AddressId,
    pub address: Address,
    pub is_default: bool,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pincode_accepts_six_digits_only(text in prop_oneof![any::<String>(), "[0-9०-९ ]{4,8}"]) {
            let digits = text.len() == 6 && text.bytes().all(|b| b.is_ascii_digit());
            match Pincode::parse(&text) {
                Ok(pincode) => prop_assert_eq!(pincode.get().to_string(), text),
                Err(_) => prop_assert!(!digits || text.starts_with('0')),
            }
        }

        #[test]
        fn parse_phone_is_idempotent(text in prop_oneof![any::<String>(), "[-+() 0-9]{8,16}"]) {
            if let Ok(phone) = parse_phone(&text) {
                prop_assert!(phone.starts_with("+91") && phone.len() == 13);
                prop_assert!(phone[1..].bytes().all(|b| b.is_ascii_digit()));
                prop_assert_eq!(parse_phone(&phone), Ok(phone));
            }
        }
    }

    #[test]
    fn parse_phone_returns_the_international_format() {
        for text in [
            "9876543210",
            "09876543210",
            "+91 98765-43210",
            "91 98765 43210",
        ] {
            assert_eq!(parse_phone(text), Ok("+919876543210".into()), "{text}");
        }
        for text in [
            "",
            "98765",
            "0000000000",
            "+1 212 555 0100 22",
            "98765x3210",
            "९८७६५४३२१०",
        ] {
            assert!(parse_phone(text).is_err(), "{text}");
        }
    }

    #[test]
    fn phone_part_is_in_the_stored_number() {
        for (text, part) in [
            ("98765 43210", Some("9876543210")),
            ("+91 (98765) 43", Some("919876543")),
            ("09876543210", Some("9876543210")),
            ("4321", Some("4321")),
            ("432", None),
            ("98765x", None),
            ("", None),
        ] {
            assert_eq!(phone_part(text).as_deref(), part, "{text}");
        }
        let stored = parse_phone("09876543210").unwrap();
        assert!(stored.contains(&phone_part("+91 98765").unwrap()));
    }

    #[test]
    fn pincode_rejects_other_lengths_and_characters() {
        assert_eq!(Pincode::parse("411001").map(Pincode::get), Ok(411_001));
        for text in ["", "41100", "4110011", "011001", "41100a", "४११००१"] {
            assert!(Pincode::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn address_error_names_the_missing_field() {
        let full = AddressInput {
            address_name: "Home".into(),
            name: "Asha".into(),
            phone: "9876543210".into(),
            line1: "12 Laxmi Road".into(),
            line2: String::new(),
            city: "Pune".into(),
            state: "maharashtra".into(),
            pincode: "411030".into(),
        };
        assert_eq!(
            Address::parse(&full).map(|a| a.state),
            Ok("Maharashtra".into())
        );
        let without = |clear: fn(&mut AddressInput)| {
            let mut input = full.clone();
            clear(&mut input);
            Address::parse(&input).unwrap_err().field()
        };
        assert_eq!(without(|a| a.address_name.clear()), "addressName");
        assert_eq!(without(|a| a.name.clear()), "name");
        assert_eq!(without(|a| a.phone.clear()), "phone");
        assert_eq!(without(|a| a.line1.clear()), "addressLine1");
        assert_eq!(without(|a| a.city.clear()), "city");
        assert_eq!(without(|a| a.state.clear()), "state");
        assert_eq!(without(|a| a.pincode.clear()), "pincode");
    }
}
