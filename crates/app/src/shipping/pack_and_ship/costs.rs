//! What the parcels of several orders would cost, before they are booked.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use futures::future::join_all;
use mirasa_domain::address::Pincode;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::refund::Refund;

use crate::ports::courier::{Courier, CourierQuote};
use crate::shipping::contents::ParcelContents;
use crate::shipping::estimates::choose;
use crate::shipping::ship::no_partner;
use crate::{AppError, Shop};

/// Each may be a request to the partner.
const MAX_ASKED: usize = 20;
/// The page shows the orders meanwhile.
const TIMEOUT: Duration = Duration::from_secs(4);

/// The offer that booking the parcel would choose now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParcelCost {
    pub order_id: OrderId,
    /// None if the partner does not say, or does not serve the pincode.
    pub offer: Option<(String, Paise)>,
}

impl Shop {
    /// Asks the partner once for each pincode and weight, all at the same time.
    pub async fn parcel_costs(&self, mut ids: Vec<OrderId>) -> Result<Vec<ParcelCost>, AppError> {
        let courier = self.courier.clone().ok_or_else(no_partner)?;
        ids.sort();
        ids.dedup();
        if ids.is_empty() || ids.len() > MAX_ASKED {
            let message = format!("Choose 1 to {MAX_ASKED} orders");
            return Err(AppError::invalid(message).with_field("orders"));
        }
        let (orders, refunds): (Vec<Order>, Vec<Refund>) = self
            .db
            .read(async move |db| {
                let orders = db.orders_by_id(&ids).await?;
                Ok::<_, AppError>((orders, db.refunds_of(&ids).await?))
            })
            .await?;
        let tare_grams = self.settings.shipping.tare_grams;
        let parcel = |order: &Order| {
            let pincode = Pincode::parse(&order.address.pincode).ok()?;
            let grams = ParcelContents::of(order, &refunds).grams(tare_grams);
            Some((pincode.get(), grams))
        };
        let parcels: BTreeSet<_> = orders.iter().filter_map(parcel).collect();
        let asked = parcels.into_iter().map(async |(pincode, grams)| {
            ((pincode, grams), quotes(&*courier, pincode, grams).await)
        });
        let known: HashMap<_, _> = join_all(asked).await.into_iter().collect();
        let rule = self.settings.shipping.rule;
        let costs = orders.iter().map(|order| {
            let quotes = parcel(order).and_then(|parcel| known.get(&parcel));
            let chosen = quotes.and_then(|quotes| choose(quotes, rule));
            ParcelCost {
                order_id: order.id.clone(),
                offer: chosen.map(|quote| (quote.name.clone(), quote.cost)),
            }
        });
        Ok(costs.collect())
    }
}

/// Empty if the partner does not respond.
async fn quotes(courier: &dyn Courier, pincode: u32, grams: i64) -> Vec<CourierQuote> {
    let Ok(pincode) = Pincode::parse(&pincode.to_string()) else {
        return Vec::new();
    };
    match tokio::time::timeout(TIMEOUT, courier.quotes(pincode, grams)).await {
        Ok(Ok(quotes)) => quotes,
        Ok(Err(error)) => {
            tracing::warn!(%error, "the delivery partner did not say what a parcel costs");
            Vec::new()
        }
        Err(_) => Vec::new(),
    }
}
