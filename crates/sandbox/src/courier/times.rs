//! Times as Shiprocket writes them: in India, without a zone.

use mirasa_domain::ist;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

fn parts(at_ms: i64) -> (i64, u32, u32, i64) {
    let day = ist::day(at_ms);
    let (year, month, date) = ist::calendar_date(day);
    (year, month, date, (at_ms - ist::day_start_ms(day)) / 1000)
}

fn clock(seconds: i64) -> String {
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// `2024-07-01 11:20:30`
pub(super) fn timestamp(at_ms: i64) -> String {
    let (year, month, date, seconds) = parts(at_ms);
    format!("{year:04}-{month:02}-{date:02} {}", clock(seconds))
}

/// `01 07 2024 11:20:30`, in webhooks.
pub(super) fn webhook_timestamp(at_ms: i64) -> String {
    let (year, month, date, seconds) = parts(at_ms);
    format!("{date:02} {month:02} {year:04} {}", clock(seconds))
}

/// `Jul 01, 2024`
pub(super) fn named_date(at_ms: i64) -> String {
    let (year, month, date, _) = parts(at_ms);
    let name = MONTHS.get(month as usize - 1).unwrap_or(&"");
    format!("{name} {date:02}, {year:04}")
}
