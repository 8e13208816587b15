//! The one shape in which a use case says no: a kind for the machine, a text for the person.

use mirasa_domain::cart::CartError;
use mirasa_domain::end_reason::CoolDown;
use mirasa_domain::validation::ValidationError;

use crate::repository::StoreError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    Invalid,
    NotAuthenticated,
    Forbidden,
    NotFound,
    Conflict,
    TooLarge,
    UnsupportedMediaType,
    Unprocessable,
    RateLimited,
    Unavailable,
    /// More ask than can be served; nothing is broken.
    Busy,
    Internal,
}

/// `text` is shown to the person who asked, in the spec's words; `source` is for the log alone.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct AppError {
    pub kind: ErrorKind,
    pub message: String,
    /// When it is worth trying again, where that is known.
    pub retry_after_s: Option<i64>,
    #[source]
    pub source: Option<anyhow::Error>,
}

impl AppError {
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> AppError {
        AppError {
            kind,
            message: text.into(),
            retry_after_s: None,
            source: None,
        }
    }

    pub fn invalid(text: impl Into<String>) -> AppError {
        AppError::new(ErrorKind::Invalid, text)
    }

    pub fn not_found(text: impl Into<String>) -> AppError {
        AppError::new(ErrorKind::NotFound, text)
    }

    pub fn conflict(text: impl Into<String>) -> AppError {
        AppError::new(ErrorKind::Conflict, text)
    }

    pub fn not_authenticated() -> AppError {
        AppError::new(ErrorKind::NotAuthenticated, "not authenticated")
    }

    pub fn internal(source: impl Into<anyhow::Error>) -> AppError {
        AppError {
            kind: ErrorKind::Internal,
            message: "Something went wrong.".into(),
            retry_after_s: None,
            source: Some(source.into()),
        }
    }

    pub fn unavailable(source: impl Into<anyhow::Error>) -> AppError {
        AppError {
            kind: ErrorKind::Unavailable,
            message: "The shop cannot save this right now. Please try again in a moment.".into(),
            retry_after_s: None,
            source: Some(source.into()),
        }
    }
}

impl From<ValidationError> for AppError {
    fn from(bad: ValidationError) -> AppError {
        AppError::invalid(bad.to_string())
    }
}

impl From<CartError> for AppError {
    fn from(refusal: CartError) -> AppError {
        let kind = match refusal {
            CartError::ProductNotFound => ErrorKind::NotFound,
            CartError::InsufficientStock(_) => ErrorKind::Conflict,
            CartError::NoPacks
            | CartError::PackSizeNotSold
            | CartError::TooManyPacks
            | CartError::TooManyLines => ErrorKind::Invalid,
        };
        AppError::new(kind, refusal.to_string())
    }
}

impl From<CoolDown> for AppError {
    fn from(cool_down: CoolDown) -> AppError {
        AppError {
            retry_after_s: Some(cool_down.seconds()),
            ..AppError::new(ErrorKind::RateLimited, cool_down.to_string())
        }
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> AppError {
        match error {
            StoreError::Unavailable(_) => AppError::unavailable(error),
            StoreError::Busy => AppError::new(
                ErrorKind::Busy,
                "The shop is very busy. Please try again in a moment.",
            ),
            StoreError::Constraint(_) | StoreError::Broken(_) => AppError::internal(error),
        }
    }
}
