//! All that the shop knows of a person, as the file that they get.

use mirasa_app::catalogue::Snapshot;
use mirasa_app::ports::orders::Order;
use mirasa_app::ports::storage::ContactMessage;
use mirasa_app::privacy::UserDataExport;
use mirasa_domain::product::ProductId;
use serde::Serialize;
use utoipa::ToSchema;

use super::iso;
use super::order::OrderWire;
use super::people::{AddressWire, UserWire};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonalData {
    pub exported_at: String,
    pub user: UserWire,
    pub addresses: Vec<AddressWire>,
    pub cart: Vec<CartEntry>,
    pub wishlist: Vec<WishEntry>,
    pub orders: Vec<KeptOrder>,
    /// What was written to the shop under the person's e-mail address.
    pub queries: Vec<QueryEntry>,
}

/// An order, in the shop's lists or not.
#[derive(Serialize, ToSchema)]
pub struct KeptOrder {
    #[serde(flatten)]
    pub order: OrderWire,
    /// When an admin deleted it. The shop keeps it, with its address.
    #[serde(rename = "deletedAt")]
    #[schema(required)]
    pub deleted_at: Option<String>,
}

impl From<Order> for KeptOrder {
    fn from(order: Order) -> KeptOrder {
        KeptOrder {
            deleted_at: order.deleted_at_ms.map(iso),
            order: order.into(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct CartEntry {
    #[serde(rename = "productId")]
    pub product_id: String,
    #[serde(rename = "productName")]
    pub product_name: String,
    pub qty_50g: u32,
    pub qty_100g: u32,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WishEntry {
    pub product_id: String,
    pub product_name: String,
}

#[derive(Serialize, ToSchema)]
pub struct QueryEntry {
    pub at: String,
    pub name: String,
    pub email: String,
    pub message: String,
}

impl From<ContactMessage> for QueryEntry {
    fn from(query: ContactMessage) -> QueryEntry {
        QueryEntry {
            at: iso(query.at_ms),
            name: query.name,
            email: query.email,
            message: query.message,
        }
    }
}

impl PersonalData {
    pub fn new(dossier: UserDataExport, snapshot: &Snapshot, now_ms: i64) -> PersonalData {
        // A product that was deleted has no name any more; its id is made of it.
        let name = |id: &ProductId| {
            snapshot.find(id).map_or_else(
                || id.0.clone(),
                |product| product.details.product_name.clone(),
            )
        };
        PersonalData {
            exported_at: iso(now_ms),
            user: dossier.user.into(),
            addresses: dossier.addresses.into_iter().map(Into::into).collect(),
            cart: dossier
                .cart
                .into_iter()
                .map(|line| CartEntry {
                    product_name: name(&line.product),
                    product_id: line.product.0,
                    qty_50g: line.packs.of_50g,
                    qty_100g: line.packs.of_100g,
                })
                .collect(),
            wishlist: dossier
                .wishlist
                .into_iter()
                .map(|id| WishEntry {
                    product_name: name(&id),
                    product_id: id.0,
                })
                .collect(),
            orders: dossier.orders.into_iter().map(Into::into).collect(),
            queries: dossier.queries.into_iter().map(Into::into).collect(),
        }
    }
}
