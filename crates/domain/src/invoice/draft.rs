//! The lines of an invoice: what leaves the shop, at what was paid for it.

use crate::invoice::InvoiceLine;
use crate::money::Paise;
use crate::order::OrderLine;
use crate::pack::{Packs, SizedPacks};
use crate::refund::Refund;
use crate::tax::{TaxKind, TaxRate, split};

/// The goods code and the rate of a product on the day of the invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemTax {
    pub hsn: String,
    pub rate: TaxRate,
}

/// One line for each product and pack size, without packs whose refund is completed. The order's discount is in its
/// lines; refunds of free amounts are discounts too, spread over the lines. The lines add up to what was paid, less the
/// completed refunds; there are none if nothing is left. A refund that is under way changes nothing: it may fail, and it
/// gets a credit note when it is completed. The invoice of an order that a code made free has lines without value: the law
/// wants the discount recorded in it. `refunds` are those of the payment that completed the order.
pub fn invoice_lines(
    order: &[OrderLine],
    refunds: &[Refund],
    kind: TaxKind,
    tax_of: impl Fn(&OrderLine) -> ItemTax,
) -> Vec<InvoiceLine> {
    let returned: Vec<_> = refunds.iter().filter(|one| one.is_completed()).collect();
    let mut items = Vec::new();
    for line in order {
        let (mut packs, mut amount) = (line.packs, line.total);
        for refunded in returned.iter().flat_map(|refund| &refund.lines) {
            if refunded.product == line.product {
                packs = packs.checked_sub(refunded.packs).unwrap_or(Packs::ZERO);
                amount = amount - refunded.amount;
            }
        }
        items.extend(items_of(line, packs, amount.max(Paise::ZERO)));
    }
    let free: Paise = returned
        .iter()
        .filter(|refund| refund.lines.is_empty())
        .map(|refund| refund.amount)
        .sum();
    let nets: Vec<_> = items.iter().map(|(_, _, net)| *net).collect();
    if free > Paise::ZERO && nets.iter().copied().sum::<Paise>() <= free {
        return Vec::new();
    }
    let discounts = spread(free, &nets);
    items
        .into_iter()
        .zip(discounts)
        .map(|((line, item, net), discount)| {
            let ItemTax { hsn, rate } = tax_of(line);
            let rate = match kind {
                TaxKind::None => TaxRate::ZERO,
                TaxKind::WithinState | TaxKind::BetweenStates => rate,
            };
            let net = net - discount;
            InvoiceLine {
                product: line.product.clone(),
                description: line.product_name.clone(),
                hsn,
                size: item.size,
                quantity: item.quantity,
                gross: item.total().max(net),
                discount: item.total().max(net) - net,
                rate,
                amounts: split(net, rate, kind),
            }
        })
        .collect()
}

/// The sizes of a line with their share of its amount.
fn items_of(
    line: &OrderLine,
    packs: Packs,
    amount: Paise,
) -> impl Iterator<Item = (&OrderLine, SizedPacks, Paise)> {
    let sizes: Vec<SizedPacks> = line.prices.by_size(packs).collect();
    let weights: Vec<_> = sizes.iter().map(|item| item.total()).collect();
    let shares = spread(amount, &weights);
    sizes
        .into_iter()
        .zip(shares)
        .map(move |(item, share)| (line, item, share))
}

/// Parts of the amount in proportion to the weights. The last part with a weight takes the remainder.
pub(crate) fn spread(amount: Paise, weights: &[Paise]) -> Vec<Paise> {
    let total: i128 = weights.iter().map(|weight| i128::from(weight.get())).sum();
    let mut parts = vec![Paise::ZERO; weights.len()];
    if total == 0 {
        return parts;
    }
    let (mut seen, mut given) = (0_i128, Paise::ZERO);
    for (part, weight) in parts.iter_mut().zip(weights) {
        seen += i128::from(weight.get());
        let until = i128::from(amount.get()) * seen / total;
        let until = Paise::new(i64::try_from(until).unwrap_or(i64::MAX));
        *part = until - given;
        given = until;
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::ProductId;
    use crate::pack::Prices;
    use crate::refund::{RefundStatus, fixture};
    use crate::refund_plan::{RefundSelection, plan};

    pub fn line(product: &str, of_50g: u32, of_100g: u32, small: i64, large: i64) -> OrderLine {
        let prices = Prices {
            of_50g: Some(Paise::new(small)),
            of_100g: Some(Paise::new(large)),
        };
        let packs = Packs { of_50g, of_100g };
        OrderLine {
            product: ProductId(product.into()),
            product_name: product.into(),
            image: String::new(),
            packs,
            prices,
            discount: Paise::ZERO,
            total: prices.total(packs),
            restocked: Packs::ZERO,
        }
    }

    fn refund(
        order: &[OrderLine],
        refunds: &[Refund],
        selection: RefundSelection,
    ) -> Option<Refund> {
        let total = order.iter().map(|line| line.total).sum();
        let plan = plan(order, total, refunds, selection).ok()?;
        Some(Refund {
            id: refunds.len().to_string().into(),
            lines: plan.lines,
            ..fixture::refund(plan.amount, RefundStatus::Completed)
        })
    }

    fn five_percent(_: &OrderLine) -> ItemTax {
        ItemTax {
            hsn: "09109100".into(),
            rate: TaxRate::from_basis_points(500),
        }
    }

    #[test]
    fn one_line_for_each_product_and_size() {
        let order = [
            line("goda", 1, 2, 6_500, 12_000),
            line("chai", 1, 0, 8_000, 0),
        ];
        let lines = invoice_lines(&order, &[], TaxKind::WithinState, five_percent);
        let parts: Vec<_> = lines
            .iter()
            .map(|line| {
                (
                    line.description.as_str(),
                    line.quantity,
                    line.gross.get(),
                    line.amounts.tax().get(),
                )
            })
            .collect();
        assert_eq!(
            parts,
            [
                ("goda", 1, 6_500, 310),
                ("goda", 2, 24_000, 1_142),
                ("chai", 1, 8_000, 380)
            ]
        );
    }

    prop_compose! {
        fn any_order()(lines in prop::collection::vec((0_u32..4, 0_u32..4, 100_i64..50_000, 100_i64..50_000), 1..6)) -> Vec<OrderLine> {
            lines
                .into_iter()
                .enumerate()
                .map(|(at, (of_50g, of_100g, small, large))| line(&format!("p{at}"), of_50g + 1, of_100g, small, large))
                .collect()
        }
    }

    proptest! {
        #[test]
        fn invoice_adds_up_to_what_was_paid_and_not_refunded(
            order in any_order(),
            amounts in prop::collection::vec(1_00_i64..40_000, 0..3),
            packs in prop::collection::vec((0_usize..6, 0_u32..3, 0_u32..3), 0..3),
            rate in 0_u32..=2_800,
            within in any::<bool>(),
        ) {
            let total: Paise = order.iter().map(|line| line.total).sum();
            let mut refunds = Vec::new();
            for (at, of_50g, of_100g) in packs {
                let product = order[at % order.len()].product.clone();
                let selection = RefundSelection::Packs(vec![(product, Packs { of_50g, of_100g })]);
                refunds.extend(refund(&order, &refunds, selection));
            }
            for amount in amounts {
                refunds.extend(refund(&order, &refunds, RefundSelection::Amount(Paise::new(amount))));
            }
            let returned: Paise = refunds.iter().map(|refund| refund.amount).sum();
            let kind = if within { TaxKind::WithinState } else { TaxKind::BetweenStates };
            let tax_of = |_: &OrderLine| ItemTax { hsn: String::new(), rate: TaxRate::from_basis_points(rate) };
            let lines = invoice_lines(&order, &refunds, kind, tax_of);
            let sum: Paise = lines.iter().map(|line| line.amounts.total()).sum();
            prop_assert_eq!(sum, total - returned);
            for line in &lines {
                prop_assert_eq!(line.gross - line.discount, line.amounts.total());
                prop_assert!(line.discount >= Paise::ZERO && line.amounts.taxable >= Paise::ZERO);
                prop_assert_eq!(line.amounts.cgst, line.amounts.sgst);
            }
        }
    }
}
