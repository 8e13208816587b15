//! The registration number of a taxpayer: state code, PAN, entity, a letter and a check character.

use super::State;

const ALPHABET: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gstin(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidGstin {
    #[error("a GSTIN has 15 characters: 2 digits, 5 letters, 4 digits, a letter, and 3 more")]
    Shape,
    #[error("the first two digits of a GSTIN are the code of a state")]
    State,
    #[error("the last character of the GSTIN does not match the others")]
    CheckCharacter,
}

impl Gstin {
    pub fn parse(text: &str) -> Result<Gstin, InvalidGstin> {
        let text = text.trim().to_ascii_uppercase();
        let bytes = text.as_bytes();
        let all = |from: usize, to: usize, is: fn(&u8) -> bool| bytes[from..to].iter().all(is);
        let is_shape = bytes.len() == 15
            && all(0, 2, u8::is_ascii_digit)
            && all(2, 7, u8::is_ascii_uppercase)
            && all(7, 11, u8::is_ascii_digit)
            && all(11, 12, u8::is_ascii_uppercase)
            && all(12, 15, u8::is_ascii_alphanumeric);
        if !is_shape {
            return Err(InvalidGstin::Shape);
        }
        let gstin = Gstin(text);
        if State::from_code(gstin.state_code()).is_none() {
            return Err(InvalidGstin::State);
        }
        if check_character(&gstin.0[..14]) != gstin.0.as_bytes()[14] {
            return Err(InvalidGstin::CheckCharacter);
        }
        Ok(gstin)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn state(&self) -> Option<State> {
        State::from_code(self.state_code())
    }

    fn state_code(&self) -> u8 {
        self.0[..2].parse().unwrap_or_default()
    }
}

/// Each character's value is multiplied by 1 and 2 in turn, and the two digits of the product in base 36 are added.
fn check_character(first: &str) -> u8 {
    let value = |byte: u8| ALPHABET.iter().position(|one| *one == byte).unwrap_or(0);
    let sum: usize = first
        .bytes()
        .enumerate()
        .map(|(at, byte)| {
            let product = value(byte) * (1 + at % 2);
            product / 36 + product % 36
        })
        .sum();
    ALPHABET[(36 - sum % 36) % 36]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the right check character.
    const VALID: [&str; 3] = ["27AAPFU0939F1ZV", "29AAGCB7383J1Z4", "24AAACC1206D1ZM"];

    #[test]
    fn valid_numbers_are_accepted() {
        for text in VALID {
            assert_eq!(Gstin::parse(text).map(|one| one.0), Ok(text.to_owned()));
        }
        let lower = Gstin::parse(" 27aapfu0939f1zv ").unwrap();
        assert_eq!(lower.state(), State::from_code(27));
    }

    #[test]
    fn one_wrong_character_is_noticed() {
        for text in VALID {
            for at in 0..15 {
                for other in ["0", "7", "A", "Z"] {
                    let mut changed = text.to_owned();
                    changed.replace_range(at..=at, other);
                    if changed != text {
                        assert!(Gstin::parse(&changed).is_err(), "{changed}");
                    }
                }
            }
        }
        assert_eq!(Gstin::parse(""), Err(InvalidGstin::Shape));
        assert_eq!(Gstin::parse("२७AAPFU0939F1ZV"), Err(InvalidGstin::Shape));
        assert_eq!(Gstin::parse("99AAPFU0939F1ZV"), Err(InvalidGstin::State));
    }
}
