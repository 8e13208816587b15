//! Numbers, amounts and dates as documents write them.

use mirasa_domain::ist;
use mirasa_domain::money::Paise;

const SMALL: [&str; 20] = [
    "Zero",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
];
const TENS: [&str; 10] = [
    "", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety",
];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// `Rupees One Lakh Twenty Thousand and Fifty Paise Only`
pub fn amount_in_words(amount: Paise) -> String {
    let total = amount.get().unsigned_abs();
    let (rupees, paise) = (total / 100, total % 100);
    let minus = if amount < Paise::ZERO { "Minus " } else { "" };
    let rupees = in_words(rupees);
    match paise {
        0 => format!("{minus}Rupees {rupees} Only"),
        1 => format!("{minus}Rupees {rupees} and One Paisa Only"),
        paise => format!("{minus}Rupees {rupees} and {} Paise Only", in_words(paise)),
    }
}

/// With lakh (1,00,000) and crore (1,00,00,000). Above that, crores are counted: `One Lakh Crore`.
fn in_words(number: u64) -> String {
    let mut words = Vec::new();
    let mut rest = number;
    for (unit, name) in [
        (10_000_000, "Crore"),
        (100_000, "Lakh"),
        (1_000, "Thousand"),
        (100, "Hundred"),
    ] {
        if rest >= unit {
            words.push(format!("{} {name}", in_words(rest / unit)));
            rest %= unit;
        }
    }
    let small = |number: u64| SMALL[usize::try_from(number).unwrap_or(0) % 20];
    let tens = TENS[usize::try_from(rest / 10).unwrap_or(0) % 10];
    match (rest, rest % 10) {
        (0, _) if number > 0 => {}
        (0..20, _) => words.push(small(rest).to_owned()),
        (_, 0) => words.push(tens.to_owned()),
        (_, ones) => words.push(format!("{tens}-{}", small(ones))),
    }
    words.join(" ")
}

/// `1,24,500.00`: always with paise, so that the points of a column are below each other.
pub fn amount(amount: Paise) -> String {
    let paise = amount.get().unsigned_abs() % 100;
    let sign = if amount < Paise::ZERO { "-" } else { "" };
    let whole = i64::try_from(amount.get().unsigned_abs() - paise).unwrap_or(i64::MAX);
    let rupees = Paise::new(whole).to_string();
    format!("{sign}{}.{paise:02}", rupees.trim_start_matches('₹'))
}

/// `17 Nov 2026`, in India.
pub fn date(at_ms: i64) -> String {
    let (year, month, day) = ist::calendar_date(ist::day(at_ms));
    let month = MONTHS[(month.saturating_sub(1) as usize).min(11)];
    format!("{day} {month} {year}")
}

/// `+91 98765 43210`. Numbers of another form stay as they are.
pub fn phone(number: &str) -> String {
    match number.strip_prefix("+91") {
        Some(digits) if digits.len() == 10 && digits.is_ascii() => {
            format!("+91 {} {}", &digits[..5], &digits[5..])
        }
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amount_in_words_uses_lakh_and_crore() {
        for (paise, text) in [
            (0, "Rupees Zero Only"),
            (1, "Rupees Zero and One Paisa Only"),
            (2, "Rupees Zero and Two Paise Only"),
            (100, "Rupees One Only"),
            (1_999, "Rupees Nineteen and Ninety-Nine Paise Only"),
            (2_050, "Rupees Twenty and Fifty Paise Only"),
            (10_000, "Rupees One Hundred Only"),
            (61_250, "Rupees Six Hundred Twelve and Fifty Paise Only"),
            (100_000, "Rupees One Thousand Only"),
            (
                9_999_999,
                "Rupees Ninety-Nine Thousand Nine Hundred Ninety-Nine and Ninety-Nine Paise Only",
            ),
            (10_000_000, "Rupees One Lakh Only"),
            (10_000_101, "Rupees One Lakh One and One Paisa Only"),
            (1_000_000_000, "Rupees One Crore Only"),
            (
                12_345_678_900,
                "Rupees Twelve Crore Thirty-Four Lakh Fifty-Six Thousand Seven Hundred Eighty-Nine Only",
            ),
            (100_000_000_000_000, "Rupees One Lakh Crore Only"),
            (
                i64::MAX,
                "Rupees Nine Hundred Twenty-Two Crore Thirty-Three Lakh Seventy-Two Thousand Thirty-Six Crore \
                 Eighty-Five Lakh Forty-Seven Thousand Seven Hundred Fifty-Eight and Seven Paise Only",
            ),
            (-150, "Minus Rupees One and Fifty Paise Only"),
        ] {
            assert_eq!(amount_in_words(Paise::new(paise)), text, "{paise}");
        }
    }

    #[test]
    fn amount_has_two_decimals_and_indian_groups() {
        for (paise, text) in [
            (0, "0.00"),
            (5, "0.05"),
            (6_500, "65.00"),
            (12_450_050, "1,24,500.50"),
            (-6_550, "-65.50"),
        ] {
            assert_eq!(amount(Paise::new(paise)), text);
        }
    }

    #[test]
    fn date_is_the_day_in_india() {
        // 2026-11-14 18:30 UTC
        assert_eq!(date(1_794_681_000_000), "15 Nov 2026");
        assert_eq!(date(1_794_681_000_000 - 1), "14 Nov 2026");
    }

    #[test]
    fn phone_number_is_grouped() {
        assert_eq!(phone("+919876543210"), "+91 98765 43210");
        assert_eq!(phone("+91 20 5550 0142"), "+91 20 5550 0142");
        assert_eq!(phone(""), "");
    }
}
