//! Shiprocket's dates and times: texts without a time zone, in India, in several formats.

use mirasa_domain::ist;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// `2024-07-01 11:20:30`, also without seconds or time, and `01 07 2024 11:20:30` as in webhooks.
pub(super) fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, time) = if text.as_bytes().get(4) == Some(&b'-') {
        let (date, time) = text.split_at_checked(10)?;
        (date.to_owned(), time)
    } else {
        let mut parts = text.splitn(4, ' ');
        let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
        (format!("{year}-{month}-{day}"), parts.next().unwrap_or(""))
    };
    let start_ms = ist::day_start_ms(ist::parse_day(&date)?);
    let mut numbers = time
        .trim_start_matches('T')
        .trim()
        .splitn(3, ':')
        .map(|part| {
            let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<i64>().unwrap_or(0)
        });
    let mut next = |max: i64| numbers.next().unwrap_or(0).min(max);
    let seconds = next(23) * 3600 + next(59) * 60 + next(59);
    Some(start_ms + seconds * 1000)
}

/// The day of an expected delivery: `Jul 01, 2024` or one of the formats above.
pub(super) fn parse_day(text: &str) -> Option<i64> {
    if let Some(at_ms) = parse(text) {
        return Some(ist::day(at_ms));
    }
    let (month, rest) = text.trim().split_at_checked(3)?;
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let (day, year) = rest.split_once(',')?;
    let day: u32 = day.trim().parse().ok()?;
    ist::parse_day(&format!("{}-{month:02}-{day:02}", year.trim()))
}

/// `2024-07-01 11:20`
pub(super) fn format_minute(at_ms: i64) -> String {
    let day = ist::day(at_ms);
    let (year, month, date) = ist::calendar_date(day);
    let minutes = (at_ms - ist::day_start_ms(day)) / 60_000;
    let (hour, minute) = (minutes / 60, minutes % 60);
    format!("{year:04}-{month:02}-{date:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-15 00:00 in India.
    const MIDNIGHT: i64 = 1_794_681_000_000;

    #[test]
    fn all_formats_are_times_in_india() {
        let noon = MIDNIGHT + 12 * 3_600_000 + 34 * 60_000 + 56_000;
        for text in [
            "2026-11-15 12:34:56",
            "2026-11-15T12:34:56",
            "15 11 2026 12:34:56",
            " 2026-11-15 12:34:56 ",
        ] {
            assert_eq!(parse(text), Some(noon), "{text}");
        }
        assert_eq!(parse("2026-11-15"), Some(MIDNIGHT));
        assert_eq!(parse("2026-11-15 12:34"), Some(noon - 56_000));
        for text in ["", "soon", "2026-13-15", "15/11/2026", "₹2026-11-15"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(format_minute(noon), "2026-11-15 12:34");
    }

    #[test]
    fn expected_day_is_read_with_the_name_of_its_month() {
        let day = ist::day(MIDNIGHT);
        for text in ["Nov 15, 2026", "2026-11-15 00:00:00", "2026-11-15"] {
            assert_eq!(parse_day(text), Some(day), "{text}");
        }
        for text in ["", "NA", "Nov 31, 2026", "Nivose 1, 2026"] {
            assert_eq!(parse_day(text), None, "{text}");
        }
    }
}
