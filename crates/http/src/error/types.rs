//! The body of every error.

use std::borrow::Cow;
use std::fmt::Write as _;

use mirasa_app::ErrorCode;
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::error::status;

#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody {
    pub error: String,
    /// The same text.
    pub message: String,
    pub code: ErrorCodeDto,
    /// The name of the field that is not valid, as the request spells it. Inside a list or an object it is the name of
    /// the list or object. Absent where the error is not about one field.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub field: Option<Cow<'static, str>>,
}

/// Not derived: the app's enum does not know OpenAPI.
pub struct ErrorCodeDto(pub ErrorCode);

impl Serialize for ErrorCodeDto {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl ToSchema for ErrorCodeDto {
    fn name() -> Cow<'static, str> {
        "ErrorCode".into()
    }
}

impl PartialSchema for ErrorCodeDto {
    fn schema() -> RefOr<Schema> {
        let mut description =
            "What went wrong, for programs. A code keeps its meaning; the messages may change.\n"
                .to_owned();
        for code in ErrorCode::ALL {
            let (name, meaning) = (code.as_str(), code.meaning());
            let status = status(code.kind()).as_u16();
            let _ = write!(description, "\n- `{name}` ({status}): {meaning}");
        }
        let names = ErrorCode::ALL.iter().map(|code| code.as_str());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(names))
            .description(Some(description))
            .into()
    }
}
