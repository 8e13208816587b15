//! Numbers of invoices: consecutive within a series and a financial year, at most 16 characters.

use std::fmt;

use crate::ist;

/// From 1 April to 31 March, in India. Named by the year in which it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FinancialYear(i64);

impl FinancialYear {
    pub const fn of(at_ms: i64) -> FinancialYear {
        let (year, month, _) = ist::calendar_date(ist::day(at_ms));
        FinancialYear(if month >= 4 { year } else { year - 1 })
    }

    pub const fn start_year(self) -> i64 {
        self.0
    }
}

/// `26-27`
impl fmt::Display for FinancialYear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}-{:02}", self.0 % 100, (self.0 + 1) % 100)
    }
}

/// One to three letters or digits, so that a number has at most 16 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesPrefix(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one to three letters or digits")]
pub struct InvalidPrefix;

impl SeriesPrefix {
    pub fn parse(text: &str) -> Result<SeriesPrefix, InvalidPrefix> {
        let is_valid =
            (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_valid
            .then(|| SeriesPrefix(text.to_ascii_uppercase()))
            .ok_or(InvalidPrefix)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `MIR/26-27/000123`. After a million invoices in a year the dash makes room for a digit: `MIR/2627/1000000`.
    pub fn number(&self, year: FinancialYear, serial: i64) -> String {
        let mut year = year.to_string();
        if serial > 999_999 {
            year.retain(|c| c != '-');
        }
        format!("{}/{year}/{serial:06}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn financial_year_turns_at_midnight_of_the_first_of_april_in_india() {
        let april = ist::day_start_ms(ist::first_of_month(2027, 4));
        assert_eq!(FinancialYear::of(april - 1).to_string(), "26-27");
        assert_eq!(FinancialYear::of(april).to_string(), "27-28");
        let january = ist::day_start_ms(ist::first_of_month(2027, 1));
        assert_eq!(FinancialYear::of(january).start_year(), 2026);
        let century = ist::day_start_ms(ist::first_of_month(2099, 4));
        assert_eq!(FinancialYear::of(century).to_string(), "99-00");
    }

    #[test]
    fn number_has_at_most_16_characters() {
        let prefix = SeriesPrefix::parse("mir").unwrap();
        let year = FinancialYear(2026);
        assert_eq!(prefix.number(year, 123), "MIR/26-27/000123");
        assert_eq!(prefix.number(year, 999_999), "MIR/26-27/999999");
        assert_eq!(prefix.number(year, 1_000_000), "MIR/2627/1000000");
        for serial in [1, 999_999, 1_000_000, 9_999_999] {
            assert!(prefix.number(year, serial).len() <= 16, "{serial}");
        }
        for wrong in ["", "MIRA", "M/R", "मि"] {
            assert_eq!(SeriesPrefix::parse(wrong), Err(InvalidPrefix), "{wrong}");
        }
    }
}
