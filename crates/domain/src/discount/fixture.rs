//! Terms of discounts for the tests of this crate.

use super::{DiscountTerms, Reduction};
use crate::money::Paise;

/// For every order, at any time.
pub(crate) fn terms(reduction: Reduction) -> DiscountTerms {
    DiscountTerms {
        reduction,
        categories: Vec::new(),
        products: Vec::new(),
        min_total: Paise::ZERO,
        first_order_only: false,
        once_per_customer: false,
        max_uses: None,
        starts_at_ms: None,
        ends_at_ms: None,
        is_active: true,
    }
}

pub(crate) fn percent(percent: i64) -> DiscountTerms {
    terms(Reduction::Percent(percent * 100))
}
