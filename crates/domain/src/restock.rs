//! Which packs of an order can go back into stock: only those that it still holds, and only once they are in the shop.

use crate::id::ProductId;
use crate::order::{Order, OrderLine, OrderState, OrderStatus};
use crate::order_changes::SeenOrder;
use crate::pack::Packs;
use crate::shipment::ShipmentStatus;

/// Packs that go back into stock. It can only be made from an order that holds them, so nothing else is ever put back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restock(Vec<(ProductId, Packs)>);

impl Restock {
    /// All packs that the order still holds.
    pub fn everything(order: &Order) -> Restock {
        Restock::of(order.state, &order.lines, |line| line.packs)
    }

    /// These packs, as far as the order still holds them.
    pub fn chosen(order: &Order, chosen: &[(ProductId, Packs)]) -> Restock {
        Restock::of(order.state, &order.lines, |line| packs_of(line, chosen))
    }

    pub fn packs(&self) -> &[(ProductId, Packs)] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn of(state: OrderState, lines: &[OrderLine], wanted: impl Fn(&OrderLine) -> Packs) -> Restock {
        let packs = lines
            .iter()
            .map(|line| (line.product.clone(), wanted(line).min(line.held(state))))
            .filter(|(_, packs)| !packs.is_empty());
        Restock(packs.collect())
    }
}

/// A product that is listed twice counts once.
fn packs_of(line: &OrderLine, chosen: &[(ProductId, Packs)]) -> Packs {
    let of_line = chosen.iter().find(|(product, _)| *product == line.product);
    of_line.map_or(Packs::ZERO, |(_, packs)| *packs)
}

/// Where the packs of an order have been.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// The oldest first.
    pub parcels: Vec<ShipmentStatus>,
    /// Whether the order was set to shipped or delivered at any time.
    pub has_left_shop: bool,
}

/// Why the packs may not be in the shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotInShop {
    WithCourier,
    /// The order was sent, and the request does not know it.
    SentUnseen,
}

/// What the courier has does not come back by itself, and a request that does not know that the order was sent is refused.
pub fn check_in_shop(
    order: &Order,
    whereabouts: &Whereabouts,
    seen: SeenOrder,
) -> Result<(), NotInShop> {
    let mut sent = whereabouts.parcels.iter();
    match sent.rfind(|status| **status != ShipmentStatus::Cancelled) {
        Some(ShipmentStatus::Returned) => return Ok(()),
        Some(status) if status.has_left_shop() && !status.allows_another() => {
            return Err(NotInShop::WithCourier);
        }
        _ => {}
    }
    let has_left = order.state.order_status.has_left_shop() || whereabouts.has_left_shop;
    let knows = seen.version.is_some() || seen.status.is_some_and(OrderStatus::has_left_shop);
    if has_left && !knows {
        return Err(NotInShop::SentUnseen);
    }
    Ok(())
}

impl OrderLine {
    /// The packs that are taken out of the stock for this line now. An order that has released its stock holds none.
    pub fn held(&self, state: OrderState) -> Packs {
        if state.stock_reserved {
            self.packs
                .checked_sub(self.restocked)
                .unwrap_or(Packs::ZERO)
        } else {
            Packs::ZERO
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::money::Paise;
    use crate::order::{OrderStatus, PaymentStatus};
    use crate::pack::Prices;

    fn line(at: usize, packs: Packs) -> OrderLine {
        OrderLine {
            product: ProductId(format!("p{at}")),
            product_name: String::new(),
            image: String::new(),
            packs,
            prices: Prices::default(),
            discount: Paise::ZERO,
            total: Paise::ZERO,
            restocked: Packs::ZERO,
        }
    }

    prop_compose! {
        fn any_packs()(of_50g in 0_u32..7, of_100g in 0_u32..7) -> Packs {
            Packs { of_50g, of_100g }
        }
    }

    proptest! {
        /// Whatever is asked for in whatever sequence, the stock gets back each pack at most once, and none of an order
        /// that does not hold its packs.
        #[test]
        fn packs_come_back_once_and_only_if_they_are_held(
            ordered in prop::collection::vec(any_packs(), 1..4),
            steps in prop::collection::vec(prop::option::of((0_usize..5, any_packs())), 0..10),
            stock_reserved in any::<bool>(),
        ) {
            let state = OrderState {
                total: Paise::ZERO,
                payment_status: PaymentStatus::Completed,
                order_status: OrderStatus::Confirmed,
                stock_reserved,
                end_reason: None,
            };
            let mut lines: Vec<_> = ordered.iter().enumerate().map(|(at, packs)| line(at, *packs)).collect();
            let mut returned = vec![Packs::ZERO; lines.len()];
            // The last step asks for everything.
            for step in steps.into_iter().chain([None]) {
                let restock = match step {
                    None => Restock::of(state, &lines, |line| line.packs),
                    Some((at, packs)) => {
                        let wanted = (ProductId(format!("p{at}")), packs);
                        Restock::of(state, &lines, |line| packs_of(line, &[wanted.clone(), wanted.clone()]))
                    }
                };
                for (product, packs) in restock.packs() {
                    let at = lines.iter().position(|line| line.product == *product).unwrap();
                    returned[at] = returned[at] + *packs;
                    lines[at].restocked = lines[at].restocked + *packs;
                }
                for (line, returned) in lines.iter().zip(&returned) {
                    prop_assert!(line.packs.checked_sub(*returned).is_some());
                }
            }
            let held = if stock_reserved { ordered } else { vec![Packs::ZERO; lines.len()] };
            prop_assert_eq!(returned, held, "nothing more, and nothing that is held is forgotten");
        }
    }
}
