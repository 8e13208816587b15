//! The email that asks for reviews, a week after the delivery. Its link has a random token, of which the server stores the
//! hash. The token opens the page and stops further emails; publishing a review needs the customer's session.

use mirasa_domain::order::{Order, OrderId, OrderStatus, short_id};
use mirasa_domain::product::ProductId;
use mirasa_domain::review::{REQUEST_AFTER_MS, REQUEST_LINK_MS, REQUEST_UNTIL_MS, Stars};

use crate::emails::order_url;
use crate::emails::review_request::{RequestedLine, ReviewRequestEmail};
use crate::repository::emails::outbox::OutboxEmail;
use crate::repository::{Queries, Transaction};
use crate::runtime::failpoints::failpoint;
use crate::runtime::workers::BATCH_SIZE;
use crate::secret::Secret;
use crate::{AppError, ErrorCode, Shop};

/// What the link of an email shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedReviews {
    pub order_id: OrderId,
    pub products: Vec<RequestedProduct>,
    /// The customer does not want to be asked again.
    pub stopped: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedProduct {
    pub id: ProductId,
    /// What the customer has given it, if anything.
    pub stars: Option<Stars>,
}

impl Shop {
    /// Asks the customers of orders that were delivered a week ago. Returns how many orders were decided about.
    pub async fn request_reviews(&self) -> Result<usize, AppError> {
        let now_ms = self.now_ms();
        let (after_ms, until_ms) = (now_ms - REQUEST_UNTIL_MS, now_ms - REQUEST_AFTER_MS);
        let limit = BATCH_SIZE as i64;
        let orders: Vec<OrderId> = self
            .db
            .read(async move |db| {
                let found = db.orders_without_review_request(after_ms, until_ms, limit);
                Ok::<_, AppError>(found.await?)
            })
            .await?;
        for id in &orders {
            self.request_reviews_of(id.clone()).await?;
        }
        Ok(orders.len())
    }

    /// The decision and the email are stored in one transaction: whatever instance runs and whenever it is stopped, an
    /// order gets one email or none.
    async fn request_reviews_of(&self, order_id: OrderId) -> Result<(), AppError> {
        let (shop, now_ms) = (self.clone(), self.now_ms());
        self.db
            .write(async move |tx| {
                let Some(order) = tx.order(&order_id).await? else {
                    return Ok(());
                };
                // A customer who deletes the account or stops the emails meanwhile gets none.
                tx.lock_user(&order.user).await?;
                let token = Secret::generate(&*shop.ids);
                let email = shop.review_request_email(tx, &order, &token).await?;
                let hash = email.as_ref().map(|_| token.hash());
                let is_new = tx
                    .insert_review_request(&order_id, hash.as_deref(), now_ms)
                    .await?;
                if let Some(email) = email.filter(|_| is_new) {
                    tx.insert_email(&email).await?;
                }
                failpoint("requesting reviews");
                Ok::<_, AppError>(())
            })
            .await?;
        failpoint("reviews requested");
        Ok(())
    }

    /// None if there is nobody or nothing to ask.
    async fn review_request_email(
        &self,
        tx: &mut dyn Transaction,
        order: &Order,
        token: &Secret,
    ) -> Result<Option<OutboxEmail>, AppError> {
        let Some(user) = tx.user(&order.user).await? else {
            return Ok(None);
        };
        let is_delivered = order.state.order_status == OrderStatus::Delivered;
        if !is_delivered || tx.wants_no_review_requests(&user.id).await? {
            return Ok(None);
        }
        let products = requested_products(tx, order).await?;
        let snapshot = self.catalogue.snapshot();
        let url = format!(
            "{}/review?token={}",
            self.settings.public_url,
            token.expose()
        );
        let lines: Vec<_> = products
            .into_iter()
            .filter(|product| product.stars.is_none())
            .filter_map(|product| {
                let shown = snapshot.find_visible(&product.id)?;
                Some(RequestedLine {
                    product_name: shown.details.product_name.clone(),
                    url: format!("{url}&product={}", product.id.0),
                })
            })
            .collect();
        if lines.is_empty() {
            return Ok(None);
        }
        let email = ReviewRequestEmail {
            headline: ReviewRequestEmail::headline(&lines),
            shop: &self.settings,
            customer_name: &user.name,
            order_number: short_id(&order.id),
            order_url: order_url(&self.settings, &order.id),
            stop_url: format!("{url}&stop=1"),
            lines,
        };
        let rendered = email.render().map_err(AppError::internal)?;
        Ok(Some(OutboxEmail {
            id: self.ids.new_id().into(),
            order_id: Some(order.id.clone()),
            kind: ReviewRequestEmail::KIND.into(),
            recipient: user.email,
            subject: rendered.subject,
            text_body: rendered.text,
            html_body: rendered.html,
            in_reply_to: None,
            reply_to: None,
            invoice_id: None,
            attempts: 0,
            created_at_ms: self.now_ms(),
            sent_at_ms: None,
        }))
    }

    pub async fn requested_reviews(&self, token: Secret) -> Result<RequestedReviews, AppError> {
        let now_ms = self.now_ms();
        self.db
            .read(async move |db| {
                let order = order_of_link(db, &token, now_ms).await?;
                Ok(RequestedReviews {
                    products: requested_products(db, &order).await?,
                    stopped: db.wants_no_review_requests(&order.user).await?,
                    order_id: order.id,
                })
            })
            .await
    }

    /// The customer of this link gets no more such emails.
    pub async fn stop_review_requests(&self, token: Secret) -> Result<(), AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| {
                let order = order_of_link(tx, &token, now_ms).await?;
                tx.lock_user(&order.user).await?;
                Ok(tx.stop_review_requests(&order.user, now_ms).await?)
            })
            .await
    }
}

/// What the customer received and keeps, in the order of the order.
async fn requested_products<Q: Queries + ?Sized>(
    db: &mut Q,
    order: &Order,
) -> Result<Vec<RequestedProduct>, AppError> {
    let refunded = db.refunded_products(&order.id).await?;
    let reviews = db.reviews_by(&order.user).await?;
    let lines = order.lines.iter().map(|line| &line.product);
    let kept = lines.filter(|product| !refunded.contains(product));
    let requested = kept.map(|product| RequestedProduct {
        id: product.clone(),
        stars: reviews
            .iter()
            .find(|review| review.product == *product)
            .map(|review| review.stars),
    });
    Ok(requested.collect())
}

async fn order_of_link<Q: Queries + ?Sized>(
    db: &mut Q,
    token: &Secret,
    now_ms: i64,
) -> Result<Order, AppError> {
    let invalid = || {
        let message = "This link is not valid, or no longer. You can review what you bought on the page of the product.";
        AppError::new(ErrorCode::ReviewLinkInvalid, message)
    };
    let request = db.review_request(&token.hash()).await?;
    let request = request
        .filter(|request| now_ms <= request.created_at_ms + REQUEST_LINK_MS)
        .ok_or_else(invalid)?;
    let order = db.order(&request.order_id).await?.ok_or_else(invalid)?;
    // The order of a deleted account stays.
    db.user(&order.user).await?.ok_or_else(invalid)?;
    Ok(order)
}
