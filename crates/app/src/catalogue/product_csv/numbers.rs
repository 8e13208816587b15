//! Numbers as spreadsheets of different countries write them. A number that can be read in two ways is refused.

use std::borrow::Cow;

use crate::catalogue::product_csv::table::Separator;

const AMBIGUOUS: &str =
    "can be read in two ways: write it without separators of thousands, such as 1234.50";

/// The number with a point as decimal mark and without separators of thousands. What is no number stays as it is, and is
/// refused by the column.
pub fn plain_decimal(cell: &str, separator: Separator) -> Result<Cow<'_, str>, &'static str> {
    let text = cell.trim();
    let is_number = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',');
    let Some(last) = text.rfind([',', '.']).filter(|_| is_number) else {
        return Ok(text.into());
    };
    let (head, decimals) = (&text[..last], &text[last + 1..]);
    let mark = if text[last..].starts_with(',') {
        ','
    } else {
        '.'
    };
    let other = if mark == ',' { '.' } else { ',' };
    // A decimal mark is there once.
    let can_be_decimal = !head.contains(mark) && (!head.contains(other) || is_grouped(head, other));
    let can_be_grouped = !text.contains(other) && is_grouped(text, mark);
    let has_point = separator == Separator::Comma;
    match (can_be_decimal, can_be_grouped) {
        (true, true) if has_point && mark == ',' => Ok(text.replace(',', "").into()),
        (true, true) if has_point => Ok(text.into()),
        (true, true) => Err(AMBIGUOUS),
        (true, false) if has_point && mark == ',' => {
            Err("must have a point as decimal mark, as the file has commas between its cells")
        }
        (true, false) => Ok(format!("{}.{decimals}", head.replace(other, "")).into()),
        (false, true) => Ok(text.replace(mark, "").into()),
        (false, false) => Err("must be a number such as 1234.50"),
    }
}

/// Thousands, as in `1,234,567`, or as in India `12,34,567`.
fn is_grouped(text: &str, mark: char) -> bool {
    let groups: Vec<&str> = text.split(mark).collect();
    let [first, middle @ .., last] = groups.as_slice() else {
        return false;
    };
    let is_thousands = middle.iter().all(|group| group.len() == 3) && first.len() <= 3;
    let is_indian = middle.iter().all(|group| group.len() == 2) && first.len() <= 2;
    !first.is_empty() && !first.starts_with('0') && last.len() == 3 && (is_thousands || is_indian)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMBIGUOUS: Option<&str> = None;

    /// The cell, and what it is in a file with commas and in one with semicolons or tabs. None: refused.
    const CASES: &[(&str, Option<&str>, Option<&str>)] = &[
        ("65", Some("65"), Some("65")),
        ("65.50", Some("65.50"), Some("65.50")),
        ("65.5", Some("65.5"), Some("65.5")),
        ("65,50", None, Some("65.50")),
        ("65,5", None, Some("65.5")),
        ("0,50", None, Some("0.50")),
        ("6550", Some("6550"), Some("6550")),
        (" 65,50 ", None, Some("65.50")),
        ("1,234", Some("1234"), AMBIGUOUS),
        ("1.234", Some("1.234"), AMBIGUOUS),
        ("123,456", Some("123456"), AMBIGUOUS),
        ("0.125", Some("0.125"), Some("0.125")),
        ("0,125", None, Some("0.125")),
        ("1234,567", None, Some("1234.567")),
        ("1,234.50", Some("1234.50"), Some("1234.50")),
        ("1.234,50", None, Some("1234.50")),
        ("1,23,456", Some("123456"), Some("123456")),
        ("1,23,456.00", Some("123456.00"), Some("123456.00")),
        ("1.23.456,00", None, Some("123456.00")),
        ("12,34,567.5", Some("1234567.5"), Some("1234567.5")),
        ("1,234,567", Some("1234567"), Some("1234567")),
        ("1.234.567", Some("1234567"), Some("1234567")),
        ("1,234,567.89", Some("1234567.89"), Some("1234567.89")),
        ("1,2,3", None, None),
        ("12,3456.00", None, None),
        ("1,23.456,00", None, None),
        ("65,50,10", None, None),
        ("65.50.10", None, None),
        ("1,234,5", None, None),
    ];

    #[test]
    fn numbers_are_read_in_one_way_or_refused() {
        for (cell, with_commas, without) in CASES {
            for (separator, expected) in [
                (Separator::Comma, with_commas),
                (Separator::Semicolon, without),
                (Separator::Tab, without),
            ] {
                let read = plain_decimal(cell, separator).ok();
                assert_eq!(read.as_deref(), *expected, "{cell:?} with {separator:?}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_left_to_the_column() {
        for cell in ["", "₹65", "1e3", "-5,0", "five"] {
            let read = plain_decimal(cell, Separator::Semicolon);
            assert_eq!(read.as_deref(), Ok(cell));
        }
    }

    #[test]
    fn nothing_becomes_a_hundred_times_as_much() {
        for paise in 0..10_000 {
            let (rupees, rest) = (paise / 100, paise % 100);
            let expected = format!("{rupees}.{rest:02}");
            for mark in ['.', ','] {
                let cell = format!("{rupees}{mark}{rest:02}");
                for separator in [Separator::Comma, Separator::Semicolon, Separator::Tab] {
                    if let Ok(read) = plain_decimal(&cell, separator) {
                        assert_eq!(read, expected, "{cell} with {separator:?}");
                    }
                }
            }
        }
    }
}
