//! Validation of entered text: trimmed, limited in length, without control characters.

/// Why a value is invalid. Shown beside the field that it names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValidationError {
    #[error("{field} is required")]
    Required { field: &'static str },
    #[error("{field} must be at most {max_chars} characters")]
    TooLong {
        field: &'static str,
        max_chars: usize,
    },
    #[error("{field} contains characters that cannot be used")]
    InvalidCharacters { field: &'static str },
    #[error("{field} {rule}")]
    Invalid {
        field: &'static str,
        rule: &'static str,
    },
}

impl ValidationError {
    pub fn field(&self) -> &'static str {
        match self {
            ValidationError::Required { field }
            | ValidationError::TooLong { field, .. }
            | ValidationError::InvalidCharacters { field }
            | ValidationError::Invalid { field, .. } => field,
        }
    }
}

/// Validates one line, such as a name or a city. All scripts and emoji are allowed; control characters and
/// bidirectional controls are not.
pub fn single_line(
    field: &'static str,
    text: &str,
    max_chars: usize,
) -> Result<String, ValidationError> {
    validate(field, text, max_chars, |c| c.is_control())
}

/// Validates several lines, such as a message. Line breaks and tabs are allowed.
pub fn multi_line(
    field: &'static str,
    text: &str,
    max_chars: usize,
) -> Result<String, ValidationError> {
    validate(field, text, max_chars, |c| {
        c.is_control() && !matches!(c, '\n' | '\r' | '\t')
    })
}

pub fn required(
    field: &'static str,
    text: &str,
    max_chars: usize,
) -> Result<String, ValidationError> {
    let text = single_line(field, text, max_chars)?;
    if text.is_empty() {
        Err(ValidationError::Required { field })
    } else {
        Ok(text)
    }
}

fn validate(
    field: &'static str,
    text: &str,
    max_chars: usize,
    is_forbidden: fn(char) -> bool,
) -> Result<String, ValidationError> {
    let text = text.trim();
    if text.chars().any(|c| is_forbidden(c) || is_bidi_control(c)) {
        return Err(ValidationError::InvalidCharacters { field });
    }
    if text.chars().count() > max_chars {
        return Err(ValidationError::TooLong { field, max_chars });
    }
    Ok(text.to_owned())
}

/// Bidirectional embeddings, overrides and isolates. Hebrew and Arabic text does not need them, but they can make a
/// text look different from what it is.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn valid_text_is_printable_and_stays_valid(text: String, max_chars in 0..40_usize) {
            if let Ok(text) = single_line("field", &text, max_chars) {
                prop_assert!(text.chars().count() <= max_chars);
                prop_assert!(!text.chars().any(|c| c.is_control() || is_bidi_control(c)));
                prop_assert_eq!(single_line("field", &text, max_chars), Ok(text));
            }
            if let Ok(text) = multi_line("field", &text, max_chars) {
                prop_assert!(!text.contains('\0'));
                prop_assert_eq!(multi_line("field", &text, max_chars), Ok(text));
            }
        }
    }

    #[test]
    fn text_accepts_all_scripts_and_rejects_control_characters() {
        assert_eq!(
            single_line("name", "  गोडा मसाला 🌶️ ", 50),
            Ok("गोडा मसाला 🌶️".into())
        );
        assert_eq!(single_line("name", "שלום", 50), Ok("שלום".into()));
        assert_eq!(
            single_line("name", "a\u{0000}b", 50),
            Err(ValidationError::InvalidCharacters { field: "name" })
        );
        assert_eq!(
            single_line("name", "a\u{202E}b", 50),
            Err(ValidationError::InvalidCharacters { field: "name" })
        );
        assert_eq!(
            single_line("name", "a\nb", 50),
            Err(ValidationError::InvalidCharacters { field: "name" })
        );
        assert_eq!(multi_line("message", "a\nb", 50), Ok("a\nb".into()));
        assert_eq!(
            single_line("name", &"x".repeat(51), 50),
            Err(ValidationError::TooLong {
                field: "name",
                max_chars: 50
            })
        );
        assert_eq!(
            required("name", "   ", 50),
            Err(ValidationError::Required { field: "name" })
        );
    }
}
