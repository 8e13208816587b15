//! The error of all use cases: a code for the client, a message for the customer.

use std::borrow::Cow;

use mirasa_domain::cart::CartError;
use mirasa_domain::end_reason::CoolDown;
use mirasa_domain::new_order::OrderRefused;
use mirasa_domain::pack::InvalidQuantity;
use mirasa_domain::validation::ValidationError;

use crate::error_code::{ErrorCode, ErrorKind};
use crate::repository::StoreError;

/// `message` is shown to the customer, in the words of the specification; `source` is for the log only.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct AppError {
    pub code: ErrorCode,
    /// The name of the wrong field, as the request spells it.
    pub field: Option<Cow<'static, str>>,
    pub message: String,
    /// When to try again, where that is known.
    pub retry_after_s: Option<i64>,
    #[source]
    pub source: Option<anyhow::Error>,
}

impl AppError {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> AppError {
        AppError {
            code,
            field: None,
            message: message.into(),
            retry_after_s: None,
            source: None,
        }
    }

    /// Not a field of its own: a code has one kind.
    pub const fn kind(&self) -> ErrorKind {
        self.code.kind()
    }

    #[must_use]
    pub fn with_field(mut self, field: impl Into<Cow<'static, str>>) -> AppError {
        self.field = Some(field.into());
        self
    }

    fn with_source(mut self, source: impl Into<anyhow::Error>) -> AppError {
        self.source = Some(source.into());
        self
    }

    pub fn invalid(message: impl Into<String>) -> AppError {
        AppError::new(ErrorCode::InvalidInput, message)
    }

    pub fn not_found(message: impl Into<String>) -> AppError {
        AppError::new(ErrorCode::NotFound, message)
    }

    pub fn conflict(message: impl Into<String>) -> AppError {
        AppError::new(ErrorCode::Conflict, message)
    }

    pub fn not_authenticated() -> AppError {
        AppError::new(ErrorCode::Unauthorized, "not authenticated")
    }

    pub fn internal(source: impl Into<anyhow::Error>) -> AppError {
        AppError::new(ErrorCode::Internal, "Something went wrong.").with_source(source)
    }

    pub fn unavailable(source: impl Into<anyhow::Error>) -> AppError {
        let message = "The shop cannot save this right now. Please try again in a moment.";
        AppError::new(ErrorCode::Unavailable, message).with_source(source)
    }
}

impl From<ValidationError> for AppError {
    fn from(error: ValidationError) -> AppError {
        AppError::invalid(error.to_string()).with_field(error.field())
    }
}

impl From<InvalidQuantity> for AppError {
    fn from(error: InvalidQuantity) -> AppError {
        AppError::invalid(error.to_string()).with_field(error.field)
    }
}

impl From<CartError> for AppError {
    fn from(error: CartError) -> AppError {
        let code = match error {
            CartError::ProductNotFound => ErrorCode::ProductNotFound,
            CartError::InsufficientStock(_) => ErrorCode::InsufficientStock,
            CartError::NoPacks => ErrorCode::InvalidInput,
            CartError::PackSizeNotSold => ErrorCode::PackSizeNotSold,
            CartError::TooManyPacks => ErrorCode::PackLimitExceeded,
            CartError::TooManyLines => ErrorCode::CartFull,
        };
        AppError::new(code, error.to_string())
    }
}

impl From<OrderRefused> for AppError {
    fn from(error: OrderRefused) -> AppError {
        let code = match error {
            OrderRefused::Cart(error) => return error.into(),
            OrderRefused::Unavailable(_) => ErrorCode::ProductUnavailable,
            OrderRefused::Discount { .. } => ErrorCode::DiscountNotApplicable,
            OrderRefused::TotalChanged => ErrorCode::TotalChanged,
            OrderRefused::TotalTooLow => ErrorCode::OrderTotalTooLow,
            OrderRefused::TooManyPacks { .. } => ErrorCode::PackLimitExceeded,
        };
        AppError::new(code, error.to_string())
    }
}

impl From<CoolDown> for AppError {
    fn from(cool_down: CoolDown) -> AppError {
        AppError {
            retry_after_s: Some(cool_down.seconds()),
            ..AppError::new(ErrorCode::TooManyUnpaidOrders, cool_down.to_string())
        }
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> AppError {
        match error {
            StoreError::Unavailable(_) => AppError::unavailable(error),
            StoreError::Busy => AppError::new(
                ErrorCode::Busy,
                "The shop is very busy. Please try again in a moment.",
            ),
            StoreError::Constraint(_) | StoreError::Broken(_) => AppError::internal(error),
        }
    }
}
