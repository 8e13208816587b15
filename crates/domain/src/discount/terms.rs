//! The rules of a code as an admin enters them.

use super::{DiscountTerms, Reduction};
use crate::id::ProductId;
use crate::ist;
use crate::money::Paise;
use crate::validation::{ValidationError, single_line};

/// More categories or products than a shop of this kind has.
pub const MAX_DISCOUNT_ITEMS: usize = 1_000;
const MAX_NAME_CHARS: usize = 200;
const MAX_USES: i64 = 1_000_000_000;
const MINUTE_MS: i64 = 60_000;

/// Entered terms. Times are in India, `2026-11-20T18:30`, or whole days, `2026-11-20`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermsInput {
    pub reduction: Reduction,
    pub categories: Vec<String>,
    pub products: Vec<String>,
    pub min_total: Paise,
    pub first_order_only: bool,
    pub once_per_customer: bool,
    pub max_uses: Option<i64>,
    pub from: Option<String>,
    /// The last minute, or the last day, on which the code is valid.
    pub to: Option<String>,
    pub is_active: bool,
}

impl TermsInput {
    pub fn validate(self) -> Result<DiscountTerms, ValidationError> {
        let invalid = |field, rule| Err(ValidationError::Invalid { field, rule });
        match self.reduction {
            Reduction::Percent(hundredths) if !(1..=10_000).contains(&hundredths) => {
                return invalid("value", "must be a per cent above 0 and up to 100");
            }
            Reduction::Amount(amount) if amount <= Paise::ZERO => {
                return invalid("value", "must be an amount above 0");
            }
            Reduction::Percent(_) | Reduction::Amount(_) => {}
        }
        if self
            .max_uses
            .is_some_and(|max| !(1..=MAX_USES).contains(&max))
        {
            return invalid("maxUses", "must be a whole number above 0");
        }
        let from = parse_time("from", self.from.as_deref(), 0)?;
        let to = parse_time("to", self.to.as_deref(), 24 * 60 - 1)?;
        if from.zip(to).is_some_and(|(from, to)| to < from) {
            return invalid("to", "must not be before from");
        }
        let products = names("products", &self.products)?;
        Ok(DiscountTerms {
            reduction: self.reduction,
            categories: names("categories", &self.categories)?,
            products: products.into_iter().map(ProductId).collect(),
            min_total: self.min_total,
            first_order_only: self.first_order_only,
            once_per_customer: self.once_per_customer,
            max_uses: self.max_uses,
            starts_at_ms: from,
            // Until the end of the last minute.
            ends_at_ms: to.map(|to| to + MINUTE_MS),
            is_active: self.is_active,
        })
    }
}

impl DiscountTerms {
    /// The first minute, as it is entered.
    pub fn from_text(&self) -> Option<String> {
        self.starts_at_ms.map(ist::local_minute)
    }

    /// The last minute, as it is entered.
    pub fn to_text(&self) -> Option<String> {
        self.ends_at_ms
            .map(|ends_at_ms| ist::local_minute(ends_at_ms - MINUTE_MS))
    }
}

/// A day without a time begins or ends with this minute.
fn parse_time(
    field: &'static str,
    text: Option<&str>,
    minute_of_day: i64,
) -> Result<Option<i64>, ValidationError> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let whole_day =
        ist::parse_day(text).map(|day| ist::day_start_ms(day) + minute_of_day * MINUTE_MS);
    let found = whole_day.or_else(|| ist::parse_local_minute(text));
    found.map(Some).ok_or(ValidationError::Invalid {
        field,
        rule: "must be a date and a time in India, such as 2026-11-20T18:30",
    })
}

fn names(field: &'static str, names: &[String]) -> Result<Vec<String>, ValidationError> {
    if names.len() > MAX_DISCOUNT_ITEMS {
        let rule = "has too many entries";
        return Err(ValidationError::Invalid { field, rule });
    }
    let mut found = Vec::new();
    for name in names {
        let name = single_line(field, name, MAX_NAME_CHARS)?;
        if !name.is_empty() && !found.contains(&name) {
            found.push(name);
        }
    }
    Ok(found)
}
