//! Discount codes: who can use one, what it saves, and how the saving is spread over the lines of an order.

mod spread;
mod terms;

pub use self::spread::spread_saving;
pub use self::terms::{MAX_DISCOUNT_ITEMS, TermsInput};

pub use crate::id::DiscountId;
use crate::id::ProductId;
use crate::ist;
use crate::money::Paise;
use crate::payment::MIN_PAYMENT;
use crate::validation::ValidationError;

/// A code as it is stored and shown: capital letters, digits and dashes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DiscountCode(String);

impl DiscountCode {
    pub const MIN_CHARS: usize = 4;
    pub const MAX_CHARS: usize = 24;

    /// Customers may write it in small letters and with spaces around it.
    pub fn parse(text: &str) -> Result<DiscountCode, ValidationError> {
        let code = text.trim().to_ascii_uppercase();
        if code.is_empty() {
            return Err(ValidationError::Required { field: "code" });
        }
        let is_allowed = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
        let has_length = (DiscountCode::MIN_CHARS..=DiscountCode::MAX_CHARS).contains(&code.len());
        if has_length && code.chars().all(is_allowed) {
            Ok(DiscountCode(code))
        } else {
            Err(ValidationError::Invalid {
                field: "code",
                rule: "must have 4 to 24 letters, digits and dashes",
            })
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How much a code takes off the items that it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// In hundredths of a per cent.
    Percent(i64),
    Amount(Paise),
}

impl Reduction {
    fn of(self, eligible: Paise) -> Paise {
        let saving = match self {
            Reduction::Percent(hundredths) => {
                let exact = i128::from(eligible.get()) * i128::from(hundredths);
                Paise::new(i64::try_from((exact + 5_000) / 10_000).unwrap_or(i64::MAX))
            }
            Reduction::Amount(amount) => amount,
        };
        saving.min(eligible).max(Paise::ZERO)
    }
}

/// The rules of a code, as an admin has set them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscountTerms {
    pub reduction: Reduction,
    /// Without categories and products the code is for the whole order.
    pub categories: Vec<String>,
    pub products: Vec<ProductId>,
    /// The least total of the order before the discount.
    pub min_total: Paise,
    pub first_order_only: bool,
    pub once_per_customer: bool,
    pub max_uses: Option<i64>,
    pub starts_at_ms: Option<i64>,
    /// The first millisecond after the code's time.
    pub ends_at_ms: Option<i64>,
    pub is_active: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discount {
    pub id: DiscountId,
    pub code: DiscountCode,
    pub terms: DiscountTerms,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
}

/// The orders that count as uses of a code: they are paid or wait for their payment, and are not cancelled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiscountUses {
    /// Counted only for a code with a limit.
    pub by_all: i64,
    pub by_customer: i64,
    /// Whether the customer has an order, with or without the code.
    pub customer_has_ordered: bool,
}

/// The part of an order line that a discount depends on.
#[derive(Debug, Clone, Copy)]
pub struct DiscountableLine<'a> {
    pub product: &'a ProductId,
    pub categories: &'a [String],
    /// At full price.
    pub total: Paise,
}

/// Why a code does not apply. The customer reads it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotApplicable {
    #[error("This code is not valid at the moment.")]
    Paused,
    #[error("This code is valid from {}.", ist::date_and_time(*.starts_at_ms))]
    NotStarted { starts_at_ms: i64 },
    #[error("This code has expired.")]
    Ended,
    #[error("This code has been used up.")]
    UsedUp,
    #[error("You have already used this code.")]
    UsedByCustomer,
    #[error("This code is only for the first order.")]
    NotFirstOrder,
    #[error("This code needs an order of {min_total} or more. Add items for {missing}.")]
    BelowMinimum { min_total: Paise, missing: Paise },
    #[error("This code is not for the items in your cart.")]
    NoMatchingItems,
}

impl NotApplicable {
    /// Whether other items in the cart can make the code apply.
    pub fn depends_on_cart(&self) -> bool {
        matches!(
            self,
            NotApplicable::BelowMinimum { .. } | NotApplicable::NoMatchingItems
        )
    }
}

impl DiscountTerms {
    /// The saving of each line. All of them together are never more than the reduction or the order.
    pub fn savings(
        &self,
        lines: &[DiscountableLine<'_>],
        uses: DiscountUses,
        now_ms: i64,
    ) -> Result<Vec<Paise>, NotApplicable> {
        self.check_time(now_ms)?;
        self.check_uses(uses)?;
        let total: Paise = lines.iter().map(|line| line.total).sum();
        if total < self.min_total {
            return Err(NotApplicable::BelowMinimum {
                min_total: self.min_total,
                missing: self.min_total - total,
            });
        }
        let weights: Vec<_> = lines
            .iter()
            .map(|line| {
                if self.is_for(line) {
                    line.total
                } else {
                    Paise::ZERO
                }
            })
            .collect();
        let eligible: Paise = weights.iter().copied().sum();
        if eligible == Paise::ZERO {
            return Err(NotApplicable::NoMatchingItems);
        }
        let saving = payable(total, self.reduction.of(eligible));
        Ok(spread_saving(saving, &weights))
    }

    pub fn check_time(&self, now_ms: i64) -> Result<(), NotApplicable> {
        match (self.starts_at_ms, self.ends_at_ms) {
            _ if !self.is_active => Err(NotApplicable::Paused),
            (Some(starts_at_ms), _) if now_ms < starts_at_ms => {
                Err(NotApplicable::NotStarted { starts_at_ms })
            }
            (_, Some(ends_at_ms)) if now_ms >= ends_at_ms => Err(NotApplicable::Ended),
            _ => Ok(()),
        }
    }

    /// Whether one more order can use the code.
    pub fn check_uses(&self, uses: DiscountUses) -> Result<(), NotApplicable> {
        if self.once_per_customer && uses.by_customer > 0 {
            Err(NotApplicable::UsedByCustomer)
        } else if self.first_order_only && uses.customer_has_ordered {
            Err(NotApplicable::NotFirstOrder)
        } else if self.max_uses.is_some_and(|max| uses.by_all >= max) {
            Err(NotApplicable::UsedUp)
        } else {
            Ok(())
        }
    }

    fn is_for(&self, line: &DiscountableLine<'_>) -> bool {
        let is_unrestricted = self.categories.is_empty() && self.products.is_empty();
        let has_category = || {
            let chosen = |category: &String| {
                let category = category.to_lowercase();
                self.categories
                    .iter()
                    .any(|one| one.to_lowercase() == category)
            };
            line.categories.iter().any(chosen)
        };
        is_unrestricted || self.products.contains(line.product) || has_category()
    }
}

/// The gateway accepts no payment below its minimum. An order is free or comes to at least that much: the saving is
/// reduced where the rest is between.
fn payable(total: Paise, saving: Paise) -> Paise {
    let rest = total - saving;
    if rest > Paise::ZERO && rest < MIN_PAYMENT {
        (total - MIN_PAYMENT).max(Paise::ZERO)
    } else {
        saving
    }
}

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
