//! Discount codes, as customers enter them and as admins see them.

use mirasa_app::repository::cart::discounts::DiscountReport;
use mirasa_domain::discount::{Reduction, TermsInput};
use mirasa_domain::money::Paise;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::types::{Rupees, to_iso8601};

#[derive(Deserialize, ToSchema)]
#[schema(example = json!({ "code": "DIWALI20" }))]
pub struct EnterDiscountRequest {
    /// In capital or small letters.
    pub code: String,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(as = DiscountKind)]
#[serde(rename_all = "lowercase")]
pub enum DiscountKindDto {
    Percent,
    Amount,
}

/// A code and its rules.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({
    "code": "DIWALI20", "kind": "percent", "value": 20, "maxUses": 500, "oncePerCustomer": true,
    "minTotal": 500, "from": "2026-11-20T18:30", "to": "2026-11-25", "active": true
}))]
#[serde(rename_all = "camelCase")]
pub struct DiscountRequest {
    /// 4 to 24 letters, digits and dashes. It cannot be changed later.
    #[schema(min_length = 4, max_length = 24)]
    pub code: String,
    pub kind: DiscountKindDto,
    /// Per cent or rupees, with at most two decimals.
    #[schema(value_type = f64)]
    pub value: Rupees,
    /// Without it the code can be used any number of times.
    #[schema(minimum = 1)]
    pub max_uses: Option<i64>,
    #[serde(default)]
    pub once_per_customer: bool,
    #[serde(default)]
    pub first_order_only: bool,
    /// The least total of the order before the discount.
    #[schema(value_type = Option<f64>, minimum = 0)]
    pub min_total: Option<Rupees>,
    /// With categories or products the code is only for these.
    #[serde(default)]
    pub categories: Vec<String>,
    /// Ids of products.
    #[serde(default)]
    pub products: Vec<String>,
    /// The first minute in India, `2026-11-20T18:30`, or the first day, `2026-11-20`.
    pub from: Option<String>,
    /// The last minute or day in India.
    pub to: Option<String>,
    /// A code that is not active is paused.
    #[serde(default = "default_active")]
    pub active: bool,
}

const fn default_active() -> bool {
    true
}

impl DiscountRequest {
    /// The code and its terms.
    pub fn into_parts(self) -> (String, TermsInput) {
        let reduction = match self.kind {
            // Two decimals of a per cent are its hundredths.
            DiscountKindDto::Percent => Reduction::Percent(self.value.0.get()),
            DiscountKindDto::Amount => Reduction::Amount(self.value.0),
        };
        let terms = TermsInput {
            reduction,
            categories: self.categories,
            products: self.products,
            min_total: self.min_total.map_or(Paise::ZERO, |total| total.0),
            first_order_only: self.first_order_only,
            once_per_customer: self.once_per_customer,
            max_uses: self.max_uses,
            from: self.from,
            to: self.to,
            is_active: self.active,
        };
        (self.code, terms)
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Discount)]
#[serde(rename_all = "camelCase")]
pub struct DiscountDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub code: String,
    pub kind: DiscountKindDto,
    /// Per cent or rupees.
    #[schema(value_type = f64)]
    pub value: Rupees,
    #[schema(required)]
    pub max_uses: Option<i64>,
    pub once_per_customer: bool,
    pub first_order_only: bool,
    #[schema(value_type = f64)]
    pub min_total: Rupees,
    pub categories: Vec<String>,
    pub products: Vec<String>,
    /// In India: `2026-11-20T18:30`.
    #[schema(required)]
    pub from: Option<String>,
    /// The last minute.
    #[schema(required)]
    pub to: Option<String>,
    pub active: bool,
    pub created_at: String,
    pub updated_at: String,
    /// Orders that are paid or wait for their payment. Cancelled orders do not count.
    pub uses: i64,
    /// How many of the uses wait for their payment.
    pub held: i64,
    /// What was paid with the code and not refunded.
    #[schema(value_type = f64)]
    pub turnover: Rupees,
    /// What the code saved customers in paid orders.
    #[schema(value_type = f64)]
    pub cost: Rupees,
}

impl From<DiscountReport> for DiscountDto {
    fn from(report: DiscountReport) -> DiscountDto {
        let (uses, held) = (report.uses(), report.uses_held);
        let (discount, terms) = (&report.discount, &report.discount.terms);
        let (kind, value) = match terms.reduction {
            Reduction::Percent(hundredths) => (DiscountKindDto::Percent, Paise::new(hundredths)),
            Reduction::Amount(amount) => (DiscountKindDto::Amount, amount),
        };
        DiscountDto {
            id: discount.id.0.clone(),
            code: discount.code.as_str().to_owned(),
            kind,
            value: Rupees(value),
            max_uses: terms.max_uses,
            once_per_customer: terms.once_per_customer,
            first_order_only: terms.first_order_only,
            min_total: Rupees(terms.min_total),
            categories: terms.categories.clone(),
            products: terms.products.iter().map(|id| id.0.clone()).collect(),
            from: terms.from_text(),
            to: terms.to_text(),
            active: terms.is_active,
            created_at: to_iso8601(discount.created_at_ms),
            updated_at: to_iso8601(discount.updated_at_ms),
            uses,
            held,
            turnover: Rupees(report.turnover),
            cost: Rupees(report.cost),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct DiscountResponse {
    pub discount: DiscountDto,
}

#[derive(Serialize, ToSchema)]
pub struct DiscountsResponse {
    /// The newest first.
    pub discounts: Vec<DiscountDto>,
}
