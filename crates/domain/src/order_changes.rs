//! What an admin's page showed of an order, and what happened to the order since, in one sentence.

use crate::ist;
use crate::order::{Order, OrderStatus};
use crate::order_event::{Actor, OrderEvent, OrderEventKind};

/// What the page showed. The API's own calls need not say it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeenOrder {
    pub version: Option<i64>,
    pub status: Option<OrderStatus>,
}

impl SeenOrder {
    pub fn is_given(self) -> bool {
        self != SeenOrder::default()
    }

    pub fn is(self, order: &Order) -> bool {
        self.version.is_none_or(|version| version == order.version)
            && self
                .status
                .is_none_or(|status| status == order.state.order_status)
            && order.deleted_at_ms.is_none()
    }
}

/// `Cancelled by the customer at 14:05, ₹185.00 refunded, packs back in stock.` Empty without events.
pub fn describe(events: &[OrderEvent], now_ms: i64) -> String {
    let mut parts: Vec<String> = Vec::new();
    for event in events {
        let part = part(event, events, now_ms);
        parts.extend(part.filter(|part| !parts.contains(part)));
    }
    let text = parts.join(", ");
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => text,
    }
}

fn part(event: &OrderEvent, all: &[OrderEvent], now_ms: i64) -> Option<String> {
    let has = |kind: OrderEventKind| all.iter().any(|one| one.kind == kind);
    let by = match &event.actor {
        Actor::Customer => " by the customer".to_owned(),
        Actor::Admin(email) => format!(" by {email}"),
        Actor::System => String::new(),
    };
    let at = at(event.at_ms, now_ms);
    // The reason of a refund follows its amount.
    let amount = event.detail.split(", ").next().unwrap_or_default();
    Some(match event.kind {
        OrderEventKind::StatusSet => format!("set to {}{by} {at}", event.detail),
        OrderEventKind::CancelledByCustomer => format!("cancelled by the customer {at}"),
        OrderEventKind::Paid => format!("paid {at}"),
        OrderEventKind::Ended => format!("ended unpaid {at}"),
        OrderEventKind::Deleted => format!("deleted{by} {at}"),
        OrderEventKind::Restored => format!("restored{by} {at}"),
        OrderEventKind::Packed => format!("packed{by} {at}"),
        OrderEventKind::Restocked => "packs back in stock".to_owned(),
        OrderEventKind::RefundRequested => format!("{amount} refunded"),
        OrderEventKind::RefundCompleted if has(OrderEventKind::RefundRequested) => return None,
        OrderEventKind::RefundCompleted => format!("{amount} refunded"),
        OrderEventKind::RefundFailed => format!("a refund of {amount} failed"),
        OrderEventKind::Parcel => format!("{}{by} {at}", uncapitalized(&event.to_string())),
        _ => format!("{} {at}", uncapitalized(&event.to_string())),
    })
}

fn uncapitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// `at 14:05`, with the date if that was not today.
fn at(at_ms: i64, now_ms: i64) -> String {
    let minute = ist::minute_of_day(at_ms);
    let time = format!("at {:02}:{:02}", minute / 60, minute % 60);
    if ist::day(at_ms) == ist::day(now_ms) {
        return time;
    }
    format!("on {} {time}", ist::date(ist::day(at_ms)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-15 14:05 in India.
    const NOW: i64 = 1_794_681_000_000 + (14 * 60 + 5) * 60_000;

    fn event(kind: OrderEventKind, actor: Actor, detail: &str) -> OrderEvent {
        OrderEvent {
            id: String::new(),
            order_id: "".into(),
            at_ms: NOW,
            kind,
            actor,
            detail: detail.into(),
        }
    }

    #[test]
    fn changes_are_one_sentence() {
        let events = [
            event(OrderEventKind::CancelledByCustomer, Actor::Customer, ""),
            event(
                OrderEventKind::RefundRequested,
                Actor::Customer,
                "₹1,185.50, Cancelled by the customer",
            ),
            event(
                OrderEventKind::Restocked,
                Actor::Customer,
                "1 × Goda Masala (50 g)",
            ),
            event(OrderEventKind::RefundCompleted, Actor::System, "₹1,185.50"),
        ];
        assert_eq!(
            describe(&events, NOW),
            "Cancelled by the customer at 14:05, ₹1,185.50 refunded, packs back in stock."
        );
        let admin = Actor::Admin("a@mirasa.example".into());
        let booked = [event(
            OrderEventKind::Parcel,
            admin.clone(),
            "Parcel booked",
        )];
        assert_eq!(
            describe(&booked, NOW),
            "Parcel booked by a@mirasa.example at 14:05."
        );
        let shipped = [event(OrderEventKind::StatusSet, admin, "shipped")];
        assert_eq!(
            describe(&shipped, NOW + ist::DAY_MS),
            "Set to shipped by a@mirasa.example on 15 Nov 2026 at 14:05."
        );
        assert_eq!(describe(&[], NOW), "");
    }
}
