//! Data protection: export of a user's data, and deletion of an account.

use mirasa_domain::address::SavedAddress;
use mirasa_domain::cart::CartLine;
use mirasa_domain::message::ContactMessage;
use mirasa_domain::order::Order;
use mirasa_domain::product::ProductId;
use mirasa_domain::review::{Review, ReviewId};
use mirasa_domain::user::{User, UserId};

use crate::customers::ensure_not_last_admin;
use crate::emails::notification_email::NotificationEmail;
use crate::orders::OrderDetails;
use crate::ports::images::ImageFolder;
use crate::repository::Transaction;
use crate::repository::customers::erasure::{EarlierAccounts, ErasedFiles};
use crate::repository::orders::search::{OrderCursor, OrderFilter};
use crate::repository::reviews::ReviewEdit;
use crate::repository::stock::notices::StockNotice;
use crate::secret::keyed_hash;
use crate::{AppError, Shop};

/// Orders that are read at a time.
const EXPORT_BATCH: i64 = 500;
/// How far back emails are searched that another version of the server has left.
const LEFTOVER_AGE_MS: i64 = 7 * 24 * 60 * 60_000;
/// Separates this use of the secret from others.
const EMAIL_LABEL: &str = "discount uses of an erased customer\n";

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
    pub stock_notices: Vec<StockNotice>,
    pub reviews: Vec<Review>,
    pub review_edits: Vec<ReviewEdit>,
    /// Reviews of others that the user found helpful.
    pub review_votes: Vec<ReviewId>,
    pub wants_no_review_requests: bool,
    pub earlier_accounts: EarlierAccounts,
}

impl Shop {
    pub async fn export_user_data(&self, user: &User) -> Result<UserDataExport, AppError> {
        let user = user.clone();
        let (mut export, orders): (UserDataExport, Vec<Order>) = self
            .db
            .read(async move |db| {
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
                let reviews = db.reviews_by(&user.id).await?;
                let ids: Vec<_> = reviews.iter().map(|review| review.id.clone()).collect();
                let cart = db.cart(&user.id).await?;
                let discount = match &cart.discount_id {
                    Some(id) => db.discount(id).await?,
                    None => None,
                };
                let export = UserDataExport {
                    review_edits: db.review_edits(&ids).await?,
                    review_votes: db.all_votes_by(&user.id).await?,
                    wants_no_review_requests: db.wants_no_review_requests(&user.id).await?,
                    earlier_accounts: db.earlier_accounts(&user.id).await?,
                    reviews,
                    addresses: db.addresses(&user.id).await?,
                    cart: cart.lines,
                    cart_discount_code: discount.map(|one| one.code.as_str().to_owned()),
                    wishlist: db.wishlist(&user.id).await?,
                    queries: db.messages_from(&user.email).await?,
                    stock_notices: db.stock_notices_of(&user.email).await?,
                    orders: Vec::new(),
                    user,
                };
                Ok::<_, AppError>((export, orders))
            })
            .await?;
        export.orders = self.with_details(orders).await?;
        Ok(export)
    }

    /// Deletes everything, reviews included, except the orders and their delivery addresses, which the law requires to be kept.
    /// Emails that wait are not sent. A keyed hash of the address stays, for discount codes only. Unpaid orders end; late payments for them are refunded, which does not need the account.
    pub async fn delete_account(&self, id: &UserId) -> Result<(), AppError> {
        let (shop, id, now_ms) = (self.clone(), id.clone(), self.now_ms());
        let (profile_picture, files, left) = self
            .db
            .write(async move |tx| {
                let admins = tx.lock_admins().await?;
                ensure_not_last_admin(&admins, &id)?;
                // Checkout locks the user too, so no order can be placed between this check and the deletion.
                tx.lock_user(&id).await?;
                let user = tx
                    .user(&id)
                    .await?
                    .ok_or_else(AppError::not_authenticated)?;
                let left = shop.end_orders_of(tx, &id).await?;
                let email_hash = shop.email_hash(&user.email);
                tx.remember_discount_uses(&id, &email_hash).await?;
                shop.shorten_notifications(tx, &user).await?;
                let files = tx.erase_user(&id, &user.email, now_ms).await?;
                Ok::<_, AppError>((user.profile_picture, files, left))
            })
            .await?;
        self.show_released(&left);
        if let Some(file) = profile_picture {
            self.delete_unused_profile_picture(file).await;
        }
        let ErasedFiles {
            problem_photos,
            review_photos,
        } = files;
        self.delete_problem_images(&problem_photos).await;
        self.delete_review_images(&review_photos).await;
        // The user's reviews are gone, so ratings have changed. The next refresh would show it too.
        if let Err(error) = self.catalogue.refresh(&self.db, now_ms).await {
            tracing::warn!(
                error = format!("{error:#}"),
                "the catalogue was not refreshed"
            );
        }
        Ok(())
    }

    /// What waits for the owner and is about this customer, perhaps among others, only says how much is new.
    async fn shorten_notifications(
        &self,
        tx: &mut dyn Transaction,
        user: &User,
    ) -> Result<(), AppError> {
        for waiting in tx
            .waiting_notifications_about(&user.id, &user.email)
            .await?
        {
            let short = NotificationEmail {
                headline: waiting.subject,
                shop: &self.settings,
                entries: Vec::new(),
                more: 0,
                console_url: format!("{}/admins", self.settings.public_url),
            };
            let short = short.render().map_err(AppError::internal)?;
            tx.replace_email_text(&waiting.id, &short.text, &short.html)
                .await?;
        }
        Ok(())
    }

    /// During an update, an instance of an earlier version may erase customers.
    pub async fn complete_erasures(&self) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        let since_ms = now_ms - LEFTOVER_AGE_MS;
        let ids: Result<Vec<UserId>, AppError> = self
            .db
            .read(async move |db| Ok(db.incompletely_erased(since_ms).await?))
            .await;
        let ids = ids?;
        if ids.is_empty() {
            return Ok(());
        }
        self.db
            .write(async move |tx| {
                for id in &ids {
                    tx.complete_erasure(id, now_ms).await?;
                }
                Ok(())
            })
            .await
    }

    /// For discount codes: the same for every account with this address.
    pub(crate) fn email_hash(&self, email: &str) -> String {
        let email = email.trim().to_lowercase();
        keyed_hash(&self.settings.link_secret, EMAIL_LABEL, &email)
    }

    /// Failures are only logged: the user's request has been fulfilled without this.
    pub(crate) async fn delete_unused_profile_picture(&self, file: String) {
        let name = file.clone();
        let is_used: Result<bool, AppError> = self
            .db
            .read(async move |db| Ok(db.profile_picture_in_use(&name).await?))
            .await;
        let deleted = match is_used {
            Ok(true) => return,
            Ok(false) => self.images.delete(ImageFolder::People, &file).await,
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
