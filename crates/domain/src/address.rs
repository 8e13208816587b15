//! Where an order goes: Indian addresses.

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

/// An Indian phone number: ten digits, perhaps behind +91 or 0, perhaps with spaces or dashes.
/// Kept as it will be dialled: `+919876543210`.
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

/// An address that a parcel can reach. Made only by `Address::parse`.
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

/// An address as somebody typed it.
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
    pub fn parse(typed: &AddressInput) -> Result<Address, ValidationError> {
        let state = validation::required("state", &typed.state, 60)?;
        let state = STATES
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(&state))
            .ok_or(ValidationError::Invalid {
                field: "state",
                rule: "must be an Indian state or union territory",
            })?;
        let pincode = validation::required("pincode", &typed.pincode, 60)?;
        Pincode::parse(&pincode)?;
        Ok(Address {
            address_name: validation::required("addressName", &typed.address_name, 60)?,
            name: validation::required("name", &typed.name, 100)?,
            phone: parse_phone(&typed.phone)?,
            line1: validation::required("addressLine1", &typed.line1, 200)?,
            line2: validation::single_line("addressLine2", &typed.line2, 200)?,
            city: validation::required("city", &typed.city, 100)?,
            state: state.to_owned(),
            pincode,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAddress {
    pub id: String,
    pub address: Address,
    pub is_default: bool,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_pincode_is_six_digits_or_none(text in prop_oneof![any::<String>(), "[0-9०-९ ]{4,8}"]) {
            let digits = text.len() == 6 && text.bytes().all(|b| b.is_ascii_digit());
            match Pincode::parse(&text) {
                Ok(pincode) => prop_assert_eq!(pincode.get().to_string(), text),
                Err(_) => prop_assert!(!digits || text.starts_with('0')),
            }
        }

        #[test]
        fn a_phone_number_is_kept_once_and_for_all(text in prop_oneof![any::<String>(), "[-+() 0-9]{8,16}"]) {
            if let Ok(kept) = parse_phone(&text) {
                prop_assert!(kept.starts_with("+91") && kept.len() == 13);
                prop_assert!(kept[1..].bytes().all(|b| b.is_ascii_digit()));
                prop_assert_eq!(parse_phone(&kept), Ok(kept));
            }
        }
    }

    #[test]
    fn phones_are_kept_as_they_are_dialled() {
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
    fn pincodes_have_six_digits() {
        assert_eq!(Pincode::parse("411001").map(Pincode::get), Ok(411_001));
        for text in ["", "41100", "4110011", "011001", "41100a", "४११००१"] {
            assert!(Pincode::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_required_field_is_named_when_it_is_missing() {
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
            let mut typed = full.clone();
            clear(&mut typed);
            Address::parse(&typed).unwrap_err().field()
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
