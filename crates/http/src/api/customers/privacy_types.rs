//! The file of a data export.

use mirasa_app::catalogue::Snapshot;
use mirasa_app::customers::privacy::UserDataExport;
use mirasa_domain::message::ContactMessage;
use mirasa_domain::product::ProductId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::customers::address_types::AddressDto;
use crate::api::customers::types::UserDto;
use crate::api::orders::history_types::Viewer;
use crate::api::orders::types::OrderDto;
use crate::api::reviews::types::{OwnReviewDto, ReviewEditDto};
use crate::api::types::to_iso8601;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserDataResponse {
    pub exported_at: String,
    pub user: UserDto,
    pub addresses: Vec<AddressDto>,
    pub cart: Vec<ExportedCartItem>,
    /// The discount code in the cart.
    #[schema(required)]
    pub cart_discount_code: Option<String>,
    pub wishlist: Vec<ExportedWishlistItem>,
    /// Also deleted ones: the shop keeps them, with their address.
    pub orders: Vec<OrderDto>,
    /// Contact messages sent with the user's email address.
    pub queries: Vec<ExportedMessage>,
    /// Sold-out products that the user asked to be told about.
    pub stock_notices: Vec<ExportedStockNotice>,
    pub reviews: Vec<ExportedReview>,
    /// The ids of reviews that the user found helpful.
    pub helpful_reviews: Vec<String>,
    /// The user does not want emails that ask for reviews.
    pub wants_no_review_requests: bool,
    pub earlier_accounts: ExportedEarlierAccounts,
}

/// What is remembered of deleted accounts with the same email address, for discount codes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedEarlierAccounts {
    pub has_ordered: bool,
    /// Used codes that each customer can use once.
    pub once_only_codes: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedStockNotice {
    pub product_id: String,
    pub product_name: String,
    pub requested_at: String,
    /// When the email was written; null while the product is sold out.
    #[schema(required)]
    pub notified_at: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct ExportedCartItem {
    #[serde(rename = "productId")]
    pub product_id: String,
    #[serde(rename = "productName")]
    pub product_name: String,
    pub qty_50g: u32,
    pub qty_100g: u32,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportedWishlistItem {
    pub product_id: String,
    pub product_name: String,
}

#[derive(Serialize, ToSchema)]
pub struct ExportedMessage {
    pub at: String,
    pub name: String,
    pub email: String,
    pub message: String,
    /// What the shop has replied.
    pub replies: Vec<ExportedReply>,
}

#[derive(Serialize, ToSchema)]
pub struct ExportedReply {
    pub at: String,
    pub text: String,
}

#[derive(Serialize, ToSchema)]
pub struct ExportedReview {
    #[serde(flatten)]
    pub review: OwnReviewDto,
    /// What it said before, oldest first.
    pub edits: Vec<ReviewEditDto>,
}

impl From<ContactMessage> for ExportedMessage {
    fn from(query: ContactMessage) -> ExportedMessage {
        ExportedMessage {
            at: to_iso8601(query.at_ms),
            name: query.name,
            email: query.email,
            message: query.message,
            replies: query
                .replies
                .into_iter()
                .map(|reply| ExportedReply {
                    at: to_iso8601(reply.at_ms),
                    text: reply.text,
                })
                .collect(),
        }
    }
}

impl UserDataResponse {
    pub fn new(export: UserDataExport, snapshot: &Snapshot, now_ms: i64) -> UserDataResponse {
        // A deleted product has no name any more; its id was made from it.
        let name = |id: &ProductId| {
            snapshot.find(id).map_or_else(
                || id.0.clone(),
                |product| product.details.product_name.clone(),
            )
        };
        UserDataResponse {
            exported_at: to_iso8601(now_ms),
            user: export.user.into(),
            addresses: export.addresses.into_iter().map(Into::into).collect(),
            cart: export
                .cart
                .into_iter()
                .map(|line| ExportedCartItem {
                    product_name: name(&line.product),
                    product_id: line.product.0,
                    qty_50g: line.packs.of_50g,
                    qty_100g: line.packs.of_100g,
                })
                .collect(),
            cart_discount_code: export.cart_discount_code,
            wishlist: export
                .wishlist
                .into_iter()
                .map(|id| ExportedWishlistItem {
                    product_name: name(&id),
                    product_id: id.0,
                })
                .collect(),
            orders: export
                .orders
                .into_iter()
                .map(|order| OrderDto::new(order, Viewer::Customer, now_ms))
                .collect(),
            queries: export.queries.into_iter().map(Into::into).collect(),
            stock_notices: export
                .stock_notices
                .into_iter()
                .map(|notice| ExportedStockNotice {
                    product_name: name(&notice.product),
                    product_id: notice.product.0,
                    requested_at: to_iso8601(notice.requested_at_ms),
                    notified_at: notice.notified_at_ms.map(to_iso8601),
                })
                .collect(),
            reviews: export
                .reviews
                .into_iter()
                .map(|review| {
                    let own = export.review_edits.iter();
                    let own = own.filter(|edit| edit.review_id == review.id).cloned();
                    ExportedReview {
                        edits: own.map(ReviewEditDto::from).collect(),
                        review: OwnReviewDto::new(review, snapshot),
                    }
                })
                .collect(),
            helpful_reviews: export.review_votes.into_iter().map(|id| id.0).collect(),
            wants_no_review_requests: export.wants_no_review_requests,
            earlier_accounts: ExportedEarlierAccounts {
                has_ordered: export.earlier_accounts.has_ordered,
                once_only_codes: export.earlier_accounts.once_only_codes,
            },
        }
    }
}
