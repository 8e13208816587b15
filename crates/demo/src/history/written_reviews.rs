//! The reviews that the demo history has so far.

use std::collections::HashSet;

use mirasa_domain::product::ProductId;
use mirasa_domain::review::ReviewId;
use mirasa_domain::user::UserId;

#[derive(Default)]
pub struct WrittenReviews {
    pub written: Vec<WrittenReview>,
    /// No text twice for one product.
    pub used_texts: HashSet<(ProductId, &'static str)>,
}

pub struct WrittenReview {
    pub id: ReviewId,
    pub product: ProductId,
    pub author: UserId,
    pub stars: i64,
}
