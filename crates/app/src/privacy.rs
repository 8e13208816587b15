//! Data protection: export of a user's data, and deletion of an account.

use mirasa_domain::address::SavedAddress;
use mirasa_domain::cart::CartLine;
use mirasa_domain::message::ContactMessage;
use mirasa_domain::order::Order;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{User, UserId};

use crate::admin::ensure_not_last_admin;
use crate::orders::OrderDetails;
use crate::ports::images::ImageFolder;
use crate::repository::order_search::{OrderCursor, OrderFilter};
use crate::{AppError, Shop};

/// Orders that are read at a time.
const EXPORT_BATCH: i64 = 500;

/// All stored data of a user.
#[derive(Debug)]
pub struct UserDataExport {
    pub user: User,
    pub addresses: Vec<SavedAddress>,
    pub cart: Vec<CartLine>,
    /// The discount code in the cart.
    pub cart_discount_code: Option<String>,
    pub wishlist: Vec<ProductId>,
    pub orders: Vec<OrderDetails>,
    pub queries: Vec<ContactMessage>,
}

impl Shop {
    pub async fn export_user_data(&self, user: &User) -> Result<UserDataExport, AppError> {
        let user = user.clone();
        let (mut export, orders): (UserDataExport, Vec<Order>) = self
            .db
            .read(move |db| {
                Box::pin(async move {
                    let filter = OrderFilter {
                        user_id: user.id.0.clone(),
                        ..OrderFilter::default()
                    };
                    let mut orders = Vec::<Order>::new();
                    loop {
                        let last = orders.last().map(OrderCursor::from);
                        let more = db
                            .orders_after(&filter, last.as_ref(), EXPORT_BATCH)
                            .await?;
                        if more.is_empty() {
                            break;
                        }
                        orders.extend(more);
                    }
                    // Deleted orders are in no list, but they and their addresses are still stored.
                    orders.extend(db.deleted_orders_of(&user.id).await?);
                    orders.sort_by(|one, other| {
                        (other.created_at_ms, &other.id).cmp(&(one.created_at_ms, &one.id))
                    });
                    let cart = db.cart(&user.id).await?;
                    let discount = match &cart.discount_id {
                        Some(id) => db.discount(id).await?,
                        None => None,
                    };
                    let export = UserDataExport {
                        addresses: db.addresses(&user.id).await?,
                        cart: cart.lines,
                        cart_discount_code: discount.map(|one| one.code.as_str().to_owned()),
                        wishlist: db.wishlist(&user.id).await?,
                        queries: db.messages_from(&user.email).await?,
                        orders: Vec::new(),
                        user,
                    };
                    Ok::<_, AppError>((export, orders))
                })
            })
            .await?;
        export.orders = self.with_details(orders).await?;
        Ok(export)
    }

    /// Deletes everything except the orders and their delivery addresses, which the law requires to be kept. Unpaid
    /// orders end; late payments for them are refunded, which does not need the account.
    pub async fn delete_account(&self, id: &UserId) -> Result<(), AppError> {
        let (shop, id, now_ms) = (self.clone(), id.clone(), self.now_ms());
        let (profile_picture, photos, left) = self
            .db
            .write(move |tx| {
                Box::pin(async move {
                    let admins = tx.lock_admins().await?;
                    ensure_not_last_admin(&admins, &id)?;
                    // Checkout locks the user too, so no order can be placed between this check and the deletion.
                    tx.lock_user(&id).await?;
                    let user = tx
                        .user(&id)
                        .await?
                        .ok_or_else(AppError::not_authenticated)?;
                    let left = shop.end_orders_of(tx, &id).await?;
                    let photos = tx.erase_user(&id, &user.email, now_ms).await?;
                    Ok::<_, AppError>((user.profile_picture, photos, left))
                })
            })
            .await?;
        self.show_released(&left);
        if let Some(file) = profile_picture {
            self.delete_unused_profile_picture(file).await;
        }
        self.delete_problem_images(&photos).await;
        Ok(())
    }

    /// Failures are only logged: the user's request has been fulfilled without this.
    pub(crate) async fn delete_unused_profile_picture(&self, file: String) {
        let name = file.clone();
        let is_used: Result<bool, AppError> = self
            .db
            .read(move |db| Box::pin(async move { Ok(db.profile_picture_in_use(&name).await?) }))
            .await;
        let deleted = match is_used {
            Ok(true) => return,
            Ok(false) => self.pictures.delete(ImageFolder::People, &file).await,
            Err(error) => Err(error.into()),
        };
        if let Err(error) = deleted {
            tracing::error!(
                file,
                error = format!("{error:#}"),
                "a profile picture could not be deleted"
            );
        }
    }
}
