//! "Tell me": an email when a sold-out product can be bought again. People are notified in waves, as many as there are packs.
//! A worker compares the requests with the stock, so that it does not matter how the stock rose.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mirasa_domain::cart::CartError;
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock_notice::{WAVE_INTERVAL_MS, wave_size};
use mirasa_domain::user::{User, parse_email};

use crate::emails::back_in_stock::BackInStockEmail;
use crate::repository::Transaction;
use crate::repository::emails::outbox::OutboxEmail;
use crate::repository::stock::notices::StockNotice;
use crate::runtime::failpoints::failpoint;
use crate::secret::keyed_hash;
use crate::{AppError, ErrorCode, Shop};

/// Products that one address can wait for.
const MAX_WAITING_PER_EMAIL: i64 = 50;
/// Requests that were notified, and their emails, are deleted after this time.
const NOTIFIED_RETENTION_MS: i64 = 30 * 24 * 60 * 60_000;
const WAITING_RETENTION_MS: i64 = 365 * 24 * 60 * 60_000;
/// Separates this use of the secret from others.
const STOP_LABEL: &str = "stock notices: stop\n";

impl Shop {
    /// Stores the request. The result is the same whether or not the address already waits, is stopped or waits for many
    /// products, so that it reveals nothing about other people.
    pub async fn request_stock_notice(
        &self,
        product: &ProductId,
        user: Option<&User>,
        email: &str,
    ) -> Result<(), AppError> {
        let snapshot = self.catalogue.snapshot();
        let product = snapshot
            .find_visible(product)
            .ok_or(CartError::ProductNotFound)?;
        if product.packs_left() > 0 {
            let message = "This product can be bought now.";
            return Err(AppError::new(ErrorCode::ProductAvailable, message));
        }
        let email = match user {
            Some(user) => user.email.to_lowercase(),
            None => parse_email("email", email)?.to_lowercase(),
        };
        let is_own_address = user.is_some();
        let notice = StockNotice {
            id: self.ids.new_id().into(),
            product: product.id.clone(),
            stop_token: self.stop_token(&email),
            email,
            requested_at_ms: self.now_ms(),
            notified_at_ms: None,
        };
        self.db
            .write(async move |tx| {
                if is_own_address {
                    tx.allow_stock_notices(&notice.stop_token).await?;
                } else if tx.are_stock_notices_stopped(&notice.stop_token).await? {
                    return Ok(());
                }
                let waiting = tx.waiting_stock_notices_of(&notice.email).await?;
                if waiting < MAX_WAITING_PER_EMAIL {
                    tx.request_stock_notice(&notice).await?;
                }
                Ok(())
            })
            .await
    }

    /// By the link in an email. Nothing happens if the token is wrong, and the caller does not learn it.
    pub async fn stop_stock_notices(&self, stop_token: &str) -> Result<(), AppError> {
        let is_token = URL_SAFE_NO_PAD
            .decode(stop_token)
            .is_ok_and(|bytes| bytes.len() == 32);
        if !is_token {
            return Ok(());
        }
        let (token, now_ms) = (stop_token.to_owned(), self.now_ms());
        self.db
            .write(async move |tx| Ok(tx.stop_stock_notices(&token, now_ms).await?))
            .await
    }

    /// Writes the emails of products that can be bought again. Returns how many.
    pub async fn send_stock_notices(&self) -> Result<usize, AppError> {
        let waiting = self
            .db
            .read(async move |db| db.products_with_stock_notices().await)
            .await?;
        let snapshot = self.catalogue.snapshot();
        let mut written = 0;
        for id in waiting {
            let is_available = snapshot
                .find_visible(&id)
                .is_some_and(|product| product.packs_left() > 0);
            if is_available {
                written += self.send_wave(&id).await?;
            }
        }
        Ok(written)
    }

    async fn send_wave(&self, id: &ProductId) -> Result<usize, AppError> {
        let (shop, id, now_ms) = (self.clone(), id.clone(), self.now_ms());
        let written = self
            .db
            .write(async move |tx| {
                let written = shop.write_wave(tx, &id, now_ms).await?;
                failpoint("sending stock notices");
                Ok::<_, AppError>(written)
            })
            .await?;
        failpoint("stock notices sent");
        Ok(written)
    }

    /// By the stock in the database: the snapshot may be half a second old.
    async fn write_wave(
        &self,
        tx: &mut dyn Transaction,
        id: &ProductId,
        now_ms: i64,
    ) -> Result<usize, AppError> {
        // Another instance that writes at the same time must see how many were notified.
        tx.lock_products(std::slice::from_ref(id)).await?;
        let found = self.products_to_sell(tx, std::slice::from_ref(id)).await?;
        let Some(product) = found.into_iter().find(|product| product.is_visible) else {
            return Ok(0);
        };
        let notified = tx
            .stock_notices_sent_since(id, now_ms - WAVE_INTERVAL_MS)
            .await?;
        let size = wave_size(product.packs_left(), notified);
        if size == 0 {
            return Ok(0);
        }
        let notices = tx.take_stock_notices(id, size, now_ms).await?;
        for notice in &notices {
            let email = self.stock_notice_email(notice, &product, now_ms)?;
            tx.insert_email(&email).await?;
        }
        Ok(notices.len())
    }

    fn stock_notice_email(
        &self,
        notice: &StockNotice,
        product: &Product,
        now_ms: i64,
    ) -> Result<OutboxEmail, AppError> {
        let base = &self.settings.public_url;
        let email = BackInStockEmail {
            headline: format!("{} is back", product.details.product_name),
            shop: &self.settings,
            product_name: &product.details.product_name,
            product_url: format!("{base}/product/{}", product.id.0),
            stop_url: format!("{base}/stop-emails?token={}", notice.stop_token),
        };
        let rendered = email.render().map_err(AppError::internal)?;
        Ok(OutboxEmail {
            id: format!("{}-{now_ms}", notice.id).into(),
            order_id: None,
            kind: BackInStockEmail::KIND.into(),
            recipient: notice.email.clone(),
            subject: rendered.subject,
            text_body: rendered.text,
            html_body: rendered.html,
            in_reply_to: None,
            reply_to: None,
            invoice_id: None,
            attempts: 0,
            created_at_ms: now_ms,
            sent_at_ms: None,
        })
    }

    pub async fn delete_old_stock_notices(&self) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        let (notified, waiting) = (
            now_ms - NOTIFIED_RETENTION_MS,
            now_ms - WAITING_RETENTION_MS,
        );
        self.db
            .write(async move |tx| Ok(tx.delete_old_stock_notices(notified, waiting).await?))
            .await
    }

    /// The signature of an address: only emails to it contain this text.
    fn stop_token(&self, email: &str) -> String {
        keyed_hash(&self.settings.link_secret, STOP_LABEL, email)
    }
}
