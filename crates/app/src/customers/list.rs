//! Customers as admins see them: the list, one customer with everything about them, and who sent a message.

use mirasa_domain::address::{SavedAddress, phone_part};
use mirasa_domain::message::{ContactMessage, MessageId};
use mirasa_domain::order::{Order, OrderId};
use mirasa_domain::problem::Problem;
use mirasa_domain::review::Review;
use mirasa_domain::user::UserId;

use crate::customers::users::user_not_found;
use crate::messages::message_not_found;
use crate::repository::customers::list::{Customer, CustomerFilter, CustomerSort};
use crate::{AppError, Shop};

/// The orders that are shown beside a message.
const MAX_ORDERS_OF_SENDER: usize = 5;

#[derive(Debug)]
pub struct CustomerPage {
    pub customers: Vec<Customer>,
    /// On all pages.
    pub total: i64,
}

/// A customer with everything that the shop knows of them.
#[derive(Debug)]
pub struct CustomerDetails {
    pub customer: Customer,
    pub addresses: Vec<SavedAddress>,
    /// Newest first, also deleted ones.
    pub orders: Vec<Order>,
    /// From their email address, newest first.
    pub messages: Vec<ContactMessage>,
    /// Newest first.
    pub problems: Vec<Problem>,
    /// Newest first.
    pub reviews: Vec<Review>,
}

/// Who sent a message, if their email address is that of an account.
#[derive(Debug)]
pub struct MessageSender {
    pub customer: Customer,
    /// The newest.
    pub orders: Vec<Order>,
}

impl CustomerFilter {
    /// For a text that an admin has typed.
    pub fn new(search: &str, sort: CustomerSort) -> CustomerFilter {
        CustomerFilter {
            search: search.trim().to_owned(),
            phone: phone_part(search),
            sort,
        }
    }
}

impl Shop {
    pub async fn customers(
        &self,
        filter: CustomerFilter,
        offset: i64,
        limit: i64,
    ) -> Result<CustomerPage, AppError> {
        self.db
            .replica_read(async move |db| {
                Ok(CustomerPage {
                    customers: db.customers_page(&filter, offset, limit).await?,
                    total: db.count_customers(&filter).await?,
                })
            })
            .await
    }

    /// Of a deleted account only the orders, and what belongs to them.
    pub async fn customer_details(&self, id: UserId) -> Result<CustomerDetails, AppError> {
        self.db
            .read(async move |db| {
                let customer = db.customer(&id).await?.ok_or_else(user_not_found)?;
                let is_deleted = customer.deleted_at_ms.is_some();
                let mut orders = db.orders_of(&id).await?;
                orders.extend(db.deleted_orders_of(&id).await?);
                orders.sort_by_key(|order| std::cmp::Reverse(order.created_at_ms));
                let order_ids: Vec<OrderId> = orders.iter().map(|one| one.id.clone()).collect();
                let mut problems = db.problems_of(&order_ids).await?;
                problems.reverse();
                let (addresses, mut messages, reviews) = if is_deleted {
                    (Vec::new(), Vec::new(), Vec::new())
                } else {
                    (
                        db.addresses(&id).await?,
                        db.messages_from(&customer.email).await?,
                        db.reviews_by(&id).await?,
                    )
                };
                messages.reverse();
                Ok(CustomerDetails {
                    customer,
                    addresses,
                    orders,
                    messages,
                    problems,
                    reviews,
                })
            })
            .await
    }

    pub async fn message_sender(&self, id: MessageId) -> Result<Option<MessageSender>, AppError> {
        self.db
            .read(async move |db| {
                let message = db.message(&id).await?.ok_or_else(message_not_found)?;
                let customer = db.customer_by_email(message.email.trim()).await?;
                let Some(customer) = customer else {
                    return Ok(None);
                };
                let mut orders = db.orders_of(&customer.id).await?;
                orders.truncate(MAX_ORDERS_OF_SENDER);
                Ok(Some(MessageSender { customer, orders }))
            })
            .await
    }
}
