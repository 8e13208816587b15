//! Single requests, and the rules that hold for any of them.

mod cases;
mod model;

use proptest::prelude::*;

use super::*;
use crate::order::OrderState;
use crate::shipment::ShipmentStatus;
use cases::{ALL_PACKS, any_facts, any_options, any_order, any_request, order, pending, refund};
use model::{Model, answers};

#[test]
fn only_a_cancelled_order_is_refunded_or_restocked() {
    for status in OrderStatus::ALL {
        for (refund, restock) in [(true, false), (false, true), (false, false)] {
            let options = StatusOptions {
                refund,
                restock,
                ..StatusOptions::default()
            };
            let request = StatusRequest::new(status, options, 0);
            let is_valid = status == OrderStatus::Cancelled || !(refund || restock);
            assert_eq!(request.is_ok(), is_valid, "{status:?} {options:?}");
        }
    }
}

#[test]
fn replacement_that_was_made_good_is_sent_if_confirmed_or_by_a_request_without_a_page() {
    let order = order(OrderState {
        order_status: OrderStatus::Cancelled,
        ..pending().completed()
    });
    let facts = StatusFacts {
        made_good: Some("1 of these packs was refunded.".into()),
        ..StatusFacts::default()
    };
    let seen = SeenOrder {
        version: Some(0),
        status: None,
    };
    for (seen, even_if_repeated) in [
        (SeenOrder::default(), false),
        (SeenOrder::default(), true),
        (seen, true),
        (seen, false),
    ] {
        let options = StatusOptions {
            seen,
            even_if_repeated,
            ..StatusOptions::default()
        };
        let request = StatusRequest::new(OrderStatus::Confirmed, options, 0).unwrap();
        let made_good = "1 of these packs was refunded.".to_owned();
        if seen.is_given() && !even_if_repeated {
            let refused = StatusRefused::Repeated(made_good);
            assert_eq!(request.steps(&order, &facts), Err(refused));
            continue;
        }
        let report = StatusStep::ReportMadeGoodTwice {
            made_good,
            is_confirmed: even_if_repeated,
        };
        assert!(request.steps(&order, &facts).unwrap().contains(&report));
    }
}

/// The first of several objections is the one that the admin reads.
#[test]
fn objections_come_in_their_sequence() {
    let cancelled = OrderState {
        order_status: OrderStatus::Cancelled,
        ..pending().completed()
    };
    let order = order(cancelled);
    let facts = StatusFacts {
        whereabouts: Whereabouts {
            parcels: vec![ShipmentStatus::InTransit],
            has_left_shop: true,
        },
        code_refused: Some(NotApplicable::Paused),
        replaced: Some("replaced".into()),
        made_good: Some("made good".into()),
        refunds: vec![refund(order.state.total)],
        customer_asks_to_cancel: true,
        attempt: None,
    };
    let seen = SeenOrder {
        version: Some(0),
        status: None,
    };
    let decide = |status, options: StatusOptions, facts: &StatusFacts| {
        let request = StatusRequest::new(status, options, 0).unwrap();
        request.steps(&order, facts).unwrap_err()
    };
    let both = StatusOptions {
        refund: true,
        restock: true,
        ..StatusOptions::default()
    };
    let refused = decide(OrderStatus::Cancelled, both, &facts);
    assert_eq!(refused, StatusRefused::NotInShop(NotInShop::WithCourier));
    let back = StatusOptions {
        came_back: true,
        ..both
    };
    let refused = decide(OrderStatus::Cancelled, back, &facts);
    assert_eq!(refused, StatusRefused::Repeated("replaced".into()));

    let ship = StatusOptions {
        seen,
        ..StatusOptions::default()
    };
    let mut facts = facts;
    let mut next = |expected: StatusRefused, answer: fn(&mut StatusFacts)| {
        assert_eq!(decide(OrderStatus::Shipped, ship, &facts), expected);
        answer(&mut facts);
    };
    next(StatusRefused::Code(NotApplicable::Paused), |facts| {
        facts.code_refused = None;
    });
    next(StatusRefused::Repeated("made good".into()), |facts| {
        facts.made_good = None;
    });
    next(StatusRefused::CustomerAsksToCancel, |facts| {
        facts.customer_asks_to_cancel = false;
    });
    let nothing = StatusRefused::Leaving(LeavingRefused::NothingToSend);
    next(nothing, |_| {});
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn same_status_again_does_nothing(order in any_order(), options in any_options(), facts in any_facts(), now_ms in any::<i64>()) {
        let options = StatusOptions { refund: false, restock: false, ..options };
        let same = StatusRequest::new(order.state.order_status, options, now_ms).unwrap();
        if order.state.payment_status != PaymentStatus::Pending {
            prop_assert_eq!(same.questions(&order), []);
            prop_assert_eq!(same.steps(&order, &facts), Ok(Vec::new()));
        } else if order.state.order_status != OrderStatus::Cancelled {
            prop_assert_eq!(same.steps(&order, &facts), Ok(vec![StatusStep::UpdateIssues]));
        }
    }

    #[test]
    fn only_answers_to_questions_matter(order in any_order(), request in any_request(), facts in any_facts()) {
        let answers = answers(&request, &order, &facts);
        prop_assert_eq!(request.steps(&order, &facts), request.steps(&order, &answers));
        let decided = request.steps(&order, &facts);
        prop_assert_eq!(request.questions(&order).is_empty(), decided == Ok(Vec::new()));
    }

    /// Whatever was set before, and whether it was refused.
    #[test]
    fn steps_end_in_the_status_and_give_back_once(
        order in any_order(), requests in proptest::collection::vec((any_request(), any_facts()), 1..8),
    ) {
        let mut model = Model::new(order);
        for (request, facts) in requests {
            let (before, facts) = (model.clone(), model.facts(&facts));
            let Ok(steps) = request.steps(&model.order, &facts) else { continue };
            for (at, step) in steps.iter().enumerate() {
                prop_assert!(!steps[..at].contains(step), "no step twice: {:?}", steps);
                model.apply(request.status, step.clone());
            }
            prop_assert_eq!(model.order.state.order_status, request.status);
            prop_assert_eq!(model.in_stock + model.held(), ALL_PACKS, "every pack is accounted for");
            prop_assert!(model.returned <= model.taken, "no pack comes back twice");
            prop_assert!(model.refunded() <= model.order.state.total, "no money goes back twice");
            prop_assert_eq!(model.order.is_paid(), before.order.is_paid(), "a status pays for nothing");
            let releases = steps.contains(&StatusStep::Cancel) || steps.contains(&StatusStep::Expire);
            prop_assert!(!releases || !before.order.is_paid(), "a paid order does not end");
            let gives_back = steps.contains(&StatusStep::Restock);
            prop_assert!(!(releases && gives_back), "packs are released or restocked");
            if !request.options.refund && !request.options.restock {
                prop_assert_eq!(before.refunded(), model.refunded());
                prop_assert!(!before.order.is_paid() || before.in_stock == model.in_stock);
            }
            let cancels = request.status == OrderStatus::Cancelled && !steps.is_empty();
            prop_assert_eq!(steps.contains(&StatusStep::CancelParcels), cancels);
            prop_assert!(!cancels || !model.open_request);
            prop_assert!(!cancels || !request.options.refund || !before.order.is_paid() || model.refunded() == model.order.state.total);
            prop_assert!(!cancels || !request.options.restock || model.held() == 0);
        }
    }

    #[test]
    fn issues_are_updated_after_all_changes_and_the_email_is_last(order in any_order(), request in any_request(), facts in any_facts()) {
        let steps = request.steps(&order, &facts).unwrap_or_default();
        let is_email = |step: &StatusStep| matches!(step, StatusStep::SendEmail(_));
        let emails = steps.iter().filter(|step| is_email(step)).count();
        let at = steps.len() - emails;
        prop_assert!(emails <= 1 && steps[at..].iter().all(is_email));
        prop_assert!(steps.is_empty() || steps[at - 1] == StatusStep::UpdateIssues);
        let is_changed = order.state.order_status != request.status;
        prop_assert_eq!(steps.contains(&StatusStep::Record), is_changed && !steps.is_empty());
    }

    #[test]
    fn order_that_leaves_is_packed_before_and_invoiced_after(order in any_order(), request in any_request(), facts in any_facts()) {
        let Ok(steps) = request.steps(&order, &facts) else { return Ok(()) };
        let leaves = request.status.has_left_shop() && !order.state.order_status.has_left_shop();
        let at = |step| steps.iter().position(|one| *one == step);
        let (pack, save, invoice) = (at(StatusStep::Pack), at(StatusStep::SaveStatus), at(StatusStep::IssueInvoice));
        prop_assert_eq!(pack.is_some(), leaves && order.is_paid() && order.packed_at_ms.is_none());
        prop_assert_eq!(invoice.is_some(), leaves && order.is_paid());
        prop_assert!(pack < save || pack.is_none());
        prop_assert!(save < invoice || invoice.is_none());
        let has_nothing = order.is_paid() && !order.has_packs_to_send(&facts.refunds);
        let is_decided = at(StatusStep::SendRefunded).is_some();
        prop_assert_eq!(at(StatusStep::ReportLeftRefunded).is_some(), leaves && has_nothing && !is_decided);
    }

    /// A request from a page opens no issue about what it could have refused.
    #[test]
    fn request_that_has_seen_the_order_sends_only_what_is_there_or_confirmed(
        order in any_order(), request in any_request(), facts in any_facts(),
    ) {
        let Ok(steps) = request.steps(&order, &facts) else { return Ok(()) };
        let leaves = request.status.has_left_shop() && !order.state.order_status.has_left_shop();
        if !leaves || !request.options.seen.is_given() {
            prop_assert!(!steps.contains(&StatusStep::SendRefunded));
            return Ok(());
        }
        let confirmed = request.options.confirmed;
        prop_assert!(!facts.customer_asks_to_cancel);
        prop_assert!(!steps.contains(&StatusStep::ReportLeftRefunded));
        if order.is_paid() {
            prop_assert!(!order.is_in_stock_again());
            let has_packs = order.has_packs_to_send(&facts.refunds);
            prop_assert_eq!(steps.contains(&StatusStep::SendRefunded), !has_packs);
            prop_assert!(has_packs || confirmed.even_if_refunded);
        } else {
            prop_assert!(confirmed.even_if_unpaid && order.state.stock_reserved);
        }
    }

    #[test]
    fn request_without_a_page_and_without_more_is_refused_only_because_of_a_code(
        order in any_order(), request in any_request(), facts in any_facts(),
    ) {
        let mut request = request;
        (request.options.refund, request.options.restock) = (false, false);
        request.options.seen = SeenOrder::default();
        if let Err(refused) = request.steps(&order, &facts) {
            prop_assert_eq!(refused, StatusRefused::Code(NotApplicable::Paused));
            prop_assert!(order.is_paid() && order.state.order_status == OrderStatus::Cancelled);
        }
    }

    #[test]
    fn what_the_admin_confirmed_is_not_asked_again(order in any_order(), request in any_request(), facts in any_facts()) {
        let mut request = request;
        request.options.came_back = true;
        request.options.even_if_repeated = true;
        let refused = request.steps(&order, &facts).err();
        prop_assert!(!matches!(refused, Some(StatusRefused::NotInShop(_) | StatusRefused::Repeated(_))), "{:?}", refused);
        request.options.confirmed = LeavingConfirmation { even_if_refunded: true, even_if_unpaid: true };
        if let Err(StatusRefused::Leaving(_)) = request.steps(&order, &facts) {
            prop_assert!(order.is_in_stock_again() || !order.state.stock_reserved, "its packs may be sold to others");
        }
    }

    #[test]
    fn unpaid_order_that_is_set_back_ends_once_its_time_is_over(order in any_order(), request in any_request(), facts in any_facts()) {
        let Ok(steps) = request.steps(&order, &facts) else { return Ok(()) };
        let (was, is) = (order.state.order_status.has_left_shop(), request.status.has_left_shop());
        let is_pending = order.state.payment_status == PaymentStatus::Pending;
        let is_open = facts.attempt.is_some_and(|state| state != PaymentAttemptState::Failed);
        let cancels = request.status == OrderStatus::Cancelled;
        let is_over = request.now_ms > order.expires_at_ms || !is_open;
        let expires = is_pending && was && !is && !cancels && is_over;
        prop_assert_eq!(steps.contains(&StatusStep::Expire), expires);
        // Its packs may be gone.
        let releases = is_pending && was && cancels;
        prop_assert_eq!(steps.contains(&StatusStep::ReportRelease), releases);
    }

    #[test]
    fn customer_is_told_nothing_that_is_not_so(order in any_order(), request in any_request(), facts in any_facts()) {
        let Ok(steps) = request.steps(&order, &facts) else { return Ok(()) };
        let email = steps.iter().find_map(|step| match step {
            StatusStep::SendEmail(email) => Some(*email),
            _ => None,
        });
        let is_changed = order.state.order_status != request.status;
        match email {
            Some(StatusEmail::Confirmed | StatusEmail::Shipped | StatusEmail::Delivered) => {
                prop_assert!(is_changed && order.is_paid(), "the shop has the payment");
                prop_assert!(!order.is_in_stock_again(), "something of it is sent");
            }
            Some(StatusEmail::Cancelled) => prop_assert!(is_changed && request.status == OrderStatus::Cancelled),
            Some(StatusEmail::CancelledIfRefunded) => {
                prop_assert!(!is_changed && steps.contains(&StatusStep::ReturnPayment));
            }
            None => {
                let refunds = steps.contains(&StatusStep::ReturnPayment);
                prop_assert!(!refunds, "a refund is told");
                prop_assert!(!is_changed || request.status != OrderStatus::Cancelled);
            }
        }
    }
}
