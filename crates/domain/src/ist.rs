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
}
