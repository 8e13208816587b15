//! Money in whole paise. Rupees exist only at the edges, as decimal text or a JSON number.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};
use std::str::FromStr;

/// The maximum of a single price: one crore rupees. Keeps every sum far below the limit of `i64`.
pub const MAX_PRICE_RUPEES: i64 = 10_000_000;

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(transparent)]
pub struct Paise(i64);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be an amount in rupees from 0 to {MAX_PRICE_RUPEES}, with at most two decimals")]
pub struct ParseAmountError;

impl Paise {
    pub const ZERO: Paise = Paise(0);

    pub const fn new(paise: i64) -> Paise {
        Paise(paise)
    }

    pub const fn get(self) -> i64 {
        self.0
    }

    /// For JSON only, where an amount is a number of rupees. Do not calculate with the result.
    #[allow(clippy::cast_precision_loss)]
    pub fn as_rupees(self) -> f64 {
        self.0 as f64 / 100.0
    }

    /// For amounts of orders: `₹1,24,500.00`, always with two decimals. `Display` is for prices.
    pub fn two_decimals(self) -> String {
        format!("{}.{:02}", self.whole_rupees(), self.0.unsigned_abs() % 100)
    }

    /// `-₹1,24,500`, without the paise.
    fn whole_rupees(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let rupees = (self.0.unsigned_abs() / 100).to_string();
        let (head, tail) = rupees.split_at(rupees.len().saturating_sub(3));
        let mut groups = Vec::new();
        let mut end = head.len();
        while end > 0 {
            let start = end.saturating_sub(2);
            groups.insert(0, &head[start..end]);
            end = start;
        }
        groups.push(tail);
        format!("{sign}₹{}", groups.join(","))
    }
}

impl Add for Paise {
    type Output = Paise;
    fn add(self, other: Paise) -> Paise {
        Paise(self.0.saturating_add(other.0))
    }
}

impl Sub for Paise {
    type Output = Paise;
    fn sub(self, other: Paise) -> Paise {
        Paise(self.0.saturating_sub(other.0))
    }
}

impl Mul<u32> for Paise {
    type Output = Paise;
    fn mul(self, count: u32) -> Paise {
        Paise(self.0.saturating_mul(i64::from(count)))
    }
}

impl Sum for Paise {
    fn sum<I: Iterator<Item = Paise>>(amounts: I) -> Paise {
        amounts.fold(Paise::ZERO, Add::add)
    }
}

/// Parses `65`, `65.5` or `65.50` exactly, without floating point.
impl FromStr for Paise {
    type Err = ParseAmountError;

    fn from_str(text: &str) -> Result<Paise, ParseAmountError> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        let has_point = text.contains('.');
        if whole.is_empty()
            || whole.len() > 10
            || !digits(whole)
            || !digits(fraction)
            || (has_point && fraction.is_empty())
        {
            return Err(ParseAmountError);
        }
        let (cents, rest) = fraction.split_at(fraction.len().min(2));
        if rest.bytes().any(|b| b != b'0') {
            return Err(ParseAmountError);
        }
        let rupees: i64 = whole.parse().map_err(|_| ParseAmountError)?;
        let paise: i64 = format!("{cents:0<2}")
            .parse()
            .map_err(|_| ParseAmountError)?;
        if rupees > MAX_PRICE_RUPEES || (rupees == MAX_PRICE_RUPEES && paise > 0) {
            return Err(ParseAmountError);
        }
        Ok(Paise(rupees * 100 + paise))
    }
}

/// For texts: `₹1,24,500` or `₹65.50`, with Indian digit grouping. Amounts of orders have `two_decimals` always.
impl fmt::Display for Paise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 % 100 == 0 {
            f.write_str(&self.whole_rupees())
        } else {
            f.write_str(&self.two_decimals())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amount_parses_rupees_exactly() {
        for (text, paise) in [
            ("0", 0),
            ("65", 6500),
            ("65.5", 6550),
            ("65.50", 6550),
            ("0.01", 1),
            ("65.500", 6550),
        ] {
            assert_eq!(text.parse(), Ok(Paise(paise)), "{text}");
        }
        for text in [
            "",
            ".",
            "-1",
            "1.",
            ".5",
            "1.005",
            "1e3",
            "10000001",
            "₹5",
            " 5",
            "99999999999999999999",
        ] {
            assert_eq!(text.parse::<Paise>(), Err(ParseAmountError), "{text}");
        }
    }

    #[test]
    fn amount_displays_indian_digit_groups() {
        for (paise, price, amount) in [
            (0, "₹0", "₹0.00"),
            (5, "₹0.05", "₹0.05"),
            (6550, "₹65.50", "₹65.50"),
            (42_600, "₹426", "₹426.00"),
            (123_400, "₹1,234", "₹1,234.00"),
            (12_450_000, "₹1,24,500", "₹1,24,500.00"),
            (1_234_567_801, "₹1,23,45,678.01", "₹1,23,45,678.01"),
            (-123_400, "-₹1,234", "-₹1,234.00"),
        ] {
            assert_eq!(Paise(paise).to_string(), price);
            assert_eq!(Paise(paise).two_decimals(), amount);
        }
    }

    proptest! {
        #[test]
        fn json_number_parses_to_the_same_paise(paise in 0..MAX_PRICE_RUPEES * 100) {
            let shown = format!("{}", Paise(paise).as_rupees());
            prop_assert_eq!(shown.parse(), Ok(Paise(paise)));
        }
    }
}
