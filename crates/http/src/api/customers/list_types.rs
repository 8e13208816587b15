//! Customers as admins see them.

use mirasa_app::AppError;
use mirasa_app::catalogue::Snapshot;
use mirasa_app::customers::{CustomerDetails, MessageSender};
use mirasa_app::repository::customers::list::{Customer, CustomerSort};
use mirasa_domain::order::{Order, short_id};
use mirasa_domain::review::Review;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::customers::address_types::AddressDto;
use crate::api::messages::types::ContactMessageDto;
use crate::api::orders::history_types::Viewer;
use crate::api::orders::problem_types::ProblemDto;
use crate::api::orders::status_types::{OrderStatusDto, PaymentStatusDto};
use crate::api::reviews::types::product_name;
use crate::api::types::{Rupees, to_iso8601};

#[derive(Serialize, ToSchema)]
#[schema(as = Customer)]
#[serde(rename_all = "camelCase")]
pub struct CustomerDto {
    #[serde(rename = "_id")]
    pub id: String,
    /// Empty for a deleted account, as is the email.
    pub name: String,
    pub email: String,
    /// That of the profile, or else that of the default address.
    #[schema(required)]
    pub phone: Option<String>,
    pub created_at: String,
    #[schema(required)]
    pub deleted_at: Option<String>,
    /// The number of their orders, without deleted ones.
    pub orders: i64,
    /// Paid, less what was refunded of it.
    #[schema(value_type = f64)]
    pub spent_amount: Rupees,
    #[schema(required)]
    pub last_order_at: Option<String>,
}

impl From<Customer> for CustomerDto {
    fn from(customer: Customer) -> CustomerDto {
        CustomerDto {
            id: customer.id.0,
            name: customer.name,
            email: customer.email,
            phone: customer.phone,
            created_at: to_iso8601(customer.created_at_ms),
            deleted_at: customer.deleted_at_ms.map(to_iso8601),
            orders: customer.orders,
            spent_amount: Rupees(customer.spent),
            last_order_at: customer.last_order_at_ms.map(to_iso8601),
        }
    }
}

/// An order in the list of a customer's orders.
#[derive(Serialize, ToSchema)]
#[schema(as = CustomerOrder)]
#[serde(rename_all = "camelCase")]
pub struct CustomerOrderDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub order_number: String,
    pub created_at: String,
    #[schema(value_type = f64)]
    pub total_amount: Rupees,
    pub order_status: OrderStatusDto,
    pub payment_status: PaymentStatusDto,
    /// `2 × Goda Masala (50 g), 1 × Chai Masala (100 g)`
    pub packs: String,
    #[schema(required)]
    pub deleted_at: Option<String>,
}

impl From<Order> for CustomerOrderDto {
    fn from(order: Order) -> CustomerOrderDto {
        let packs = order.lines.iter();
        let packs: Vec<_> = packs
            .map(|line| (line.product.clone(), line.packs))
            .collect();
        CustomerOrderDto {
            order_number: short_id(&order.id),
            packs: order.describe_packs(&packs),
            id: order.id.0,
            created_at: to_iso8601(order.created_at_ms),
            total_amount: Rupees(order.state.total),
            order_status: order.state.order_status.into(),
            payment_status: order.state.payment_status.into(),
            deleted_at: order.deleted_at_ms.map(to_iso8601),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = CustomerReview)]
#[serde(rename_all = "camelCase")]
pub struct CustomerReviewDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub product_name: String,
    /// 1 to 5.
    pub stars: u8,
    pub text: String,
    pub created_at: String,
    #[schema(required)]
    pub hidden_at: Option<String>,
}

impl CustomerReviewDto {
    fn new(review: Review, snapshot: &Snapshot) -> CustomerReviewDto {
        CustomerReviewDto {
            product_name: product_name(snapshot, &review.product),
            id: review.id.0,
            stars: review.stars.get(),
            text: review.text,
            created_at: to_iso8601(review.created_at_ms),
            hidden_at: review.hidden.map(|hidden| to_iso8601(hidden.at_ms)),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct CustomerPageResponse {
    pub customers: Vec<CustomerDto>,
    pub total: i64,
    pub page: i64,
    pub pages: i64,
}

/// Of a deleted account only its orders and problems. Newest first.
#[derive(Serialize, ToSchema)]
pub struct CustomerResponse {
    pub customer: CustomerDto,
    pub addresses: Vec<AddressDto>,
    pub orders: Vec<CustomerOrderDto>,
    pub messages: Vec<ContactMessageDto>,
    pub problems: Vec<ProblemDto>,
    pub reviews: Vec<CustomerReviewDto>,
}

impl CustomerResponse {
    pub fn new(found: CustomerDetails, snapshot: &Snapshot) -> CustomerResponse {
        let problem = |problem| ProblemDto::new(problem, Viewer::Admin);
        let review = |review| CustomerReviewDto::new(review, snapshot);
        CustomerResponse {
            customer: found.customer.into(),
            addresses: found.addresses.into_iter().map(AddressDto::from).collect(),
            orders: found.orders.into_iter().map(Into::into).collect(),
            messages: found.messages.into_iter().map(Into::into).collect(),
            problems: found.problems.into_iter().map(problem).collect(),
            reviews: found.reviews.into_iter().map(review).collect(),
        }
    }
}

/// The account whose email address a message has, and its newest orders.
#[derive(Serialize, ToSchema)]
pub struct MessageSenderResponse {
    /// Null where no account has it.
    #[schema(required)]
    pub customer: Option<CustomerDto>,
    pub orders: Vec<CustomerOrderDto>,
}

impl From<Option<MessageSender>> for MessageSenderResponse {
    fn from(sender: Option<MessageSender>) -> MessageSenderResponse {
        let (customer, orders) = match sender {
            Some(MessageSender { customer, orders }) => (Some(customer.into()), orders),
            None => (None, Vec::new()),
        };
        MessageSenderResponse {
            customer,
            orders: orders.into_iter().map(Into::into).collect(),
        }
    }
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
pub struct CustomersQuery {
    /// Part of a name, an email address or a phone number.
    pub search: String,
    /// `last_order` (the default) or `spent`.
    #[param(pattern = "^(last_order|spent)?$")]
    pub sort: String,
}

impl CustomersQuery {
    pub fn sort(&self) -> Result<CustomerSort, AppError> {
        if self.sort.is_empty() {
            return Ok(CustomerSort::default());
        }
        CustomerSort::parse(&self.sort)
            .ok_or_else(|| AppError::invalid("sort must be last_order or spent").with_field("sort"))
    }
}
