//! Products and their changes as the admin's form sends them.

use mirasa_domain::product::{ProductDetails, TrendingRank};
use mirasa_domain::stock::Stock;

use crate::AppError;

pub(crate) const MAX_STOCK: i64 = 1_000_000_000;

/// A product as the admin's form sends it.
#[derive(Debug, Clone)]
pub struct NewProduct {
    pub details: ProductDetails,
    pub stock: Stock,
    pub is_visible: bool,
    pub trending_rank: Option<TrendingRank>,
}

/// The change of one count of stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountEdit {
    /// Added to the current count: packs may have been sold since the form was opened.
    By(i64),
    /// Replaces the current count.
    To(i64),
}

impl CountEdit {
    fn validate(self, field: &'static str) -> Result<(), AppError> {
        match self {
            CountEdit::By(change) if !(-MAX_STOCK..=MAX_STOCK).contains(&change) => {
                let text = format!("{field} must change by at most {MAX_STOCK}");
                Err(AppError::invalid(text).with_field(field))
            }
            CountEdit::To(count) if !(0..=MAX_STOCK).contains(&count) => {
                Err(stock_out_of_range(field))
            }
            CountEdit::By(_) | CountEdit::To(_) => Ok(()),
        }
    }

    fn change_from(self, current: i64) -> i64 {
        match self {
            CountEdit::By(change) => change,
            CountEdit::To(count) => count - current,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockEdit {
    pub grams: CountEdit,
    pub pouches_50g: CountEdit,
    pub pouches_100g: CountEdit,
}

impl StockEdit {
    pub(super) fn validate(self) -> Result<(), AppError> {
        self.grams.validate("stock")?;
        self.pouches_50g.validate("packaging_50gms")?;
        self.pouches_100g.validate("packaging_100gms")
    }

    pub(super) fn change_from(self, current: Stock) -> Stock {
        Stock {
            grams: self.grams.change_from(current.grams),
            pouches_50g: self.pouches_50g.change_from(current.pouches_50g),
            pouches_100g: self.pouches_100g.change_from(current.pouches_100g),
        }
    }
}

/// A change of a product. Fields that are None stay as they are.
#[derive(Debug, Clone)]
pub struct ProductEdit {
    pub details: ProductDetails,
    /// If given, the edit is rejected when the product has another version. If not, the last edit wins.
    pub expected_version: Option<i64>,
    pub stock: StockEdit,
    pub is_visible: Option<bool>,
    /// Some(None) clears the rank.
    pub trending_rank: Option<Option<TrendingRank>>,
}

/// The counts of a new product.
pub(super) fn validate_stock(stock: Stock) -> Result<(), AppError> {
    let counts = [
        ("stock", stock.grams),
        ("packaging_50gms", stock.pouches_50g),
        ("packaging_100gms", stock.pouches_100g),
    ];
    let wrong = counts
        .into_iter()
        .find(|(_, count)| !(0..=MAX_STOCK).contains(count));
    wrong.map_or(Ok(()), |(field, _)| Err(stock_out_of_range(field)))
}

fn stock_out_of_range(field: &'static str) -> AppError {
    AppError::invalid(format!("{field} must be from 0 to {MAX_STOCK}")).with_field(field)
}

/// The names of the fields that differ, for the audit log.
pub(super) fn changed_fields(was: &ProductDetails, now: &ProductDetails) -> Vec<String> {
    let (Ok(serde_json::Value::Object(was)), Ok(serde_json::Value::Object(now))) =
        (serde_json::to_value(was), serde_json::to_value(now))
    else {
        return Vec::new();
    };
    now.iter()
        .filter(|(key, value)| was.get(*key) != Some(value))
        .map(|(key, _)| key.clone())
        .collect()
}
