//! Orders as the browser sees them.

use mirasa_app::ports::orders::{Order, OrderIssue, OrderLine};
use mirasa_domain::pack::PackSize;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Rupees, iso};

#[derive(Serialize, ToSchema)]
#[schema(as = Order)]
#[serde(rename_all = "camelCase")]
pub struct OrderWire {
    #[serde(rename = "_id")]
    pub id: String,
    /// The number of its newest attempt at the payment gateway.
    pub merchant_order_id: String,
    pub user_id: String,
    pub created_at: String,
    pub updated_at: String,
    #[schema(value_type = f64)]
    pub total_amount: Rupees,
    pub payment_status: PaymentStatusWire,
    pub order_status: OrderStatusWire,
    pub items: Vec<OrderItemWire>,
    pub delivery_address: DeliveryAddressWire,
    pub payment_details: PaymentDetailsWire,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PaymentStatus)]
#[serde(rename_all = "lowercase")]
pub enum PaymentStatusWire {
    Completed,
    Failed,
    Pending,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(as = OrderStatus)]
#[serde(rename_all = "lowercase")]
pub enum OrderStatusWire {
    Pending,
    Confirmed,
    Shipped,
    Delivered,
    Cancelled,
    #[serde(rename = "N/A")]
    NotApplicable,
}

/// The packs of one product in one size. `quantity × price` of all items add up to the order's total.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderItem)]
pub struct OrderItemWire {
    #[serde(rename = "productId")]
    pub product_id: String,
    #[serde(rename = "productName")]
    pub product_name: String,
    pub image: String,
    pub quantity: u32,
    /// Of one pack.
    #[schema(value_type = f64)]
    pub price: Rupees,
    /// The quantity, where these are 50 g packs; else 0.
    pub qty_50g: u32,
    /// The quantity, where these are 100 g packs; else 0.
    pub qty_100g: u32,
    /// `quantity × price`.
    #[serde(rename = "lineTotal")]
    #[schema(value_type = f64)]
    pub line_total: Rupees,
}

#[derive(Serialize, ToSchema)]
#[schema(as = DeliveryAddress)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAddressWire {
    pub name: String,
    pub phone: String,
    pub address_line1: String,
    pub address_line2: String,
    pub city: String,
    pub state: String,
    pub pincode: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PaymentDetails)]
#[serde(rename_all = "camelCase")]
pub struct PaymentDetailsWire {
    #[schema(required)]
    pub error_message: Option<String>,
}

impl From<mirasa_domain::order::PaymentStatus> for PaymentStatusWire {
    fn from(status: mirasa_domain::order::PaymentStatus) -> PaymentStatusWire {
        use mirasa_domain::order::PaymentStatus::{Completed, Failed, Pending};
        match status {
            Completed => PaymentStatusWire::Completed,
            Failed => PaymentStatusWire::Failed,
            Pending => PaymentStatusWire::Pending,
        }
    }
}

impl From<mirasa_domain::order::OrderStatus> for OrderStatusWire {
    fn from(status: mirasa_domain::order::OrderStatus) -> OrderStatusWire {
        use mirasa_domain::order::OrderStatus as Status;
        match status {
            Status::Pending => OrderStatusWire::Pending,
            Status::Confirmed => OrderStatusWire::Confirmed,
            Status::Shipped => OrderStatusWire::Shipped,
            Status::Delivered => OrderStatusWire::Delivered,
            Status::Cancelled => OrderStatusWire::Cancelled,
            Status::NotApplicable => OrderStatusWire::NotApplicable,
        }
    }
}

impl From<OrderStatusWire> for mirasa_domain::order::OrderStatus {
    fn from(status: OrderStatusWire) -> mirasa_domain::order::OrderStatus {
        use mirasa_domain::order::OrderStatus as Status;
        match status {
            OrderStatusWire::Pending => Status::Pending,
            OrderStatusWire::Confirmed => Status::Confirmed,
            OrderStatusWire::Shipped => Status::Shipped,
            OrderStatusWire::Delivered => Status::Delivered,
            OrderStatusWire::Cancelled => Status::Cancelled,
            OrderStatusWire::NotApplicable => Status::NotApplicable,
        }
    }
}

impl OrderItemWire {
    fn of_line(line: OrderLine) -> impl Iterator<Item = OrderItemWire> {
        let items: Vec<_> = line.items().collect();
        items.into_iter().map(move |item| {
            let of = |size| if item.size == size { item.quantity } else { 0 };
            OrderItemWire {
                product_id: line.product.0.clone(),
                product_name: line.product_name.clone(),
                image: line.image.clone(),
                quantity: item.quantity,
                price: Rupees(item.price),
                qty_50g: of(PackSize::G50),
                qty_100g: of(PackSize::G100),
                line_total: Rupees(item.total()),
            }
        })
    }
}

impl From<Order> for OrderWire {
    fn from(order: Order) -> OrderWire {
        OrderWire {
            id: order.id,
            merchant_order_id: order.merchant_order_id,
            user_id: order.user.0,
            created_at: iso(order.created_at_ms),
            updated_at: iso(order.updated_at_ms),
            total_amount: Rupees(order.state.total),
            payment_status: order.state.payment_status.into(),
            order_status: order.state.order_status.into(),
            items: order
                .lines
                .into_iter()
                .flat_map(OrderItemWire::of_line)
                .collect(),
            delivery_address: DeliveryAddressWire {
                name: order.address.name,
                phone: order.address.phone,
                address_line1: order.address.line1,
                address_line2: order.address.line2,
                city: order.address.city,
                state: order.address.state,
                pincode: order.address.pincode,
            },
            payment_details: PaymentDetailsWire {
                error_message: order.payment_error,
            },
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct OrderAnswer {
    pub order: OrderWire,
}

#[derive(Serialize, ToSchema)]
pub struct OrdersAnswer {
    pub orders: Vec<OrderWire>,
}

/// One page of orders.
#[derive(Serialize, ToSchema)]
pub struct OrderPageAnswer {
    pub orders: Vec<OrderWire>,
    pub total: i64,
    pub page: i64,
    pub pages: i64,
}

#[derive(Serialize, ToSchema)]
pub struct PaidOrderAnswer {
    pub success: bool,
    pub message: String,
    pub order: OrderWire,
}

#[derive(Deserialize, ToSchema)]
pub struct CheckoutBody {
    #[serde(rename = "addressId")]
    pub address_id: String,
    /// What the page showed. Compared with what will be charged, never trusted.
    #[serde(rename = "expectedTotal")]
    #[schema(value_type = Option<f64>, minimum = 0)]
    pub expected_total: Option<Rupees>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckoutAnswer {
    pub redirect_url: String,
    pub merchant_order_id: String,
}

#[derive(Deserialize, ToSchema)]
pub struct OrderStatusBody {
    #[serde(rename = "orderStatus")]
    pub order_status: OrderStatusWire,
}

/// Something about money that a person must look at.
#[derive(Serialize, ToSchema)]
#[schema(as = Concern)]
#[serde(rename_all = "camelCase")]
pub struct ConcernWire {
    #[serde(rename = "_id")]
    pub id: String,
    pub order_id: String,
    pub kind: String,
    pub about: String,
    pub detail: String,
    pub created_at: String,
    /// Then the order is in no list.
    pub order_deleted: bool,
}

impl From<OrderIssue> for ConcernWire {
    fn from(concern: OrderIssue) -> ConcernWire {
        ConcernWire {
            id: concern.id,
            order_id: concern.order_id,
            kind: concern.kind,
            about: concern.subject_id,
            detail: concern.detail,
            created_at: iso(concern.created_at_ms),
            order_deleted: concern.order_is_deleted,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct ConcernsAnswer {
    pub concerns: Vec<ConcernWire>,
}

#[cfg(test)]
mod tests {
    use mirasa_domain::address::Address;
    use mirasa_domain::money::Paise;
    use mirasa_domain::order::{OrderState, OrderStatus, PaymentStatus};
    use mirasa_domain::pack::{Packs, Prices};
    use mirasa_domain::product::ProductId;
    use mirasa_domain::user::UserId;
    use proptest::prelude::*;

    use super::*;

    /// A line as a checkout writes it: every size that is bought has a price.
    fn line() -> impl Strategy<Value = OrderLine> {
        let size = || (0_u32..=10_000, 1_i64..=1_000_000_000);
        (size(), size()).prop_map(|((of_50g, small), (of_100g, large))| {
            let packs = Packs { of_50g, of_100g };
            let price = |count, price| (count > 0).then_some(Paise::new(price));
            let prices = Prices {
                of_50g: price(of_50g, small),
                of_100g: price(of_100g, large),
            };
            OrderLine {
                product: ProductId("goda-masala".into()),
                product_name: "Goda Masala".into(),
                image: String::new(),
                packs,
                prices,
                total: prices.total(packs),
            }
        })
    }

    fn order(lines: Vec<OrderLine>) -> Order {
        Order {
            id: "1".into(),
            user: UserId("asha".into()),
            merchant_order_id: "1".into(),
            state: OrderState {
                total: lines.iter().map(|line| line.total).sum(),
                payment_status: PaymentStatus::Pending,
                order_status: OrderStatus::Pending,
                stock_reserved: true,
                end_reason: None,
            },
            payment_error: None,
            paid_by_attempt: None,
            address: Address {
                address_name: "Home".into(),
                name: "Asha".into(),
                phone: String::new(),
                line1: String::new(),
                line2: String::new(),
                city: String::new(),
                state: String::new(),
                pincode: String::new(),
            },
            expires_at_ms: 0,
            created_at_ms: 0,
            updated_at_ms: 0,
            deleted_at_ms: None,
            lines,
        }
    }

    proptest! {
        #[test]
        fn order_items_add_up_to_the_total(lines in prop::collection::vec(line(), 0..8)) {
            let bought: u32 = lines.iter().map(|line| line.packs.count()).sum();
            let wire = OrderWire::from(order(lines));
            let sum: i64 = wire
                .items
                .iter()
                .map(|item| item.price.0.get() * i64::from(item.quantity))
                .sum();
            prop_assert_eq!(sum, wire.total_amount.0.get());
            prop_assert_eq!(wire.items.iter().map(|item| item.quantity).sum::<u32>(), bought);
            for item in &wire.items {
                prop_assert!(item.quantity > 0 && item.qty_50g + item.qty_100g == item.quantity);
                prop_assert_eq!(item.line_total.0, item.price.0 * item.quantity);
            }
        }
    }
}
