//! Credit notes of refunds and of parts of them.

use proptest::prelude::*;

use super::*;
use crate::id::ProductId;
use crate::pack::Packs;
use crate::refund::{RefundLine, RefundStatus, fixture};
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
        lines,
        ..fixture::refund(Paise::new(amount), RefundStatus::Completed)
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
