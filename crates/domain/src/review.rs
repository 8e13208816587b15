//! Reviews of products by customers who received them, and the rating that they add up to.

use crate::ist::DAY_MS;
use crate::product::ProductId;
use crate::user::UserId;
use crate::validation::ValidationError;

pub const MAX_REVIEW_IMAGES: usize = 3;
pub const MAX_REVIEW_CHARS: usize = 2000;
pub const MAX_REPLY_CHARS: usize = 2000;
pub const MAX_HIDE_REASON_CHARS: usize = 300;
/// A mean of fewer reviews says little. Below this number only the single reviews are shown.
pub const MIN_REVIEWS_FOR_RATING: i64 = 3;
/// When a customer is asked for reviews.
pub const REQUEST_AFTER_MS: i64 = 7 * DAY_MS;
/// A delivery that is older is not asked about any more, for example after the shop was offline for weeks.
pub const REQUEST_UNTIL_MS: i64 = 14 * DAY_MS;
/// How long the link of the email works.
pub const REQUEST_LINK_MS: i64 = 180 * DAY_MS;

/// 1 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stars(u8);

impl Stars {
    pub const ALL: [Stars; 5] = [Stars(1), Stars(2), Stars(3), Stars(4), Stars(5)];

    pub fn new(count: i64) -> Result<Stars, ValidationError> {
        Stars::ALL
            .into_iter()
            .find(|stars| i64::from(stars.0) == count)
            .ok_or(ValidationError::Invalid {
                field: "stars",
                rule: "must be a whole number from 1 to 5",
            })
    }

    pub const fn get(self) -> u8 {
        self.0
    }
}

/// How many visible reviews of a product have 1, 2, 3, 4 and 5 stars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rating {
    pub by_stars: [i64; 5],
    /// Incremented by each change of the product's visible reviews, also by one that leaves the numbers as they are.
    pub version: i64,
}

impl Rating {
    pub fn count(&self) -> i64 {
        self.by_stars.iter().sum()
    }

    /// The mean in tenths of a star, rounded: 46 is 4.6 stars. None without reviews.
    pub fn mean_tenths(&self) -> Option<i64> {
        let count = self.count();
        let stars: i64 = (1..).zip(self.by_stars).map(|(stars, of)| stars * of).sum();
        (count > 0).then(|| (stars * 10 + count / 2) / count)
    }

    /// The mean, if there are enough reviews to show one.
    pub fn shown_mean_tenths(&self) -> Option<i64> {
        self.mean_tenths()
            .filter(|_| self.count() >= MIN_REVIEWS_FOR_RATING)
    }
}

/// What the shop has written below a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewReply {
    pub text: String,
    pub at_ms: i64,
    /// The admin's email.
    pub by: String,
}

/// A review that customers do not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenReview {
    pub reason: String,
    pub at_ms: i64,
    /// The admin's email.
    pub by: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    pub id: String,
    pub product: ProductId,
    pub user: UserId,
    /// The whole name of the customer. `public_name` is what others see.
    pub author: String,
    /// The delivery that the review is about.
    pub order_id: String,
    pub stars: Stars,
    pub text: String,
    /// Names of stored images.
    pub images: Vec<String>,
    pub helpful: i64,
    pub created_at_ms: i64,
    pub edited_at_ms: Option<i64>,
    pub reply: Option<ReviewReply>,
    pub hidden: Option<HiddenReview>,
}

/// The first name and the initial of the last one: `Asha K.`
pub fn public_name(name: &str) -> String {
    let mut words = name.split_whitespace();
    let Some(first) = words.next() else {
        return "Customer".to_owned();
    };
    let first: String = first.chars().take(40).collect();
    match words.next_back().and_then(|last| last.chars().next()) {
        Some(initial) => format!("{first} {}.", initial.to_uppercase()),
        None => first,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn stars_are_one_to_five() {
        for count in 1..=5 {
            assert_eq!(i64::from(Stars::new(count).unwrap().get()), count);
        }
        for count in [0, 6, -1, i64::MAX] {
            assert!(Stars::new(count).is_err(), "{count}");
        }
    }

    #[test]
    fn rating_has_a_mean_from_three_reviews_on() {
        let rating = |by_stars| Rating {
            by_stars,
            version: 0,
        };
        assert_eq!(rating([0; 5]).mean_tenths(), None);
        assert_eq!(rating([0, 0, 0, 0, 2]).shown_mean_tenths(), None);
        assert_eq!(rating([0, 0, 0, 0, 3]).shown_mean_tenths(), Some(50));
        assert_eq!(rating([1, 0, 0, 0, 2]).shown_mean_tenths(), Some(37));
        assert_eq!(rating([0, 0, 0, 1, 1]).mean_tenths(), Some(45));
    }

    #[test]
    fn author_is_shown_by_first_name_and_initial() {
        for (name, shown) in [
            ("Asha Kulkarni", "Asha K."),
            ("Asha", "Asha"),
            ("  asha  van  der berg ", "asha B."),
            ("आशा कुलकर्णी", "आशा क."),
            ("", "Customer"),
            (" ", "Customer"),
        ] {
            assert_eq!(public_name(name), shown, "{name:?}");
        }
        assert!(public_name(&"x".repeat(500)).chars().count() <= 43);
    }

    proptest! {
        #[test]
        fn mean_is_between_the_lowest_and_the_highest_stars(by_stars in prop::array::uniform5(0_i64..1000)) {
            let rating = Rating { by_stars, version: 0 };
            if let Some(mean) = rating.mean_tenths() {
                let given = |of: &i64| *of > 0;
                let lowest = by_stars.iter().position(given).unwrap() as i64 + 1;
                let highest = by_stars.iter().rposition(given).unwrap() as i64 + 1;
                prop_assert!((lowest * 10..=highest * 10).contains(&mean));
            }
        }
    }
}
