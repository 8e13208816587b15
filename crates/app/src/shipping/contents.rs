//! What a parcel has in it: the packs that are really sent, without those that were refunded or put back into stock.

use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderLine};
use mirasa_domain::pack::Packs;
use mirasa_domain::refund::Refund;
use mirasa_domain::shipment::{ParcelLine, Shipment};

use crate::ports::courier::ParcelItem;

pub(super) struct ParcelContents<'o>(Vec<(&'o OrderLine, Packs)>);

impl<'o> ParcelContents<'o> {
    /// `refunds` may have those of other orders too.
    pub fn of(order: &'o Order, refunds: &[Refund]) -> ParcelContents<'o> {
        let lines = order.lines.iter();
        let packs = lines.map(|line| (line, order.packs_to_send(line, refunds)));
        ParcelContents(packs.filter(|(_, packs)| !packs.is_empty()).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn packs(&self) -> u32 {
        self.0.iter().map(|(_, packs)| packs.count()).sum()
    }

    /// The packs and the packaging.
    pub fn grams(&self, tare_grams: u32) -> i64 {
        let packs: u64 = self.0.iter().map(|(_, packs)| packs.grams()).sum();
        i64::try_from(packs).unwrap_or(i64::MAX / 2) + i64::from(tare_grams)
    }

    /// What was paid for these packs.
    pub fn value(&self) -> Paise {
        self.0.iter().map(|(line, packs)| line.share(*packs)).sum()
    }

    /// As they are stored.
    pub fn lines(&self) -> Vec<ParcelLine> {
        let lines = self.0.iter().map(|(line, packs)| ParcelLine {
            product: line.product.clone(),
            packs: *packs,
        });
        lines.collect()
    }

    /// Whether the parcel was recorded with these packs. Of those of an earlier version, only the weight is known.
    pub fn are_in(&self, shipment: &Shipment, tare_grams: u32) -> bool {
        let known = shipment.contents.as_ref();
        shipment.weight_grams == self.grams(tare_grams)
            && known.is_none_or(|known| *known == self.lines())
    }

    pub fn items(&self) -> Vec<ParcelItem> {
        let items = self.0.iter().flat_map(|(line, packs)| {
            line.prices.by_size(*packs).map(|item| ParcelItem {
                name: line.item_name(item.size),
                sku: format!("{}-{}", line.product.0, item.size.grams()),
                quantity: item.quantity,
                price: item.price,
            })
        });
        items.collect()
    }
}
