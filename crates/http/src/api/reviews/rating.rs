//! Ratings of products.

use mirasa_domain::rating::Rating;
use serde::Serialize;
use utoipa::ToSchema;

/// The mean of a product's reviews, where there are at least three.
#[derive(Serialize, ToSchema)]
#[schema(as = Rating)]
pub struct RatingDto {
    /// 1 to 5, with one decimal.
    pub value: f64,
    /// How many reviews it is the mean of.
    pub count: i64,
}

impl RatingDto {
    pub fn shown(rating: &Rating) -> Option<RatingDto> {
        let tenths = rating.shown_mean_tenths()?;
        Some(RatingDto {
            value: tenths as f64 / 10.0,
            count: rating.count(),
        })
    }
}
