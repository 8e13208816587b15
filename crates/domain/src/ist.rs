//! Calendar days in India. The rules of the shop are about these days, in whatever time zone the server runs. India has
//! one time zone and no daylight saving time.

const OFFSET_MS: i64 = (5 * 60 + 30) * 60_000;
pub const DAY_MS: i64 = 24 * 60 * 60_000;

/// The number of the day in India, counted from 1970.
pub const fn day(at_ms: i64) -> i64 {
    (at_ms + OFFSET_MS).div_euclid(DAY_MS)
}

/// The first millisecond of the day with this number.
pub const fn day_start_ms(day: i64) -> i64 {
    day * DAY_MS - OFFSET_MS
}

/// The last millisecond of the day, 23:59:59.999 in India.
pub const fn day_end_ms(at_ms: i64) -> i64 {
    day_start_ms(day(at_ms) + 1) - 1
}

/// Year, month and day of the month.
pub const fn calendar_date(day: i64) -> (i64, u32, u32) {
    // The calendar repeats after 400 years. Years begin in March here, so that the leap day is their last.
    let days = day + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + (month <= 2) as i64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 1 to 12, 1 to 31
    (year, month as u32, day_of_month as u32)
}

/// The number of the first day of a month.
pub const fn first_of_month(year: i64, month: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month_from_march = ((month + 9) % 12) as i64;
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * month_from_march + 2) / 5;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The number of the day that is written as `2026-11-15`.
pub fn parse_day(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-');
    let mut number = |digits: usize| {
        let part = parts.next()?;
        let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u32>().ok().filter(|_| is_number)
    };
    let (year, month, day) = (i64::from(number(4)?), number(2)?, number(2)?);
    if !(1..=12).contains(&month) || day == 0 {
        return None;
    }
    let found = first_of_month(year, month) + i64::from(day) - 1;
    (calendar_date(found) == (year, month, day)).then_some(found)
}

/// The time that is written as `2026-11-15T18:30`.
pub fn parse_local_minute(text: &str) -> Option<i64> {
    let (date, time) = text.split_once('T')?;
    let (hour, minute) = time.split_once(':')?;
    let number = |part: &str, end: i64| {
        let is_number = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i64>()
            .ok()
            .filter(|number| is_number && *number < end)
    };
    let minutes = number(hour, 24)? * 60 + number(minute, 60)?;
    Some(day_start_ms(parse_day(date)?) + minutes * 60_000)
}

/// `2026-11-15T18:30`
pub fn local_minute(at_ms: i64) -> String {
    let (year, month, day) = calendar_date(day(at_ms));
    let minute = minute_of_day(at_ms);
    let (hour, minute) = (minute / 60, minute % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}")
}

/// `2026-11-15`
pub fn iso_date(day: i64) -> String {
    let (year, month, day) = calendar_date(day);
    format!("{year:04}-{month:02}-{day:02}")
}

/// `15 Nov 2026`
pub fn date(day: i64) -> String {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (year, month, day) = calendar_date(day);
    format!("{day} {} {year}", MONTHS[month as usize - 1])
}

/// `15 Nov 2026, 6:30 PM`, for customers.
pub fn date_and_time(at_ms: i64) -> String {
    let minute = minute_of_day(at_ms);
    let (hour, minute) = (minute / 60, minute % 60);
    let half = if hour < 12 { "AM" } else { "PM" };
    let hour = (hour + 11) % 12 + 1;
    format!("{}, {hour}:{minute:02} {half}", date(day(at_ms)))
}

pub const fn minute_of_day(at_ms: i64) -> i64 {
    (at_ms + OFFSET_MS).rem_euclid(DAY_MS) / 60_000
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-15 00:00 in India.
    const MIDNIGHT: i64 = 1_794_681_000_000;

    #[test]
    fn day_begins_at_midnight_in_india() {
        assert_eq!(day(MIDNIGHT), day(MIDNIGHT - 1) + 1);
        assert_eq!(day(MIDNIGHT), day(MIDNIGHT + DAY_MS - 1));
        assert_eq!(day_start_ms(day(MIDNIGHT + 5)), MIDNIGHT);
        assert_eq!(day_end_ms(MIDNIGHT), MIDNIGHT + DAY_MS - 1);
        assert_eq!(day_end_ms(MIDNIGHT - 1), MIDNIGHT - 1);
        assert_eq!(day(-OFFSET_MS - 1), -1, "before 1970");
    }

    #[test]
    fn calendar_dates_match_known_days() {
        for (date, number) in [
            ((1970, 1, 1), 0),
            ((2000, 2, 29), 11_016),
            ((2000, 3, 1), 11_017),
            ((2026, 11, 15), day(MIDNIGHT)),
            ((1969, 12, 31), -1),
        ] {
            assert_eq!(calendar_date(number), date);
        }
        for number in -1_000..40_000 {
            let (year, month, day) = calendar_date(number);
            assert_eq!(first_of_month(year, month) + i64::from(day) - 1, number);
            let text = format!("{year:04}-{month:02}-{day:02}");
            assert_eq!(parse_day(&text), Some(number), "{text}");
            assert_eq!(iso_date(number), text);
        }
        for wrong in [
            "",
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-1-1",
            "2026-11-15x",
            "+026-11-15",
        ] {
            assert_eq!(parse_day(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn local_minutes_are_in_india() {
        for (text, at_ms, shown) in [
            ("2026-11-15T00:00", MIDNIGHT, "15 Nov 2026, 12:00 AM"),
            (
                "2026-11-15T18:30",
                MIDNIGHT + 1_110 * 60_000,
                "15 Nov 2026, 6:30 PM",
            ),
            (
                "2026-11-14T23:59",
                MIDNIGHT - 60_000,
                "14 Nov 2026, 11:59 PM",
            ),
            (
                "2026-11-15T12:05",
                MIDNIGHT + 725 * 60_000,
                "15 Nov 2026, 12:05 PM",
            ),
        ] {
            assert_eq!(parse_local_minute(text), Some(at_ms), "{text}");
            assert_eq!(local_minute(at_ms), text);
            assert_eq!(date_and_time(at_ms), shown);
        }
        for wrong in [
            "2026-11-15",
            "2026-11-15T24:00",
            "2026-11-15T12:60",
            "2026-11-15T1:00",
            "2026-11-15T12:00:00",
            "2026-11-15T+1:00",
            "2026-02-30T12:00",
        ] {
            assert_eq!(parse_local_minute(wrong), None, "{wrong}");
        }
    }
}
