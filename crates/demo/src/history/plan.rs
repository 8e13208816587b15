//! What happens in the demo history, and when.

use std::collections::BTreeMap;

use mirasa_domain::ist::{self, DAY_MS};
use rand::RngExt as _;
use rand::rngs::StdRng;

use super::people;

pub const MINUTE_MS: i64 = 60_000;
pub const HOUR_MS: i64 = 60 * MINUTE_MS;

/// The orders of the demo shopper: how many days ago, and what became of them. The last ones are still on their way.
const SHOPPER_ORDERS: [(i64, Outcome); 6] = [
    (62, Outcome::Delivered),
    (40, Outcome::CancelledByCustomer),
    (23, Outcome::Problem(Resolution::Refund)),
    (10, Outcome::Delivered),
    (3, Outcome::Delivered),
    (1, Outcome::Delivered),
];

/// The last delivery of the mill was before.
const LATE_DELIVERY_DAYS: i64 = 8;

/// What becomes of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Delivered,
    /// The customer never pays.
    Abandoned,
    Declined,
    CancelledByCustomer,
    /// The customer reports a problem on the day of the delivery.
    Problem(Resolution),
    /// The owner returns some of the money.
    PartialRefund,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    Replace,
    Refund,
    Decline,
}

/// What the courier reports next. The names are those of the sandbox's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scan {
    PickedUp,
    InTransit,
    Undelivered,
    OutForDelivery,
    Delivered,
    Returning,
    Returned,
}

impl Scan {
    pub const fn name(self) -> &'static str {
        match self {
            Scan::PickedUp => "picked_up",
            Scan::InTransit => "in_transit",
            Scan::Undelivered => "undelivered",
            Scan::OutForDelivery => "out_for_delivery",
            Scan::Delivered => "delivered",
            Scan::Returning => "returning",
            Scan::Returned => "returned",
        }
    }
}

/// What an admin does with the stock.
#[derive(Debug, Clone, Copy)]
pub enum StockStep {
    KeepAtMill,
    Deliver,
    Spill,
    Count,
}

/// A step of the history. Orders are known by their position in the list of placed orders.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    CheckOut {
        customer: usize,
        outcome: Outcome,
    },
    Pay(usize),
    Decline(usize),
    Cancel(usize),
    Ship(usize),
    ScanParcel(usize, Scan),
    /// Without a courier that reports it.
    Deliver(usize),
    ReportProblem(usize),
    ResolveProblem(usize, Resolution),
    RefundSome(usize),
    WriteReviews(usize),
    /// By the position in the list of written reviews.
    ReplyToReview(usize),
    WriteMessage(usize),
    ReplyToMessage(usize),
    ChangeStock(StockStep),
    /// The background workers: payments that expire, refunds, emails.
    RunWorkers,
}

/// The steps to come, the earliest first.
#[derive(Default)]
pub struct Timeline {
    steps: BTreeMap<(i64, usize), Step>,
    added: usize,
}

impl Timeline {
    pub fn add(&mut self, at_ms: i64, step: Step) {
        self.steps.insert((at_ms, self.added), step);
        self.added += 1;
    }

    /// The next step, if it is before this time.
    pub fn next_before(&mut self, end_ms: i64) -> Option<(i64, Step)> {
        let first = self.steps.first_entry()?;
        let at_ms = first.key().0;
        (at_ms < end_ms).then(|| (at_ms, first.remove()))
    }
}

/// The orders and messages of the last `days` days before `now_ms`. Everything else follows from them.
pub fn timeline(now_ms: i64, days: i64, random: &mut StdRng) -> Timeline {
    let mut timeline = Timeline::default();
    let today = ist::day(now_ms);
    for day in today - days..=today {
        let start_ms = ist::day_start_ms(day);
        for _ in 0..orders_on(day, today, random) {
            let customer = customer(random);
            let outcome = outcome(random);
            let at_ms = start_ms + time_of_day(random);
            timeline.add(at_ms, Step::CheckOut { customer, outcome });
        }
        let delivers = matches!(day.rem_euclid(7), 0 | 4) && today - day > LATE_DELIVERY_DAYS;
        for (is_today, step) in [
            (day == today - days, StockStep::KeepAtMill),
            (delivers, StockStep::Deliver),
            (day == today - 20, StockStep::Spill),
            (day == today - 6, StockStep::Count),
        ] {
            if is_today {
                timeline.add(start_ms + 7 * HOUR_MS, Step::ChangeStock(step));
            }
        }
        timeline.add(start_ms + 9 * HOUR_MS, Step::RunWorkers);
        timeline.add(start_ms + DAY_MS - 1, Step::RunWorkers);
    }
    let mut add_order = |at_ms, customer, outcome| {
        timeline.add(at_ms, Step::CheckOut { customer, outcome });
    };
    for (age, outcome) in SHOPPER_ORDERS.into_iter().filter(|(age, _)| *age <= days) {
        let at_ms = ist::day_start_ms(today - age) + 18 * HOUR_MS;
        add_order(at_ms, 0, outcome);
    }
    // Not paid yet.
    add_order(
        now_ms - 2 * MINUTE_MS,
        people::COUNT - 1,
        Outcome::Abandoned,
    );
    for (number, message) in people::MESSAGES.iter().enumerate() {
        if message.days_ago > days {
            continue;
        }
        let at_ms = now_ms - message.days_ago * DAY_MS - 3 * HOUR_MS;
        timeline.add(at_ms, Step::WriteMessage(number));
        if message.reply.is_some() {
            timeline.add(at_ms + 5 * HOUR_MS, Step::ReplyToMessage(number));
        }
    }
    timeline
}

/// The shop grows, and sells more at the weekend.
fn orders_on(day: i64, today: i64, random: &mut StdRng) -> u32 {
    let age = today - day;
    let usual = if age > 60 {
        2
    } else if age > 25 {
        3
    } else {
        5
    };
    // Day 0 of 1970 was a Thursday.
    let is_weekend = matches!(day.rem_euclid(7), 2 | 3);
    random.random_range(usual - 1..=usual + 1) + if is_weekend { 2 } else { 0 }
}

/// Few customers buy often, many once. Customer 0 is the demo shopper.
fn customer(random: &mut StdRng) -> usize {
    if random.random_bool(0.4) {
        random.random_range(1..30)
    } else {
        random.random_range(1..people::COUNT)
    }
}

/// Most people order in the evening.
fn time_of_day(random: &mut StdRng) -> i64 {
    let hour = match random.random_range(0..10) {
        0..2 => random.random_range(8..12),
        2..5 => random.random_range(12..18),
        _ => random.random_range(18..23),
    };
    hour * HOUR_MS + random.random_range(0..HOUR_MS)
}

fn outcome(random: &mut StdRng) -> Outcome {
    match random.random_range(0..100) {
        0..3 => Outcome::Declined,
        3..6 => Outcome::Abandoned,
        6..9 => Outcome::CancelledByCustomer,
        9..11 => Outcome::Problem(Resolution::Replace),
        11..13 => Outcome::Problem(Resolution::Refund),
        13 => Outcome::Problem(Resolution::Decline),
        14..16 => Outcome::PartialRefund,
        _ => Outcome::Delivered,
    }
}

/// Parcels leave on the next day but Sunday, before noon.
pub fn shipped_at(paid_ms: i64, random: &mut StdRng) -> i64 {
    let next = ist::day(paid_ms) + 1;
    let is_sunday = next.rem_euclid(7) == 3;
    ist::day_start_ms(next + i64::from(is_sunday)) + 11 * HOUR_MS + random.random_range(0..HOUR_MS)
}

/// Two to four days later, in the afternoon.
pub fn delivered_at(shipped_ms: i64, random: &mut StdRng) -> i64 {
    let day = ist::day(shipped_ms) + random.random_range(2..=4);
    ist::day_start_ms(day) + 13 * HOUR_MS + random.random_range(0..6 * HOUR_MS)
}
