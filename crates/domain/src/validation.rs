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

/// Several lines that are not all empty. Line breaks are stored as `\n`.
pub fn required_lines(
    field: &'static str,
    text: &str,
    max_chars: usize,
) -> Result<String, ValidationError> {
    let text = multi_line(field, &text.replace("\r\n", "\n"), max_chars)?;
    if text.is_empty() {
        Err(ValidationError::Required { field })
    } else {
        Ok(text)
    }
}

/// Whether the text is one plain email address, such as `asha@example.in`. Stricter than the standard: ASCII only, no
/// quoted names, no host without a dot. Every address that it accepts can be written into a header as it is.
pub fn is_email_address(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else {
        return false;
    };
    let is_atom = |part: &str| {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
        !part.is_empty() && part.chars().all(is_allowed)
    };
    let is_label = |label: &str| {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let has_dash_at_an_end = label.starts_with('-') || label.ends_with('-');
        (1..=63).contains(&label.len()) && label.chars().all(is_allowed) && !has_dash_at_an_end
    };
    let is_host = host.rsplit_once('.').is_some_and(|(_, last)| {
        host.split('.').all(is_label) && last.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    text.len() <= 254 && name.len() <= 64 && name.split('.').all(is_atom) && is_host
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

    proptest! {
        #[test]
        fn email_address_has_one_at_sign_and_nothing_that_ends_a_header(
            text in r"[a-c@.<>, \r\n-]{0,12}"
        ) {
            if is_email_address(&text) {
                prop_assert_eq!(text.matches('@').count(), 1);
                prop_assert!(!text.contains(['<', '>', ',', ' ', '\r', '\n']));
            }
        }
    }

    #[test]
    fn email_address_is_one_plain_address() {
        let long = format!("{}@example.in", "x".repeat(65));
        for text in [
            "asha@example.in",
            "asha.kulkarni+shop@mail.example.co.in",
            "o'neil@example.com",
            "a@xn--11b4c3d.in",
        ] {
            assert!(is_email_address(text), "{text}");
        }
        for text in [
            "",
            "asha",
            "asha@",
            "@example.in",
            "asha@localhost",
            "asha@10.0.0.1",
            "asha@example.in, thief@example.in",
            "Asha <asha@example.in>",
            "asha@example.in\r\nBcc: thief@example.in",
            "asha@exam ple.in",
            "asha@@example.in",
            ".asha@example.in",
            "asha@-example.in",
            "आशा@example.in",
            long.as_str(),
        ] {
            assert!(!is_email_address(text), "{text}");
        }
    }

    #[test]
    fn required_lines_are_not_empty_and_have_plain_line_breaks() {
        assert_eq!(required_lines("text", " a\r\nb ", 50), Ok("a\nb".into()));
        let required = ValidationError::Required { field: "text" };
        assert_eq!(required_lines("text", " \r\n ", 50), Err(required));
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
