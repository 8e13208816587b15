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
mod tests;
