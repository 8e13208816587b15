//! The rating that the reviews of a product add up to.

/// A mean of fewer reviews says little. Below this number only the single reviews are shown.
pub const MIN_REVIEWS_FOR_RATING: i64 = 3;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
