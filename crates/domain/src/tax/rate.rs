//! Tax rates. A rate holds from a day on, until another one does.

/// In hundredths of a per cent: 500 is 5 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TaxRate(u32);

impl TaxRate {
    pub const ZERO: TaxRate = TaxRate(0);

    pub const fn from_basis_points(points: u32) -> TaxRate {
        TaxRate(points)
    }

    /// A product's rate is stored as a number of per cent with at most two decimals.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked to be from 0 to 100
    pub fn from_percent(percent: f64) -> TaxRate {
        TaxRate((percent.clamp(0.0, 100.0) * 100.0).round() as u32)
    }

    pub const fn basis_points(self) -> u32 {
        self.0
    }
}

/// `5%` or `2.5%`.
impl std::fmt::Display for TaxRate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, part) = (self.0 / 100, self.0 % 100);
        match part {
            0 => write!(f, "{whole}%"),
            part if part % 10 == 0 => write!(f, "{whole}.{}%", part / 10),
            part => write!(f, "{whole}.{part:02}%"),
        }
    }
}

/// The rate of the HSN codes that begin with a prefix, from a moment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatePeriod {
    pub hsn_prefix: String,
    pub rate: TaxRate,
    pub valid_from_ms: i64,
}

/// The rate on this date: the longest matching prefix, and of these the newest that holds. None if no row matches; then
/// the product's own rate holds.
pub fn rate_on(periods: &[RatePeriod], hsn: &str, at_ms: i64) -> Option<TaxRate> {
    periods
        .iter()
        .filter(|period| period.valid_from_ms <= at_ms && hsn.starts_with(&period.hsn_prefix))
        .max_by_key(|period| (period.hsn_prefix.len(), period.valid_from_ms))
        .map(|period| period.rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_depends_on_the_date_and_the_longest_prefix() {
        let period = |prefix: &str, points, valid_from_ms| RatePeriod {
            hsn_prefix: prefix.into(),
            rate: TaxRate::from_basis_points(points),
            valid_from_ms,
        };
        let periods = [
            period("2103", 1200, 0),
            period("2103", 500, 100),
            period("21", 1800, 0),
        ];
        let points = |hsn, at| rate_on(&periods, hsn, at).map(TaxRate::basis_points);
        assert_eq!(points("21039040", 99), Some(1200));
        assert_eq!(points("21039040", 100), Some(500));
        assert_eq!(points("21041010", 100), Some(1800));
        assert_eq!(points("09109100", 100), None);
    }

    #[test]
    fn rate_is_printed_without_needless_zeros() {
        let texts = [500, 250, 1800, 25, 0].map(|points| TaxRate(points).to_string());
        assert_eq!(texts, ["5%", "2.5%", "18%", "0.25%", "0%"]);
        assert_eq!(TaxRate::from_percent(2.5), TaxRate(250));
    }
}
