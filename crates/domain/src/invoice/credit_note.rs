//! The lines of a credit note: shares of the invoice's stored amounts. The notes of an invoice never exceed it, and the
//! last share of a line takes the remainder.

use crate::invoice::DocumentLine;
use crate::invoice::draft::spread;
use crate::money::Paise;
use crate::pack::PackSize;
use crate::refund::Refund;
use crate::tax::{TaxAmounts, TaxKind, split};

/// `notes` are the lines of all earlier credit notes of the invoice.
pub fn credit_note_lines(
    invoice: &[DocumentLine],
    notes: &[DocumentLine],
    refund: &Refund,
    kind: TaxKind,
) -> Vec<DocumentLine> {
    let left: Vec<_> = invoice.iter().map(|line| left_of(line, notes)).collect();
    let wanted = if refund.lines.is_empty() {
        let weights: Vec<_> = left.iter().map(|left| left.amounts.total()).collect();
        let amount = refund.amount.min(weights.iter().copied().sum());
        let shares = spread(amount, &weights);
        shares.into_iter().map(|share| (0, share)).collect()
    } else {
        packs_and_amounts(invoice, &left, refund)
    };
    invoice
        .iter()
        .zip(left)
        .zip(wanted)
        .filter(|(_, (_, amount))| *amount > Paise::ZERO)
        .map(|((line, left), (quantity, amount))| {
            let amounts = share_of(left.amounts, amount, line, kind);
            DocumentLine {
                quantity,
                gross: amount,
                discount: Paise::ZERO,
                amounts,
                ..line.clone()
            }
        })
        .collect()
}

struct Left {
    quantity: u32,
    amounts: TaxAmounts,
}

fn left_of(line: &DocumentLine, notes: &[DocumentLine]) -> Left {
    let of_line = notes
        .iter()
        .filter(|note| note.product == line.product && note.size == line.size);
    of_line.fold(
        Left {
            quantity: line.quantity,
            amounts: line.amounts,
        },
        |left, note| Left {
            quantity: left.quantity.saturating_sub(note.quantity),
            amounts: left.amounts - note.amounts,
        },
    )
}

/// The packs of each invoice line that the refund is for, and its amount for them.
fn packs_and_amounts(
    invoice: &[DocumentLine],
    left: &[Left],
    refund: &Refund,
) -> Vec<(u32, Paise)> {
    let mut wanted = vec![(0, Paise::ZERO); invoice.len()];
    for refunded in &refund.lines {
        let of_product: Vec<_> = (0..invoice.len())
            .filter(|at| invoice[*at].product == refunded.product)
            .collect();
        let weights: Vec<_> = of_product
            .iter()
            .map(|at| {
                let line = &invoice[*at];
                let packs = packs_of(refunded.packs.of_50g, refunded.packs.of_100g, line.size);
                let price = line.gross.get() / i64::from(line.quantity.max(1));
                Paise::new(price * i64::from(packs))
            })
            .collect();
        let room: Paise = of_product.iter().map(|at| left[*at].amounts.total()).sum();
        let shares = spread(refunded.amount.min(room), &weights);
        let mut rest = Paise::ZERO;
        for (at, share) in of_product.iter().zip(shares) {
            let packs = packs_of(
                refunded.packs.of_50g,
                refunded.packs.of_100g,
                invoice[*at].size,
            );
            let share = share + rest;
            let taken = share.min(left[*at].amounts.total());
            rest = share - taken;
            wanted[*at] = (packs.min(left[*at].quantity), taken);
        }
        // What did not fit into the later lines goes into the earlier ones.
        for at in of_product {
            let room = left[at].amounts.total() - wanted[at].1;
            let more = rest.min(room);
            wanted[at].1 = wanted[at].1 + more;
            rest = rest - more;
        }
    }
    wanted
}

fn packs_of(of_50g: u32, of_100g: u32, size: PackSize) -> u32 {
    match size {
        PackSize::G50 => of_50g,
        PackSize::G100 => of_100g,
    }
}

/// The tax of a part of what is left of a line: never more than is left, and everything for the last part.
fn share_of(left: TaxAmounts, amount: Paise, line: &DocumentLine, kind: TaxKind) -> TaxAmounts {
    if amount == left.total() {
        return left;
    }
    let computed = split(amount, line.rate, kind);
    let half = computed.cgst.min(left.cgst).min(left.sgst);
    let igst = computed.igst.min(left.igst);
    // The taxable value must not exceed what is left either.
    let taxable = (amount - half - half - igst).min(left.taxable);
    let over = amount - taxable - half - half - igst;
    if over == Paise::ZERO {
        return TaxAmounts {
            taxable,
            cgst: half,
            sgst: half,
            igst,
        };
    }
    let more_half = Paise::new((over.get() + 1) / 2);
    match kind {
        TaxKind::WithinState => TaxAmounts {
            taxable: taxable + over - more_half - more_half,
            cgst: half + more_half,
            sgst: half + more_half,
            igst,
        },
        TaxKind::BetweenStates | TaxKind::None => TaxAmounts {
            taxable,
            cgst: half,
            sgst: half,
            igst: igst + over,
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::order_event::Actor;
    use crate::pack::Packs;
    use crate::product::ProductId;
    use crate::refund::{RefundLine, RefundStatus};
    use crate::tax::TaxRate;

    fn line(
        product: &str,
        size: PackSize,
        quantity: u32,
        gross: i64,
        rate: u32,
        kind: TaxKind,
    ) -> DocumentLine {
        let rate = TaxRate::from_basis_points(rate);
        DocumentLine {
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
            id: String::new(),
            merchant_order_id: String::new(),
            order_id: String::new(),
            amount: Paise::new(amount),
            reason: String::new(),
            status: RefundStatus::Completed,
            requested_by: Actor::System,
            retry_of: None,
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
        let note = credit_note_lines(&invoice, &[], &refund(18_500, vec![packs]), kind);
        let parts: Vec<_> = note
            .iter()
            .map(|line| (line.quantity, line.amounts.total().get()))
            .collect();
        assert_eq!(parts, [(1, 6_500), (1, 12_000)]);
        let rest = credit_note_lines(&invoice, &note, &refund(6_500, vec![]), kind);
        let all: TaxAmounts = note.iter().chain(&rest).map(|line| line.amounts).sum();
        assert_eq!(all, invoice.iter().map(|line| line.amounts).sum());
    }

    prop_compose! {
        fn any_lines()(
            lines in prop::collection::vec((1_u32..5, 100_i64..100_000, 0_u32..=2_800, any::<bool>()), 1..5),
            within in any::<bool>(),
        ) -> (Vec<DocumentLine>, TaxKind) {
            let kind = if within { TaxKind::WithinState } else { TaxKind::BetweenStates };
            let size = |large| if large { PackSize::G100 } else { PackSize::G50 };
            let lines = lines.into_iter().enumerate();
            let lines = lines.map(|(at, (quantity, gross, rate, large))| line(&format!("p{at}"), size(large), quantity, gross, rate, kind));
            (lines.collect(), kind)
        }
    }

    proptest! {
        #[test]
        fn notes_never_exceed_the_invoice((invoice, kind) in any_lines(), parts in prop::collection::vec(1_i64..60_000, 1..12)) {
            let total: TaxAmounts = invoice.iter().map(|line| line.amounts).sum();
            let mut notes: Vec<DocumentLine> = Vec::new();
            let mut credited = Paise::ZERO;
            for part in parts {
                let amount = Paise::new(part).min(total.total() - credited);
                if amount == Paise::ZERO { break }
                let note = credit_note_lines(&invoice, &notes, &refund(amount.get(), vec![]), kind);
                prop_assert_eq!(note.iter().map(|line| line.amounts.total()).sum::<Paise>(), amount);
                for line in &note {
                    let amounts = line.amounts;
                    prop_assert_eq!(amounts.cgst, amounts.sgst);
                    prop_assert!([amounts.taxable, amounts.cgst, amounts.igst].into_iter().all(|one| one >= Paise::ZERO), "{:?}", amounts);
                }
                notes.extend(note);
                credited = credited + amount;
            }
            for line in &invoice {
                let left = left_of(line, &notes).amounts;
                prop_assert!([left.taxable, left.cgst, left.sgst, left.igst].into_iter().all(|one| one >= Paise::ZERO), "{:?}", left);
            }
            let rest = total.total() - credited;
            if rest > Paise::ZERO {
                notes.extend(credit_note_lines(&invoice, &notes, &refund(rest.get(), vec![]), kind));
            }
            prop_assert_eq!(notes.iter().map(|line| line.amounts).sum::<TaxAmounts>(), total);
        }
    }
}
