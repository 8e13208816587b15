//! Text that people type: trimmed, bounded, free of what cannot be printed.

/// Why a piece of text was refused; shown beside the field it names.
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

/// One line: a name, a city. Emoji and every script are welcome; control characters and the
/// invisible marks that turn text around are not.
pub fn single_line(
    field: &'static str,
    text: &str,
    max_chars: usize,
) -> Result<String, ValidationError> {
    validate(field, text, max_chars, |c| c.is_control())
}

/// Several lines: a message. Line breaks and tabs may stay.
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

/// Bidirectional embeddings, overrides and isolates: Hebrew and Arabic need none of them, a forged
/// label does.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_let_in_can_be_printed_and_is_let_in_again(text: String, max_chars in 0..40_usize) {
            if let Ok(kept) = single_line("field", &text, max_chars) {
                prop_assert!(kept.chars().count() <= max_chars);
                prop_assert!(!kept.chars().any(|c| c.is_control() || is_bidi_control(c)));
                prop_assert_eq!(single_line("field", &kept, max_chars), Ok(kept));
            }
            if let Ok(kept) = multi_line("field", &text, max_chars) {
                prop_assert!(!kept.contains('\0'));
                prop_assert_eq!(multi_line("field", &kept, max_chars), Ok(kept));
            }
        }
    }

    #[test]
    fn keeps_every_script_and_refuses_the_unprintable() {
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
