//! The one shape in which a use case says no: a kind for the machine, a text for the person.

use mirasa_domain::cart::CartError;
use mirasa_domain::end_reason::CoolDown;
use mirasa_domain::validation::ValidationError;

use crate::ports::storage::StoreError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Invalid,
    NotAuthenticated,
    Forbidden,
    NotFound,
    Conflict,
    TooLarge,
    Unsupported,
    Unprocessable,
    TooMany,
    Unavailable,
    /// More ask than can be served; nothing is broken.
    Busy,
    Internal,
}

/// `text` is shown to the person who asked, in the spec's words; `source` is for the log alone.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct Fault {
    pub kind: Kind,
    pub text: String,
    /// When it is worth trying again, where that is known.
    pub retry_after_s: Option<i64>,
    #[source]
    pub source: Option<anyhow::Error>,
}

impl Fault {
    pub fn new(kind: Kind, text: impl Into<String>) -> Fault {
        Fault {
            kind,
            text: text.into(),
            retry_after_s: None,
            source: None,
        }
    }

    pub fn invalid(text: impl Into<String>) -> Fault {
        Fault::new(Kind::Invalid, text)
    }

    pub fn not_found(text: impl Into<String>) -> Fault {
        Fault::new(Kind::NotFound, text)
    }

    pub fn conflict(text: impl Into<String>) -> Fault {
        Fault::new(Kind::Conflict, text)
    }

    pub fn not_authenticated() -> Fault {
        Fault::new(Kind::NotAuthenticated, "not authenticated")
    }

    pub fn internal(source: impl Into<anyhow::Error>) -> Fault {
        Fault {
            kind: Kind::Internal,
            text: "Something went wrong.".into(),
            retry_after_s: None,
            source: Some(source.into()),
        }
    }

    pub fn unavailable(source: impl Into<anyhow::Error>) -> Fault {
        Fault {
            kind: Kind::Unavailable,
            text: "The shop cannot save this right now. Please try again in a moment.".into(),
            retry_after_s: None,
            source: Some(source.into()),
        }
    }
}

impl From<ValidationError> for Fault {
    fn from(bad: ValidationError) -> Fault {
        Fault::invalid(bad.to_string())
    }
}

impl From<CartError> for Fault {
    fn from(refusal: CartError) -> Fault {
        let kind = match refusal {
            CartError::ProductNotFound => Kind::NotFound,
            CartError::InsufficientStock(_) => Kind::Conflict,
            CartError::NoPacks
            | CartError::PackSizeNotSold
            | CartError::TooManyPacks
            | CartError::TooManyLines => Kind::Invalid,
        };
        Fault::new(kind, refusal.to_string())
    }
}

impl From<CoolDown> for Fault {
    fn from(cool_down: CoolDown) -> Fault {
        Fault {
            retry_after_s: Some(cool_down.seconds()),
            ..Fault::new(Kind::TooMany, cool_down.to_string())
        }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        match error {
            StoreError::Unavailable(_) => Fault::unavailable(error),
            StoreError::Busy => Fault::new(
                Kind::Busy,
                "The shop is very busy. Please try again in a moment.",
            ),
            StoreError::Constraint(_) | StoreError::Broken(_) => Fault::internal(error),
        }
    }
}
