//! What a person may ask of any shop that knows them: to see all of it, and to be forgotten.

use mirasa_domain::address::SavedAddress;
use mirasa_domain::cart::CartLine;
use mirasa_domain::message::ContactMessage;
use mirasa_domain::order::Order;
use mirasa_domain::product::ProductId;
use mirasa_domain::user::{User, UserId};

use crate::admin::ensure_not_last_admin;
use crate::ports::images::ImageFolder;
use crate::repository::order_search::{OrderCursor, OrderFilter};
use crate::{AppError, Shop};

/// Of a person's orders, so many are read at a time.
const EXPORT_BATCH: i64 = 500;

/// All that the shop knows of a person.
#[derive(Debug)]
pub struct UserDataExport {
    pub user: User,
    pub addresses: Vec<SavedAddress>,
    pub cart: Vec<CartLine>,
    pub wishlist: Vec<ProductId>,
    pub orders: Vec<Order>,
    pub queries: Vec<ContactMessage>,
}

impl Shop {
    pub async fn export_user_data(&self, user: &User) -> Result<UserDataExport, AppError> {
        let user = user.clone();
        self.db
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
                    // Deleted orders are in no list, but the shop keeps them and their address.
                    orders.extend(db.deleted_orders_of(&user.id).await?);
                    orders.sort_by(|one, other| {
                        (other.created_at_ms, &other.id).cmp(&(one.created_at_ms, &one.id))
                    });
                    Ok(UserDataExport {
                        addresses: db.addresses(&user.id).await?,
                        cart: db.cart(&user.id).await?.0,
                        wishlist: db.wishlist(&user.id).await?,
                        queries: db.messages_from(&user.email).await?,
                        orders,
                        user,
                    })
                })
            })
            .await
    }

    /// The law wants orders kept, with the address that they went to; everything else goes. Unpaid orders end: money
    /// that still arrives for them goes back to where it came from, which takes no account here.
    pub async fn delete_account(&self, id: &UserId) -> Result<(), AppError> {
        let (shop, id, now_ms) = (self.clone(), id.clone(), self.now_ms());
        let (picture, left) = self
            .db
            .write(move |tx| {
                Box::pin(async move {
                    let admins = tx.lock_admins().await?;
                    ensure_not_last_admin(&admins, &id)?;
                    // A checkout holds the shopper too, so that none slips in behind this look.
                    tx.lock_user(&id).await?;
                    let user = tx
                        .user(&id)
                        .await?
                        .ok_or_else(AppError::not_authenticated)?;
                    let left = shop.end_orders_of(tx, &id).await?;
                    tx.erase_user(&id, &user.email, now_ms).await?;
                    Ok::<_, AppError>((user.profile_picture, left))
                })
            })
            .await?;
        self.show_released(&left);
        if let Some(file) = picture {
            self.delete_unused_profile_picture(file).await;
        }
        Ok(())
    }

    /// Nobody waits for this any more, so a shelf that fails is a matter for the log.
    pub(crate) async fn delete_unused_profile_picture(&self, file: String) {
        let asked = file.clone();
        let used: Result<bool, AppError> = self
            .db
            .read(move |db| Box::pin(async move { Ok(db.profile_picture_in_use(&asked).await?) }))
            .await;
        let dropped = match used {
            Ok(true) => return,
            Ok(false) => self.pictures.delete(ImageFolder::People, &file).await,
            Err(fault) => Err(fault.into()),
        };
        if let Err(fault) = dropped {
            tracing::error!(
                file,
                fault = format!("{fault:#}"),
                "a profile picture is still on the shelf"
            );
        }
    }
}
