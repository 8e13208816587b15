//! The amount and the lines of a credit note: shares of the invoice's stored amounts. The notes of an invoice never exceed
//! it, and the last share of a line takes the remainder.

use crate::id::InvoiceId;
use crate::invoice::InvoiceLine;
use crate::invoice::draft::spread;
use crate::money::Paise;
use crate::pack::PackSize;
use crate::refund::Refund;
use crate::tax::TaxAmounts;

/// What the note credits of one invoice line.
#[derive(Clone, Copy)]
struct Part {
    packs: u32,
    amount: Paise,
}

/// What the earlier notes have left of one invoice line.
struct Left {
    packs: u32,
    amounts: TaxAmounts,
}

/// How much of a completed refund its credit note credits: all of it, unless the invoice was issued without it. Earlier
/// versions also deducted refunds that were under way. If such a refund failed, the next refunds up to its amount are in the
/// invoice already. `refunds` are those of the payment, `credited` is the sum of the invoice's credit notes.
pub fn amount_to_credit(
    refund: &Refund,
    invoice_id: &InvoiceId,
    refunds: &[Refund],
    credited: Paise,
) -> Paise {
    let is_deducted = |one: &Refund| one.deducted_from.as_ref() == Some(invoice_id);
    if is_deducted(refund) {
        return Paise::ZERO;
    }
    // Earlier versions deducted the repetition of a failed refund with the first one.
    let is_first = |one: &Refund| {
        let repeated = refunds
            .iter()
            .find(|other| one.retry_of.as_ref() == Some(&other.id));
        !repeated.is_some_and(is_deducted)
    };
    let sum = |filter: &dyn Fn(&Refund) -> bool| -> Paise {
        let filtered = refunds.iter().filter(|one| filter(one));
        filtered.map(|one| one.amount).sum()
    };
    let deducted = sum(&|one| is_deducted(one) && is_first(one));
    let used = sum(&|one| is_deducted(one) && one.counts());
    let is_other = |one: &Refund| one.is_completed() && !is_deducted(one) && one.id != refund.id;
    let left = deducted - used - (sum(&is_other) - credited);
    refund.amount - left.max(Paise::ZERO).min(refund.amount)
}

/// `notes` are the lines of all earlier credit notes of the invoice. The lines add up to the refund, as far as the invoice
/// has that much left.
pub fn credit_note_lines(
    invoice: &[InvoiceLine],
    notes: &[InvoiceLine],
    refund: &Refund,
) -> Vec<InvoiceLine> {
    let left: Vec<_> = invoice.iter().map(|line| left_of(line, notes)).collect();
    invoice
        .iter()
        .zip(&left)
        .zip(parts(invoice, &left, refund))
        .filter_map(|((line, left), part)| {
            let amounts = share_of(line.amounts, left.amounts, part.amount);
            (amounts.total() > Paise::ZERO).then(|| InvoiceLine {
                quantity: part.packs,
                gross: amounts.total(),
                discount: Paise::ZERO,
                amounts,
                ..line.clone()
            })
        })
        .collect()
}

fn left_of(line: &InvoiceLine, notes: &[InvoiceLine]) -> Left {
    let of_line = notes
        .iter()
        .filter(|note| note.product == line.product && note.size == line.size);
    of_line.fold(
        Left {
            packs: line.quantity,
            amounts: line.amounts,
        },
        |left, note| Left {
            packs: left.packs.saturating_sub(note.quantity),
            amounts: left.amounts - note.amounts,
        },
    )
}

/// First the refunded packs, then what does not fit into their lines, spread over all lines. An example is a pack that
/// is refunded at the full price although the invoice had a discount.
fn parts(invoice: &[InvoiceLine], left: &[Left], refund: &Refund) -> Vec<Part> {
    let mut parts: Vec<_> = invoice
        .iter()
        .zip(left)
        .map(|(line, left)| {
            let refunded = refund.lines.iter().find(|one| one.product == line.product);
            let packs = refunded.map_or(0, |one| match line.size {
                PackSize::G50 => one.packs.of_50g,
                PackSize::G100 => one.packs.of_100g,
            });
            Part {
                packs: packs.min(left.packs),
                amount: Paise::ZERO,
            }
        })
        .collect();
    let mut rest = refund.amount;
    for refunded in &refund.lines {
        let weights: Vec<_> = invoice
            .iter()
            .zip(&parts)
            .map(|(line, part)| {
                let is_refunded = line.product == refunded.product && line.quantity > 0;
                let price = line.gross.get() / i64::from(line.quantity.max(1));
                Paise::new(if is_refunded { price } else { 0 }) * part.packs
            })
            .collect();
        for ((part, left), share) in parts
            .iter_mut()
            .zip(left)
            .zip(spread(refunded.amount, &weights))
        {
            let taken = share.min(left.amounts.total() - part.amount).min(rest);
            part.amount = part.amount + taken;
            rest = rest - taken;
        }
    }
    let room: Vec<_> = parts
        .iter()
        .zip(left)
        .map(|(part, left)| left.amounts.total() - part.amount)
        .collect();
    let rest = rest.min(room.iter().copied().sum());
    for (part, share) in parts.iter_mut().zip(spread(rest, &room)) {
        part.amount = part.amount + share;
    }
    parts
}

/// The tax of a part of a line. It follows the share of the line that the notes have credited in all, so that rounding
/// does not add up, and is never more than what is left.
fn share_of(line: TaxAmounts, left: TaxAmounts, amount: Paise) -> TaxAmounts {
    if amount == left.total() {
        return left;
    }
    let credited = line.total() - left.total() + amount;
    let until = |whole: Paise| {
        let (whole, total) = (i128::from(whole.get()), i128::from(line.total().get()));
        let rounded = (2 * whole * i128::from(credited.get()) + total) / (2 * total.max(1));
        Paise::new(i64::try_from(rounded).unwrap_or(i64::MAX))
    };
    let due =
        |whole: Paise, left: Paise| (until(whole) - (whole - left)).max(Paise::ZERO).min(left);
    let igst = due(line.igst, left.igst).min(amount);
    // Both halves are equal, so a part of one paisa has none.
    let half = due(line.cgst, left.cgst).min(Paise::new(amount.get() / 2));
    let taxable = amount - igst - half - half;
    if taxable <= left.taxable {
        return TaxAmounts {
            taxable,
            cgst: half,
            sgst: half,
            igst,
        };
    }
    // After many parts of one paisa only tax is left. It is credited in equal halves, if need be with a paisa less.
    let over = taxable - left.taxable;
    let more_igst = over.min(left.igst - igst);
    let more_half = Paise::new((over - more_igst).get() / 2).min(left.cgst - half);
    TaxAmounts {
        taxable: left.taxable,
        cgst: half + more_half,
        sgst: half + more_half,
        igst: igst + more_igst,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::ProductId;
    use crate::order_event::Actor;
    use crate::pack::Packs;
    use crate::refund::{RefundLine, RefundStatus};
    use crate::tax::{TaxKind, TaxRate, split};

    fn line(
        product: &str,
        size: PackSize,
        quantity: u32,
        gross: i64,
        rate: u32,
        kind: TaxKind,
    ) -> InvoiceLine {
        let rate = TaxRate::from_basis_points(rate);
        InvoiceLine {
            product: ProductId(product.into()),
            description: product.into(),
            hsn: "09109100".into(),
            size,
            quantity,
            gross: Paise::new(gross),
            discount: Paise::ZERO,
            rate,
            amounts: split(Paise::new(gross), rate, kind),
        }
    }

    fn refund(amount: i64, lines: Vec<RefundLine>) -> Refund {
        Refund {
            id: "".into(),
            merchant_order_id: "".into(),
            order_id: "".into(),
            amount: Paise::new(amount),
            reason: String::new(),
            status: RefundStatus::Completed,
            requested_by: Actor::System,
            retry_of: None,
            superseded_by: None,
            error: None,
            deducted_from: None,
            lines,
            poll_count: 0,
            created_at_ms: 0,
            updated_at_ms: 0,
        }
    }

    #[test]
    fn refunded_packs_are_credited_with_their_tax() {
        let kind = TaxKind::WithinState;
        let invoice = [
            line("goda", PackSize::G50, 2, 13_000, 500, kind),
            line("goda", PackSize::G100, 1, 12_000, 500, kind),
        ];
        let packs = RefundLine {
            product: ProductId("goda".into()),
            packs: Packs {
                of_50g: 1,
                of_100g: 1,
            },
            amount: Paise::new(18_500),
        };
        let note = credit_note_lines(&invoice, &[], &refund(18_500, vec![packs]));
        let parts: Vec<_> = note
            .iter()
            .map(|line| (line.quantity, line.amounts.total().get()))
            .collect();
        assert_eq!(parts, [(1, 6_500), (1, 12_000)]);
        let rest = credit_note_lines(&invoice, &note, &refund(6_500, vec![]));
        let all: TaxAmounts = note.iter().chain(&rest).map(|line| line.amounts).sum();
        assert_eq!(all, invoice.iter().map(|line| line.amounts).sum());
    }

    #[test]
    fn packs_at_full_price_are_credited_beyond_their_discounted_line() {
        let kind = TaxKind::BetweenStates;
        let discounted = |product| InvoiceLine {
            gross: Paise::new(100_000),
            discount: Paise::new(10_000),
            ..line(product, PackSize::G50, 1, 90_000, 500, kind)
        };
        let invoice = [discounted("goda"), discounted("chai")];
        let packs = RefundLine {
            product: ProductId("goda".into()),
            packs: Packs {
                of_50g: 1,
                of_100g: 0,
            },
            amount: Paise::new(100_000),
        };
        let note = credit_note_lines(&invoice, &[], &refund(100_000, vec![packs]));
        let parts: Vec<_> = note
            .iter()
            .map(|line| (line.quantity, line.amounts.total().get()))
            .collect();
        assert_eq!(parts, [(1, 90_000), (0, 10_000)]);
    }

    prop_compose! {
        fn any_lines()(
            lines in prop::collection::vec((1_u32..5, 100_i64..100_000, 0_i64..50, 0_u32..=2_800, any::<bool>()), 1..5),
            within in any::<bool>(),
        ) -> Vec<InvoiceLine> {
            let kind = if within { TaxKind::WithinState } else { TaxKind::BetweenStates };
            let size = |large| if large { PackSize::G100 } else { PackSize::G50 };
            lines
                .into_iter()
                .enumerate()
                .map(|(at, (quantity, gross, off, rate, large))| {
                    // Two lines of one product if they have different sizes.
                    let product = format!("p{}", at / 2 * 2 + usize::from(at % 2 == 1 && !large));
                    let net = gross - gross * off / 100;
                    InvoiceLine {
                        gross: Paise::new(gross),
                        discount: Paise::new(gross - net),
                        ..line(&product, size(large && at % 2 == 1), quantity, net, rate, kind)
                    }
                })
                .collect()
        }
    }

    fn assert_within(invoice: &[InvoiceLine], notes: &[InvoiceLine]) {
        for note in notes {
            let one = note.amounts;
            assert_eq!(one.cgst, one.sgst);
            let parts = [one.taxable, one.cgst, one.igst];
            assert!(parts.into_iter().all(|one| one >= Paise::ZERO), "{one:?}");
        }
        for line in invoice {
            let left = left_of(line, notes).amounts;
            let parts = [left.taxable, left.cgst, left.sgst, left.igst];
            assert!(parts.into_iter().all(|one| one >= Paise::ZERO), "{left:?}");
            let packs: u32 = notes
                .iter()
                .filter(|note| note.product == line.product && note.size == line.size)
                .map(|note| note.quantity)
                .sum();
            assert!(packs <= line.quantity);
        }
    }

    proptest! {
        #[test]
        fn notes_add_up_to_the_refunds_and_never_exceed_the_invoice(
            invoice in any_lines(),
            parts in prop::collection::vec((100_i64..60_000, prop::option::of((0_usize..5, 0_u32..3, 0_u32..3))), 1..12),
        ) {
            let total: TaxAmounts = invoice.iter().map(|line| line.amounts).sum();
            let mut notes: Vec<InvoiceLine> = Vec::new();
            let mut credited = Paise::ZERO;
            for (amount, packs) in parts {
                let amount = Paise::new(amount).min(total.total() - credited);
                if amount == Paise::ZERO { break }
                let lines = packs.map(|(at, of_50g, of_100g)| RefundLine {
                    product: invoice[at % invoice.len()].product.clone(),
                    packs: Packs { of_50g, of_100g },
                    amount,
                });
                let note = credit_note_lines(&invoice, &notes, &refund(amount.get(), lines.into_iter().collect()));
                prop_assert_eq!(note.iter().map(|line| line.amounts.total()).sum::<Paise>(), amount);
                notes.extend(note);
                credited = credited + amount;
            }
            assert_within(&invoice, &notes);
            let rest = total.total() - credited;
            if rest > Paise::ZERO {
                notes.extend(credit_note_lines(&invoice, &notes, &refund(rest.get(), vec![])));
            }
            prop_assert_eq!(notes.iter().map(|line| line.amounts).sum::<TaxAmounts>(), total);
        }

        /// Each step is a refund: its amount, whether it is requested before the invoice, whether an earlier version deducts
        /// it, how it ends, and whether it is repeated as an earlier version did.
        #[test]
        fn invoice_less_notes_is_the_money_kept(
            steps in prop::collection::vec((100_i64..20_000, any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()), 1..10),
        ) {
            let paid: Paise = steps.iter().map(|step| Paise::new(step.0)).sum();
            let mut refunds = Vec::<Refund>::new();
            let (mut invoice, mut before) = (paid, Vec::new());
            for (at, &(amount, early, deducts, fails, _)) in steps.iter().enumerate() {
                let mut one = refund(amount, vec![]);
                one.id = at.to_string().into();
                one.status = RefundStatus::Pending;
                if early && deducts {
                    one.deducted_from = Some("i".into());
                    invoice = invoice - one.amount;
                } else if early && !fails {
                    one.deducted_from = Some("i".into());
                    one.status = RefundStatus::Completed;
                    invoice = invoice - one.amount;
                }
                before.push(one.status);
                refunds.push(one);
            }
            let mut credited = Paise::ZERO;
            let mut complete = |refunds: &mut Vec<Refund>, at: usize| {
                refunds[at].status = RefundStatus::Completed;
                let due = amount_to_credit(&refunds[at], &"i".into(), refunds, credited);
                assert!(due >= Paise::ZERO && due <= refunds[at].amount);
                credited = credited + due;
            };
            for (at, &(_, _, _, fails, old)) in steps.iter().enumerate() {
                if before[at] == RefundStatus::Completed { continue }
                if !fails {
                    complete(&mut refunds, at);
                    continue;
                }
                refunds[at].status = RefundStatus::Failed;
                let mut again = refunds[at].clone();
                again.id = format!("{at}-again").into();
                again.retry_of = Some(at.to_string().into());
                again.status = RefundStatus::Pending;
                again.deducted_from = again.deducted_from.filter(|_| old);
                refunds.push(again);
                let last = refunds.len() - 1;
                if at % 3 == 0 {
                    refunds[last].status = RefundStatus::Failed;
                } else {
                    complete(&mut refunds, last);
                }
            }
            let sum = |filter: &dyn Fn(&Refund) -> bool| -> Paise {
                refunds.iter().filter(|one| filter(one)).map(|one| one.amount).sum()
            };
            let kept = paid - sum(&|one| one.is_completed());
            // What an invoice of an earlier version is without, and has not been refunded.
            let deducted = paid - invoice;
            let owed = (deducted - sum(&|one| one.is_completed())).max(Paise::ZERO);
            let declared = invoice - credited;
            prop_assert!(declared <= kept && declared >= kept - owed.max(deducted), "{declared} {kept} {owed}");
            let is_settled = refunds.iter().all(|one| one.deducted_from.is_none() || one.counts());
            prop_assert!(!is_settled || declared == kept, "{declared} {kept}");
        }

        #[test]
        fn very_small_notes_never_exceed_the_invoice(invoice in any_lines(), parts in prop::collection::vec(1_i64..5, 1..300)) {
            let mut notes: Vec<InvoiceLine> = Vec::new();
            for amount in parts {
                notes.extend(credit_note_lines(&invoice, &notes, &refund(amount, vec![])));
            }
            assert_within(&invoice, &notes);
        }
    }
}
