use proptest::prelude::*;

use super::fixture::{percent, terms};
use super::*;
use crate::invoice::{InvoiceLine, ItemTax, credit_note_lines, invoice_lines};
use crate::order::OrderLine;
use crate::pack::{Packs, Prices};
use crate::refund::{self, Refund, RefundLine, RefundStatus};
use crate::refund_plan::{RefundSelection, plan};
use crate::tax::{TaxKind, TaxRate};

fn amount(paise: i64) -> DiscountTerms {
    terms(Reduction::Amount(Paise::new(paise)))
}

/// The savings in paise of lines with these totals, of products `p0`, `p1` and so on.
fn savings(terms: &DiscountTerms, totals: &[i64]) -> Result<Vec<i64>, NotApplicable> {
    let ids: Vec<_> = (0..totals.len())
        .map(|at| ProductId(format!("p{at}")))
        .collect();
    let categories: Vec<_> = (0..totals.len())
        .map(|at| vec![format!("Kind {}", at % 2)])
        .collect();
    let lines: Vec<_> = ids
        .iter()
        .zip(&categories)
        .zip(totals)
        .map(|((product, categories), total)| DiscountableLine {
            product,
            categories,
            total: Paise::new(*total),
        })
        .collect();
    let savings = terms.savings(&lines, DiscountUses::default(), 0)?;
    Ok(savings.into_iter().map(Paise::get).collect())
}

#[test]
fn code_is_read_in_any_case() {
    let code = |text: &str| DiscountCode::parse(text).map(|code| code.as_str().to_owned());
    assert_eq!(code(" diwali-20 ").as_deref(), Ok("DIWALI-20"));
    for wrong in [
        "",
        "abc",
        "diwali 20",
        "dïwali",
        "a234567890123456789012345",
    ] {
        assert_eq!(code(wrong).unwrap_err().field(), "code", "{wrong}");
    }
}

#[test]
fn saving_is_spread_to_the_paisa() {
    assert_eq!(
        savings(&percent(10), &[6_500, 12_000]),
        Ok(vec![650, 1_200])
    );
    assert_eq!(
        savings(&amount(100), &[100, 100, 100]),
        Ok(vec![34, 33, 33])
    );
    assert_eq!(
        savings(&percent(50), &[1, 1, 199_999]),
        Ok(vec![1, 0, 100_000]),
        "half of 200001 paise, rounded up"
    );
}

#[test]
fn saving_is_not_more_than_the_order() {
    assert_eq!(savings(&amount(50_000), &[6_500]), Ok(vec![6_500]));
    assert_eq!(savings(&percent(100), &[6_500, 100]), Ok(vec![6_500, 100]));
    // The gateway accepts no payment of less than ₹1.
    assert_eq!(savings(&amount(6_450), &[6_500]), Ok(vec![6_400]));
    assert_eq!(savings(&amount(6_400), &[6_500]), Ok(vec![6_400]));
}

#[test]
fn code_for_some_items_leaves_the_others() {
    let mut some = amount(5_000);
    some.products = vec![ProductId("p2".into())];
    assert_eq!(
        savings(&some, &[6_500, 6_500, 3_000]),
        Ok(vec![0, 0, 3_000])
    );
    some.categories = vec!["kind 1".into()];
    assert_eq!(
        savings(&some, &[6_500, 7_000, 3_000]),
        Ok(vec![0, 3_500, 1_500])
    );
    some.products.clear();
    assert_eq!(
        savings(&some, &[6_500]),
        Err(NotApplicable::NoMatchingItems)
    );
    assert_eq!(
        savings(&percent(10), &[]),
        Err(NotApplicable::NoMatchingItems)
    );
}

#[test]
fn minimum_is_that_of_the_whole_order() {
    let mut from_500 = percent(10);
    from_500.min_total = Paise::new(50_000);
    from_500.products = vec![ProductId("p0".into())];
    assert_eq!(savings(&from_500, &[10_000, 40_000]), Ok(vec![1_000, 0]));
    let missing = savings(&from_500, &[10_000, 35_050]).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "This code needs an order of ₹500 or more. Add items for ₹49.50."
    );
    assert!(missing.depends_on_cart());
}

#[test]
fn code_is_valid_from_its_first_to_its_last_minute() {
    let input = |from: &str, to: &str| TermsInput {
        reduction: Reduction::Percent(1_000),
        categories: vec![" Chai ".into(), "Chai".into(), String::new()],
        products: Vec::new(),
        min_total: Paise::ZERO,
        first_order_only: false,
        once_per_customer: false,
        max_uses: None,
        from: Some(from.into()),
        to: Some(to.into()),
        is_active: true,
    };
    let terms = input("2026-11-20T18:30", "2026-11-21").validate().unwrap();
    assert_eq!(terms.categories, ["Chai"]);
    assert_eq!(terms.from_text().as_deref(), Some("2026-11-20T18:30"));
    assert_eq!(terms.to_text().as_deref(), Some("2026-11-21T23:59"));
    let at = |text| ist::parse_local_minute(text).unwrap();
    let start = at("2026-11-20T18:30");
    assert_eq!(
        terms.check_time(start - 1).unwrap_err().to_string(),
        "This code is valid from 20 Nov 2026, 6:30 PM."
    );
    assert_eq!(terms.check_time(start), Ok(()));
    assert_eq!(terms.check_time(at("2026-11-22T00:00") - 1), Ok(()));
    assert_eq!(
        terms.check_time(at("2026-11-22T00:00")),
        Err(NotApplicable::Ended)
    );
    let wrong = |input: TermsInput| input.validate().unwrap_err().field();
    assert_eq!(wrong(input("2026-11-20", "2026-11-19")), "to");
    assert_eq!(wrong(input("tomorrow", "")), "from");
    let free = TermsInput {
        reduction: Reduction::Percent(10_001),
        ..input("", "")
    };
    assert_eq!(wrong(free), "value");
    let never = TermsInput {
        max_uses: Some(0),
        ..input("", "")
    };
    assert_eq!(wrong(never), "maxUses");
}

#[test]
fn limits_of_uses_are_checked() {
    let uses = |by_all, by_customer, customer_has_ordered| DiscountUses {
        by_all,
        by_customer,
        customer_has_ordered,
    };
    let mut limited = percent(10);
    limited.max_uses = Some(3);
    assert_eq!(limited.check_uses(uses(2, 2, true)), Ok(()));
    assert_eq!(
        limited.check_uses(uses(3, 0, false)),
        Err(NotApplicable::UsedUp)
    );
    limited.once_per_customer = true;
    assert_eq!(
        limited.check_uses(uses(3, 1, true)),
        Err(NotApplicable::UsedByCustomer)
    );
    let mut first = percent(10);
    first.first_order_only = true;
    assert_eq!(first.check_uses(uses(900, 0, false)), Ok(()));
    assert_eq!(
        first.check_uses(uses(0, 0, true)),
        Err(NotApplicable::NotFirstOrder)
    );
    first.is_active = false;
    assert_eq!(first.check_time(0), Err(NotApplicable::Paused));
}

/// Packs and prices of one line, and whether the code is for it.
type AnyLine = (u32, u32, i64, i64, bool);

fn any_lines() -> impl Strategy<Value = Vec<AnyLine>> {
    let line = (
        0_u32..5,
        0_u32..5,
        100_i64..50_000,
        100_i64..50_000,
        any::<bool>(),
    );
    prop::collection::vec(line, 1..7)
}

fn any_reduction() -> impl Strategy<Value = Reduction> {
    prop_oneof![
        (1_i64..=10_000).prop_map(Reduction::Percent),
        (1_i64..400_000).prop_map(|paise| Reduction::Amount(Paise::new(paise))),
    ]
}

/// The lines of an order as the checkout writes them. None if the code is for none of them.
fn discounted(lines: &[AnyLine], reduction: Reduction) -> Option<Vec<OrderLine>> {
    let mut order: Vec<_> = lines
        .iter()
        .enumerate()
        .map(|(at, (of_50g, of_100g, small, large, _))| {
            let prices = Prices {
                of_50g: Some(Paise::new(*small)),
                of_100g: Some(Paise::new(*large)),
            };
            let packs = Packs {
                of_50g: of_50g + 1,
                of_100g: *of_100g,
            };
            OrderLine {
                product: ProductId(format!("p{at}")),
                product_name: format!("p{at}"),
                image: String::new(),
                packs,
                prices,
                discount: Paise::ZERO,
                total: prices.total(packs),
                restocked: Packs::ZERO,
            }
        })
        .collect();
    let mut terms = terms(reduction);
    let chosen = order.iter().zip(lines).filter(|(_, line)| line.4);
    terms.products = chosen.map(|(line, _)| line.product.clone()).collect();
    let savings = {
        let lines: Vec<_> = order
            .iter()
            .map(|line| DiscountableLine {
                product: &line.product,
                categories: &[],
                total: line.total,
            })
            .collect();
        terms.savings(&lines, DiscountUses::default(), 0).ok()?
    };
    for (line, saving) in order.iter_mut().zip(savings) {
        line.discount = saving;
        line.total = line.total - saving;
    }
    Some(order)
}

fn sum(amounts: impl IntoIterator<Item = Paise>) -> Paise {
    amounts.into_iter().sum()
}

fn refund(amount: Paise, lines: Vec<RefundLine>, id: usize) -> Refund {
    Refund {
        id: id.to_string().into(),
        lines,
        ..refund::fixture::refund(amount, RefundStatus::Completed)
    }
}

proptest! {
    #[test]
    fn parts_add_up_and_fit(weights in prop::collection::vec(0_i64..1_000_000, 0..12), share in 0_i64..=10_000) {
        let weights: Vec<_> = weights.into_iter().map(Paise::new).collect();
        let total = sum(weights.iter().copied());
        let saving = Paise::new(total.get() * share / 10_000);
        let parts = spread_saving(saving, &weights);
        prop_assert_eq!(sum(parts.iter().copied()), saving);
        for (part, weight) in parts.iter().zip(&weights) {
            prop_assert!(*part >= Paise::ZERO && part <= weight);
            // Each part is less than a paisa away from its exact share.
            let distance = i128::from(part.get()) * i128::from(total.get()) - i128::from(saving.get()) * i128::from(weight.get());
            prop_assert!(distance.abs() < i128::from(total.get().max(1)));
        }
    }

    #[test]
    fn order_is_free_or_payable_and_saves_no_more_than_the_code(lines in any_lines(), reduction in any_reduction()) {
        if let Some(order) = discounted(&lines, reduction) {
            let (full, paid) = (sum(order.iter().map(|line| line.prices.total(line.packs))), sum(order.iter().map(|line| line.total)));
            prop_assert!(paid == Paise::ZERO || paid >= MIN_PAYMENT);
            let eligible = sum(order.iter().zip(&lines).filter(|(_, line)| line.4 || !lines.iter().any(|line| line.4)).map(|(line, _)| line.prices.total(line.packs)));
            prop_assert!(full - paid <= reduction.of(eligible));
            for line in &order {
                prop_assert_eq!(sum(line.items_with_discount().map(|(_, discount)| discount)), line.discount);
                prop_assert!(line.items_with_discount().all(|(item, discount)| discount >= Paise::ZERO && discount <= item.total()));
            }
        }
    }

    /// Packs are refunded one by one, some before the invoice and the others after it. Payment, invoice, refunds and
    /// credit notes agree to the paisa.
    #[test]
    fn refunds_of_packs_invoice_and_notes_are_exact(
        lines in any_lines(),
        reduction in any_reduction(),
        steps in prop::collection::vec((0_usize..7, any::<bool>()), 0..30),
        invoiced_after in 0_usize..30,
        within in any::<bool>(),
    ) {
        let Some(order) = discounted(&lines, reduction) else { return Ok(()) };
        let paid = sum(order.iter().map(|line| line.total));
        let kind = if within { TaxKind::WithinState } else { TaxKind::BetweenStates };
        let tax_of = |_: &OrderLine| ItemTax { hsn: String::new(), rate: TaxRate::from_basis_points(500) };
        let issue = |refunds: &[Refund]| invoice_lines(&order, refunds, kind, tax_of);
        let mut refunds: Vec<Refund> = Vec::new();
        let mut documents: Option<(Vec<InvoiceLine>, Vec<InvoiceLine>, Paise)> = None;
        for (step, (at, large)) in steps.into_iter().enumerate() {
            if step == invoiced_after {
                let returned = sum(refunds.iter().map(|refund| refund.amount));
                documents = Some((issue(&refunds), Vec::new(), returned));
            }
            let product = order[at % order.len()].product.clone();
            let packs = Packs { of_50g: u32::from(!large), of_100g: u32::from(large) };
            let Ok(planned) = plan(&order, paid, &refunds, RefundSelection::Packs(vec![(product, packs)])) else { continue };
            let refund = refund(planned.amount, planned.lines, step);
            if let Some((invoice, notes, _)) = &mut documents {
                let note = credit_note_lines(invoice, notes, &refund);
                prop_assert_eq!(sum(note.iter().map(|line| line.amounts.total())), refund.amount);
                notes.extend(note);
            }
            refunds.push(refund);
        }
        let returned = sum(refunds.iter().map(|refund| refund.amount));
        prop_assert!(returned <= paid);
        let (invoice, mut notes, before) = documents.unwrap_or_else(|| (issue(&refunds), Vec::new(), returned));
        let invoiced = sum(invoice.iter().map(|line| line.amounts.total()));
        prop_assert_eq!(invoiced + before, paid);
        for line in &invoice {
            prop_assert_eq!(line.gross - line.discount, line.amounts.total());
            prop_assert!(line.discount >= Paise::ZERO && line.amounts.taxable >= Paise::ZERO);
        }
        // Without earlier refunds the invoice records the order's discount.
        if before == Paise::ZERO && refunds.is_empty() {
            prop_assert_eq!(sum(invoice.iter().map(|line| line.discount)), sum(order.iter().map(|line| line.discount)));
        }
        prop_assert_eq!(sum(notes.iter().map(|line| line.amounts.total())), returned - before);
        if let Ok(rest) = plan(&order, paid, &refunds, RefundSelection::Everything) {
            prop_assert_eq!(rest.amount, paid - returned);
            notes.extend(credit_note_lines(&invoice, &notes, &refund(rest.amount, rest.lines, 999)));
            prop_assert_eq!(sum(notes.iter().map(|line| line.amounts.total())), invoiced);
        }
    }
}
