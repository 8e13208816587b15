//! Packs that were sent are in stock again only once they came back.

use mirasa_domain::order::{Order, OrderId, short_id};
use mirasa_domain::order_event;
use mirasa_domain::restock::{NotInShop, Whereabouts, check_in_shop};
use mirasa_domain::shipment::ShipmentStatus;

use crate::orders::SeenOrder;
use crate::repository::Transaction;
use crate::{AppError, ErrorCode};

/// For a request that puts packs of the order back into stock. `came_back`: the admin says that the packs are there. The
/// caller has locked the order.
pub(crate) async fn check_restock(
    tx: &mut dyn Transaction,
    order: &Order,
    seen: SeenOrder,
    came_back: bool,
) -> Result<(), AppError> {
    if came_back {
        return Ok(());
    }
    let whereabouts = read_whereabouts(tx, order).await?;
    check_in_shop(order, &whereabouts, seen).map_err(|why| not_in_shop(order, why))
}

/// The caller has locked the order.
pub(crate) async fn read_whereabouts(
    tx: &mut dyn Transaction,
    order: &Order,
) -> Result<Whereabouts, AppError> {
    let ids = std::slice::from_ref(&order.id);
    let shipments = tx.shipments_of(ids).await?;
    Ok(Whereabouts {
        parcels: shipments.iter().map(|one| one.position.status).collect(),
        has_left_shop: order_event::has_left_shop(&tx.events_of(ids).await?),
    })
}

pub(crate) fn not_in_shop(order: &Order, why: NotInShop) -> AppError {
    match why {
        NotInShop::WithCourier => sent_away(order),
        NotInShop::SentUnseen => unseen(order),
    }
}

fn sent_away(order: &Order) -> AppError {
    let text = format!(
        "The courier has the parcel of order {}, so its packs cannot go back into stock yet. If they came back, send cameBack.",
        short_id(&order.id)
    );
    AppError::conflict(text).with_field("restock")
}

fn unseen(order: &Order) -> AppError {
    let (id, status) = (short_id(&order.id), order.state.order_status);
    let text = if status.has_left_shop() {
        format!("Order {id} is {}.", status.as_str())
    } else {
        format!(
            "Order {id} was sent before it was set to {}.",
            status.as_str()
        )
    };
    let text = format!("{text} To put its packs back into stock, send cameBack.");
    AppError::new(ErrorCode::OrderChanged, text)
}

/// Packs that are lost cannot go back into stock. The caller has locked the order.
pub(super) async fn ensure_not_lost(
    tx: &mut dyn Transaction,
    order_id: &OrderId,
) -> Result<(), AppError> {
    let shipments = tx.shipments_of(&[order_id.to_owned()]).await?;
    let last = shipments.last().map(|last| last.position.status);
    if last == Some(ShipmentStatus::Lost) {
        return Err(AppError::conflict(
            "The parcel is lost, so its packs cannot go back into stock. Refund the order without restocking.",
        ));
    }
    Ok(())
}
