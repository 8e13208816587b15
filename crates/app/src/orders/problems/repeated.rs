//! Whether packs of a reported problem, or of a refund, were replaced or refunded before. The customer may report them again;
//! the owner is warned.

use std::collections::{HashMap, HashSet};

use mirasa_domain::ist;
use mirasa_domain::order::{Order, OrderId, OrderStatus, short_id};
use mirasa_domain::pack::Packs;
use mirasa_domain::problem::{Problem, ProblemLine, ProblemState};
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::Refund;

use crate::repository::{Queries, Transaction};
use crate::{AppError, ErrorCode};

/// What was decided about some orders before.
pub(in crate::orders) struct EarlierDecisions {
    problems: Vec<Problem>,
    /// Those of the orders' own payments.
    refunds: Vec<Refund>,
    /// Replacements that were not sent.
    cancelled: HashSet<OrderId>,
    /// The orders that were paid, by their replacements.
    originals: HashMap<OrderId, OrderId>,
}

impl EarlierDecisions {
    pub async fn read<Q: Queries + ?Sized>(
        db: &mut Q,
        order_ids: &[OrderId],
    ) -> Result<EarlierDecisions, AppError> {
        let problems = db.problems_of(order_ids).await?;
        let originals: HashMap<_, _> = db
            .original_orders_of(order_ids)
            .await?
            .into_iter()
            .collect();
        let paid: Vec<_> = order_ids
            .iter()
            .chain(originals.values())
            .cloned()
            .collect();
        let replacements: Vec<_> = problems
            .iter()
            .filter_map(|problem| problem.replacement_order_id.clone())
            .collect();
        let replacements = db.orders_by_id(&replacements).await?.into_iter();
        let cancelled = replacements
            .filter(|order| order.state.order_status == OrderStatus::Cancelled)
            .map(|order| order.id);
        // A second payment that was returned is no part of the sale.
        let orders = db.orders_by_id(&paid).await?.into_iter();
        let payments: HashSet<_> = orders.filter_map(|order| order.paid_by_attempt).collect();
        let mut refunds = db.refunds_of(&paid).await?;
        refunds.retain(|refund| payments.contains(&refund.merchant_order_id));
        Ok(EarlierDecisions {
            refunds,
            cancelled: cancelled.collect(),
            problems,
            originals,
        })
    }

    /// `2 of these packs were refunded on 18 Nov 2026, 1 was replaced by order EE12AB35 on 18 Nov 2026.` None if there was
    /// nothing. It cannot be known whether these are the same packs, so that the owner decides.
    pub fn warning(&self, problem: &Problem) -> Option<String> {
        let mut parts = Vec::new();
        self.push_refunded(&mut parts, &problem.order_id, &problem.lines);
        self.push_replaced(&mut parts, &problem.order_id, &problem.lines);
        (!parts.is_empty()).then(|| format!("{}.", parts.join(", ")))
    }

    fn push_refunded(&self, parts: &mut Vec<String>, order_id: &OrderId, lines: &[ProblemLine]) {
        let original = self.originals.get(order_id);
        for refund in self.refunds.iter().filter(|refund| refund.counts()) {
            let is_of_order = refund.order_id == *order_id;
            if !is_of_order && Some(&refund.order_id) != original {
                continue;
            }
            let of = match is_of_order {
                true => String::new(),
                false => format!(" with order {}", short_id(&refund.order_id)),
            };
            let on = ist::date(ist::day(refund.created_at_ms));
            match self.packs_of(refund) {
                Some(refunded) => {
                    let count = overlap(lines, &refunded);
                    push_packs(parts, count, &format!("refunded{of} on {on}"));
                }
                None => parts.push(format!(
                    "{} of the payment was refunded{of} on {on}",
                    refund.amount
                )),
            }
        }
    }

    /// As `warning`, for packs that are to be refunded. Packs that were refunded before cannot be refunded again anyway.
    pub fn warning_of_refund(
        &self,
        order_id: &OrderId,
        packs: &[(ProductId, Packs)],
    ) -> Option<String> {
        let lines = packs.iter().map(|(product, packs)| ProblemLine {
            product: product.clone(),
            packs: *packs,
        });
        let mut parts = Vec::new();
        self.push_replaced(&mut parts, order_id, &lines.collect::<Vec<_>>());
        (!parts.is_empty()).then(|| format!("{}.", parts.join(", ")))
    }

    fn push_replaced(&self, parts: &mut Vec<String>, order_id: &OrderId, lines: &[ProblemLine]) {
        let of_order = self
            .problems
            .iter()
            .filter(|one| one.order_id == *order_id && one.state == ProblemState::Replaced);
        for earlier in of_order {
            let Some(replacement) = &earlier.replacement_order_id else {
                continue;
            };
            if self.cancelled.contains(replacement) {
                continue;
            }
            let on = ist::date(ist::day(earlier.resolved_at_ms.unwrap_or_default()));
            let count = overlap(lines, &earlier.lines);
            let text = format!("replaced by order {} on {on}", short_id(replacement));
            push_packs(parts, count, &text);
        }
    }

    /// As `warning`, for a cancelled replacement of some packs of `order` that is to be sent after all. None if the order has
    /// packs for what was made good otherwise and for the replacement.
    fn warning_of_replacement(&self, order: &Order, replacement: &Order) -> Option<String> {
        let to_send = replacement.lines.iter().map(|line| ProblemLine {
            product: line.product.clone(),
            packs: line.packs.saturating_sub(line.restocked),
        });
        let to_send: Vec<_> = to_send.collect();
        let mut made_good: Vec<ProblemLine> = Vec::new();
        for refund in self.refunds.iter().filter(|refund| refund.counts()) {
            let resolves = |one: &Problem| one.refund_id.as_ref() == Some(&refund.id);
            if refund.order_id == order.id || self.problems.iter().any(resolves) {
                made_good.extend(self.packs_of(refund).unwrap_or_default());
            }
        }
        if order.is_refunded(&self.refunds) {
            made_good = lines_of(order);
        }
        for problem in &self.problems {
            let other = problem.replacement_order_id.as_ref();
            let is_sent =
                other.is_some_and(|id| *id != replacement.id && !self.cancelled.contains(id));
            if problem.state == ProblemState::Replaced && is_sent {
                made_good.extend(problem.lines.iter().cloned());
            }
        }
        let is_twice = to_send.iter().any(|line| {
            let of_product = |one: &&ProblemLine| one.product == line.product;
            let before = made_good.iter().filter(of_product);
            let before = before.fold(Packs::ZERO, |sum, one| sum + one.packs);
            let ordered = order.lines.iter().find(|one| one.product == line.product);
            let ordered = ordered.map_or(Packs::ZERO, |one| one.packs);
            let left = ordered.saturating_sub(before);
            !line.packs.saturating_sub(left).is_empty()
        });
        let (mut parts, on_order) = (Vec::new(), &order.id);
        if is_twice {
            self.push_refunded(&mut parts, on_order, &to_send);
            self.push_replaced(&mut parts, on_order, &to_send);
        }
        (!parts.is_empty()).then(|| format!("{}.", parts.join(", ")))
    }

    pub fn paid_order_for<'i>(&'i self, order_id: &'i OrderId) -> &'i OrderId {
        self.originals.get(order_id).unwrap_or(order_id)
    }

    /// A refund of an amount names no packs. If a problem was resolved with it, it is for the packs of that problem.
    fn packs_of(&self, refund: &Refund) -> Option<Vec<ProblemLine>> {
        if !refund.lines.is_empty() {
            let lines = refund.lines.iter().map(|line| ProblemLine {
                product: line.product.clone(),
                packs: line.packs,
            });
            return Some(lines.collect());
        }
        let mut resolved = self.problems.iter();
        let resolved = resolved.find(|one| one.refund_id.as_ref() == Some(&refund.id))?;
        Some(resolved.lines.clone())
    }
}

/// Refuses a refund of packs of the order that were replaced: the customer would have other packs and the price.
pub(crate) async fn check_not_replaced(
    tx: &mut dyn Transaction,
    order: &Order,
    packs: &[(ProductId, Packs)],
) -> Result<(), AppError> {
    match replaced_before(tx, order, packs).await? {
        Some(warning) => Err(AppError::new(ErrorCode::ProblemRepeated, warning)),
        None => Ok(()),
    }
}

/// Which of the packs were replaced, in words.
pub(crate) async fn replaced_before(
    tx: &mut dyn Transaction,
    order: &Order,
    packs: &[(ProductId, Packs)],
) -> Result<Option<String>, AppError> {
    if packs.is_empty() {
        return Ok(None);
    }
    let earlier = EarlierDecisions::read(tx, std::slice::from_ref(&order.id)).await?;
    Ok(earlier.warning_of_refund(&order.id, packs))
}

/// What was done about the packs of a cancelled replacement otherwise, if it is too much to send it after all. None for other
/// orders. The caller has locked the customer.
pub(in crate::orders) async fn made_good_otherwise(
    tx: &mut dyn Transaction,
    order: &Order,
) -> Result<Option<String>, AppError> {
    let Some(replaced) = &order.replaces_order_id else {
        return Ok(None);
    };
    let ids = std::slice::from_ref(replaced);
    let Some(replaced) = tx.orders_by_id(ids).await?.pop() else {
        return Ok(None);
    };
    let earlier = EarlierDecisions::read(tx, ids).await?;
    Ok(earlier.warning_of_replacement(&replaced, order))
}

fn lines_of(order: &Order) -> Vec<ProblemLine> {
    let lines = order.lines.iter().map(|line| ProblemLine {
        product: line.product.clone(),
        packs: line.packs,
    });
    lines.collect()
}

fn push_packs(parts: &mut Vec<String>, count: u32, what: &str) {
    let verb = if count == 1 { "was" } else { "were" };
    match (count, parts.is_empty()) {
        (0, _) => {}
        (_, true) => parts.push(format!("{count} of these packs {verb} {what}")),
        (_, false) => parts.push(format!("{count} {verb} {what}")),
    }
}

/// How many packs of the same product and size both have.
fn overlap(reported: &[ProblemLine], earlier: &[ProblemLine]) -> u32 {
    let both = reported.iter().flat_map(|line| {
        let same = earlier.iter().filter(|one| one.product == line.product);
        same.map(|one| one.packs.min(line.packs).count())
    });
    both.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(product: &str, of_50g: u32, of_100g: u32) -> ProblemLine {
        ProblemLine {
            product: ProductId(product.into()),
            packs: Packs { of_50g, of_100g },
        }
    }

    #[test]
    fn packs_of_the_same_product_and_size_are_counted() {
        let reported = [line("goda", 2, 1), line("chai", 0, 1)];
        assert_eq!(overlap(&reported, &[line("goda", 1, 0)]), 1);
        assert_eq!(
            overlap(&reported, &[line("goda", 3, 3), line("chai", 1, 0)]),
            3
        );
        assert_eq!(overlap(&reported, &[line("rasam", 1, 1)]), 0);
    }

    #[test]
    fn warning_reads_as_a_sentence() {
        let mut parts = Vec::new();
        push_packs(&mut parts, 0, "refunded on 1 Nov 2026");
        push_packs(&mut parts, 2, "refunded on 1 Nov 2026");
        push_packs(&mut parts, 1, "replaced by order EE12AB35 on 2 Nov 2026");
        assert_eq!(
            parts.join(", "),
            "2 of these packs were refunded on 1 Nov 2026, 1 was replaced by order EE12AB35 on 2 Nov 2026"
        );
    }
}
