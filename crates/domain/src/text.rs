//! Text that people type: trimmed, bounded, free of what cannot be printed.

/// Why a piece of text was refused; shown beside the field it names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadText {
    #[error("{field} is required")]
    Missing { field: &'static str },
    #[error("{field} must be at most {most} characters")]
    TooLong { field: &'static str, most: usize },
    #[error("{field} contains characters that cannot be used")]
    Unprintable { field: &'static str },
    #[error("{field} {rule}")]
    Shape {
        field: &'static str,
        rule: &'static str,
    },
}

impl BadText {
    pub fn field(&self) -> &'static str {
        match self {
            BadText::Missing { field }
            | BadText::TooLong { field, .. }
            | BadText::Unprintable { field }
            | BadText::Shape { field, .. } => field,
        }
    }
}

/// One line: a name, a city. Emoji and every script are welcome; control characters and the
/// invisible marks that turn text around are not.
pub fn line(field: &'static str, text: &str, most: usize) -> Result<String, BadText> {
    checked(field, text, most, |c| c.is_control())
}

/// Several lines: a message. Line breaks and tabs may stay.
pub fn lines(field: &'static str, text: &str, most: usize) -> Result<String, BadText> {
    checked(field, text, most, |c| {
        c.is_control() && !matches!(c, '\n' | '\r' | '\t')
    })
}

pub fn required(field: &'static str, text: &str, most: usize) -> Result<String, BadText> {
    let text = line(field, text, most)?;
    if text.is_empty() {
        Err(BadText::Missing { field })
    } else {
        Ok(text)
    }
}

fn checked(
    field: &'static str,
    text: &str,
    most: usize,
    unprintable: fn(char) -> bool,
) -> Result<String, BadText> {
    let text = text.trim();
    if text.chars().any(|c| unprintable(c) || turns_text_around(c)) {
        return Err(BadText::Unprintable { field });
    }
    if text.chars().count() > most {
        return Err(BadText::TooLong { field, most });
    }
    Ok(text.to_owned())
}

/// Bidirectional embeddings, overrides and isolates: Hebrew and Arabic need none of them, a forged
/// label does.
fn turns_text_around(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_let_in_can_be_printed_and_is_let_in_again(text: String, most in 0..40_usize) {
            if let Ok(kept) = line("field", &text, most) {
                prop_assert!(kept.chars().count() <= most);
                prop_assert!(!kept.chars().any(|c| c.is_control() || turns_text_around(c)));
                prop_assert_eq!(line("field", &kept, most), Ok(kept));
            }
            if let Ok(kept) = lines("field", &text, most) {
                prop_assert!(!kept.contains('\0'));
                prop_assert_eq!(lines("field", &kept, most), Ok(kept));
            }
        }
    }

    #[test]
    fn keeps_every_script_and_refuses_the_unprintable() {
        assert_eq!(
            line("name", "  गोडा मसाला 🌶️ ", 50),
            Ok("गोडा मसाला 🌶️".into())
        );
        assert_eq!(line("name", "שלום", 50), Ok("שלום".into()));
        assert_eq!(
            line("name", "a\u{0000}b", 50),
            Err(BadText::Unprintable { field: "name" })
        );
        assert_eq!(
            line("name", "a\u{202E}b", 50),
            Err(BadText::Unprintable { field: "name" })
        );
        assert_eq!(
            line("name", "a\nb", 50),
            Err(BadText::Unprintable { field: "name" })
        );
        assert_eq!(lines("message", "a\nb", 50), Ok("a\nb".into()));
        assert_eq!(
            line("name", &"x".repeat(51), 50),
            Err(BadText::TooLong {
                field: "name",
                most: 50
            })
        );
        assert_eq!(
            required("name", "   ", 50),
            Err(BadText::Missing { field: "name" })
        );
    }
}
