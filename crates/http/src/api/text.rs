//! Enums of the domain in requests and responses, where they are texts.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use mirasa_domain::text_enum::TextEnum;
use serde::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// An enum as its text. The domain knows neither JSON nor OpenAPI. A field has an alias as its type, such as
/// `OrderStatusDto`: the description names a type with parameters differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<E>(pub E);

/// An enum in the API's description.
pub trait ApiEnum: TextEnum {
    const NAME: &'static str;
    const DESCRIPTION: Option<&'static str> = None;
}

impl<E> From<E> for Text<E> {
    fn from(value: E) -> Text<E> {
        Text(value)
    }
}

impl<E: TextEnum> Serialize for Text<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.text())
    }
}

/// As serde derives it for an enum, so that an error is described in the same way.
impl<'de, E: ApiEnum> Deserialize<'de> for Text<E> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<E>, D::Error> {
        deserializer.deserialize_enum(E::NAME, E::TEXTS, EnumVisitor(PhantomData))
    }
}

struct EnumVisitor<E>(PhantomData<E>);

impl<'de, E: ApiEnum> Visitor<'de> for EnumVisitor<E> {
    type Value = Text<E>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "enum {}", E::NAME)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Text<E>, A::Error> {
        let (value, variant) = data.variant_seed(VariantVisitor(PhantomData))?;
        variant.unit_variant()?;
        Ok(value)
    }
}

struct VariantVisitor<E>(PhantomData<E>);

impl<'de, E: TextEnum> DeserializeSeed<'de> for VariantVisitor<E> {
    type Value = Text<E>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Text<E>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<E: TextEnum> Visitor<'_> for VariantVisitor<E> {
    type Value = Text<E>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variant identifier")
    }

    fn visit_str<R: serde::de::Error>(self, text: &str) -> Result<Text<E>, R> {
        let unknown = || R::unknown_variant(text, E::TEXTS);
        E::from_text(text).map(Text).ok_or_else(unknown)
    }
}

impl<E: ApiEnum> ToSchema for Text<E> {
    fn name() -> Cow<'static, str> {
        E::NAME.into()
    }
}

impl<E: ApiEnum> PartialSchema for Text<E> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(E::TEXTS.iter().copied()))
            .description(E::DESCRIPTION)
            .into()
    }
}

#[cfg(test)]
mod tests {
    use mirasa_domain::order::OrderStatus;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, Serialize)]
    #[serde(rename_all = "lowercase")]
    enum Derived {
        Pending,
        Confirmed,
        Shipped,
        Delivered,
        Cancelled,
        #[serde(rename = "N/A")]
        NotApplicable,
    }

    #[test]
    fn enum_is_read_and_written_as_serde_derives_it() {
        for status in OrderStatus::ALL {
            let json = serde_json::to_string(&Text(status)).unwrap();
            assert_eq!(json, format!("\"{}\"", status.as_str()));
            let read: Text<OrderStatus> = serde_json::from_str(&json).unwrap();
            assert_eq!(read, Text(status));
            let derived: Derived = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&derived).unwrap(), json);
        }
        for json in [
            r#""Shipped""#,
            r#""""#,
            "3",
            "null",
            "{}",
            "[]",
            r#"{"shipped":1}"#,
            "\"ship",
        ] {
            let error = serde_json::from_str::<Text<OrderStatus>>(json).unwrap_err();
            let derived = serde_json::from_str::<Derived>(json).unwrap_err();
            assert_eq!(error.to_string(), derived.to_string(), "{json}");
        }
    }
}
