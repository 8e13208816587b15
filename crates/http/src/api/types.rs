//! Request and response types, with the spec's field names. Amounts are rupees here and paise everywhere else.

use mirasa_domain::money::Paise;
use serde::{Deserialize, Serialize, Serializer};
use time::OffsetDateTime;
use time::macros::format_description;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub struct SuccessResponse {
    pub success: bool,
}

#[derive(Serialize, ToSchema)]
pub struct MessageResponse {
    pub success: bool,
    pub message: String,
}

/// An amount as a JSON number of rupees with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(value_type = f64)]
pub struct Rupees(pub Paise);

impl Serialize for Rupees {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let paise = self.0.get();
        if paise % 100 == 0 {
            serializer.serialize_i64(paise / 100)
        } else {
            serializer.serialize_f64(self.0.as_rupees())
        }
    }
}

impl<'de> Deserialize<'de> for Rupees {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Rupees, D::Error> {
        // The shortest decimal text of a JSON number is the number as it was written.
        let number = serde_json::Number::deserialize(deserializer)?;
        number
            .to_string()
            .trim_end_matches(".0")
            .parse()
            .map(Rupees)
            .map_err(serde::de::Error::custom)
    }
}

/// `2026-11-15T09:30:00.000Z`
pub fn to_iso8601(at_ms: i64) -> String {
    let format =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at_ms) * 1_000_000)
        .ok()
        .and_then(|at| at.format(format).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rupees_in_json_are_exact() {
        for (paise, json) in [
            (6500, "65"),
            (6550, "65.5"),
            (1, "0.01"),
            (0, "0"),
            (999_999_999, "9999999.99"),
        ] {
            assert_eq!(
                serde_json::to_string(&Rupees(Paise::new(paise))).unwrap(),
                json
            );
            assert_eq!(
                serde_json::from_str::<Rupees>(json).unwrap(),
                Rupees(Paise::new(paise))
            );
        }
        for bad in ["-1", "1.005", "1e300", "\"65\"", "null"] {
            assert!(serde_json::from_str::<Rupees>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn timestamps_are_iso_8601() {
        assert_eq!(to_iso8601(1_763_198_999_007), "2025-11-15T09:29:59.007Z");
    }
}
