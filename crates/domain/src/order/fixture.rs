//! Orders for the tests of this crate.

use super::{Order, OrderLine, OrderState};
use crate::address::Address;
use crate::id::{ProductId, UserId};
use crate::money::Paise;
use crate::pack::{Packs, Prices};

/// Without lines. Its newest attempt is `M2`, and its time to pay is 15 minutes.
pub(crate) fn order(state: OrderState) -> Order {
    Order {
        id: "O1".into(),
        user: UserId("u1".into()),
        merchant_order_id: "M2".into(),
        state,
        payment_error: None,
        paid_by_attempt: None,
        address: Address {
            address_name: String::new(),
            name: String::new(),
            phone: String::new(),
            line1: String::new(),
            line2: String::new(),
            city: String::new(),
            state: String::new(),
            pincode: String::new(),
        },
        expires_at_ms: 15 * 60_000,
        created_at_ms: 0,
        updated_at_ms: 0,
        deleted_at_ms: None,
        delivered_at_ms: None,
        packed_at_ms: None,
        replaces_order_id: None,
        discount: None,
        lines: Vec::new(),
        version: 0,
        sends_refunded: false,
    }
}

/// At ₹50 for 50 g and ₹90 for 100 g, without discount.
pub(crate) fn line(packs: Packs) -> OrderLine {
    let prices = Prices {
        of_50g: Some(Paise::new(5_000)),
        of_100g: Some(Paise::new(9_000)),
    };
    OrderLine {
        product: ProductId("goda".into()),
        product_name: "Goda Masala".into(),
        image: String::new(),
        packs,
        prices,
        discount: Paise::ZERO,
        total: prices.by_size(packs).map(|item| item.total()).sum(),
        restocked: Packs::ZERO,
    }
}
