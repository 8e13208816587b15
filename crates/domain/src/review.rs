//! Reviews of products by customers who received them.

pub use crate::id::ReviewId;
use crate::id::{OrderId, ProductId, UserId};
use crate::ist::DAY_MS;
use crate::validation::ValidationError;

pub const MAX_REVIEW_IMAGES: usize = 3;
pub const MAX_REVIEW_CHARS: usize = 2000;
pub const MAX_REPLY_CHARS: usize = 2000;
pub const MAX_HIDE_REASON_CHARS: usize = 300;
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
    pub id: ReviewId,
    pub product: ProductId,
    pub user: UserId,
    /// The whole name of the customer. `public_name` is what others see.
    pub author: String,
    /// The delivery that the review is about.
    pub order_id: OrderId,
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
}
