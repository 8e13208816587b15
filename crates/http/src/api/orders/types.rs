//! Orders as the browser sees them.

use mirasa_app::orders::OrderDetails;
use mirasa_domain::cancellation::{CancellationRequest, needs_request};
use mirasa_domain::order::{OrderLine, OrderState};
use mirasa_domain::pack::PackSize;
use mirasa_domain::refund_plan::{refundable, rest_kept};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::invoices::types::InvoiceDto;
use crate::api::orders::cancellation_types::CancellationDto;
use crate::api::orders::history_types::{OrderEventDto, RefundDto, Viewer};
use crate::api::orders::problem_types::ProblemDto;
use crate::api::orders::status_types::{OrderStatusDto, PaymentStatusDto};
use crate::api::shipping::types::OrderShipmentDto;
use crate::api::types::{Rupees, to_iso8601};

#[derive(Serialize, ToSchema)]
#[schema(as = Order)]
#[serde(rename_all = "camelCase")]
pub struct OrderDto {
    #[serde(rename = "_id")]
    pub id: String,
    /// Grows with each change. Requests can send it to change only what they have seen.
    pub version: i64,
    /// The number of its newest attempt at the payment gateway.
    pub merchant_order_id: String,
    pub user_id: String,
    pub created_at: String,
    pub updated_at: String,
    /// After the discount.
    #[schema(value_type = f64)]
    pub total_amount: Rupees,
    /// The code that the order was placed with.
    #[schema(required)]
    pub discount_code: Option<String>,
    /// What the code saved.
    #[schema(value_type = f64)]
    pub discount_amount: Rupees,
    pub payment_status: PaymentStatusDto,
    pub order_status: OrderStatusDto,
    pub items: Vec<OrderItemDto>,
    pub delivery_address: DeliveryAddressDto,
    pub payment_details: PaymentDetailsDto,
    /// Oldest first.
    pub refunds: Vec<RefundDto>,
    /// What went back of the payment, also if it is still under way. Refunds of a second payment do not count.
    #[schema(value_type = f64)]
    pub refunded_amount: Rupees,
    /// How much of the payment can still be refunded.
    #[schema(value_type = f64)]
    pub refundable_amount: Rupees,
    /// What is left of the payment and too little to be refunded: the gateway refunds ₹1.00 or more.
    #[schema(value_type = f64)]
    pub rest_kept: Rupees,
    /// Oldest first.
    pub events: Vec<OrderEventDto>,
    pub problems: Vec<ProblemDto>,
    /// Until when its customer may cancel it or ask for it; null if they may not.
    #[schema(required)]
    pub cancellable_until: Option<String>,
    /// It is packed or has a parcel, so that cancelling it is a request that the shop decides about.
    pub needs_cancellation_request: bool,
    /// The customer's last request to cancel it.
    #[schema(required)]
    pub cancellation: Option<CancellationDto>,
    #[schema(required)]
    pub delivered_at: Option<String>,
    /// Until when its customer may report a problem; null before the delivery.
    #[schema(required)]
    pub reportable_until: Option<String>,
    /// The order whose items this one replaces, free of charge.
    #[schema(required)]
    pub replaces_order_id: Option<String>,
    /// When an admin deleted it.
    #[schema(required)]
    pub deleted_at: Option<String>,
    #[schema(required)]
    pub packed_at: Option<String>,
    /// Once it is issued.
    #[schema(required)]
    pub invoice: Option<InvoiceDto>,
    pub credit_notes: Vec<InvoiceDto>,
    /// Once it is shipped.
    #[schema(required)]
    pub shipment: Option<OrderShipmentDto>,
}

/// The packs of one product in one size. `quantity × price` of all items, less their discounts, add up to the order's
/// total.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderItem)]
pub struct OrderItemDto {
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
    /// The item's share of the order's discount.
    #[schema(value_type = f64)]
    pub discount: Rupees,
    /// How many of them the order still holds, so that they can go back into stock.
    pub held: u32,
}

#[derive(Serialize, ToSchema)]
#[schema(as = DeliveryAddress)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAddressDto {
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
pub struct PaymentDetailsDto {
    #[schema(required)]
    pub error_message: Option<String>,
}

impl OrderItemDto {
    fn of_line(line: OrderLine, state: OrderState) -> impl Iterator<Item = OrderItemDto> {
        let held = line.held(state);
        let items: Vec<_> = line.items_with_discount().collect();
        items.into_iter().map(move |(item, discount)| {
            let of = |size| if item.size == size { item.quantity } else { 0 };
            OrderItemDto {
                product_id: line.product.0.clone(),
                product_name: line.product_name.clone(),
                image: line.image.clone(),
                quantity: item.quantity,
                price: Rupees(item.price),
                qty_50g: of(PackSize::G50),
                qty_100g: of(PackSize::G100),
                line_total: Rupees(item.total()),
                discount: Rupees(discount),
                held: match item.size {
                    PackSize::G50 => held.of_50g,
                    PackSize::G100 => held.of_100g,
                },
            }
        })
    }
}

impl OrderDto {
    pub fn new(details: OrderDetails, viewer: Viewer, now_ms: i64) -> OrderDto {
        let refunded = details.refunded();
        let OrderDetails {
            order,
            payment_left,
            refunds,
            events,
            problems,
            invoices,
            shipments,
            cancellation,
        } = details;
        let may_ask = !cancellation
            .as_ref()
            .is_some_and(CancellationRequest::is_final);
        let (invoices, credit_notes): (Vec<_>, Vec<_>) = invoices
            .into_iter()
            .partition(|invoice| invoice.refers_to.is_none());
        OrderDto {
            refunded_amount: Rupees(refunded),
            refundable_amount: Rupees(refundable(payment_left)),
            rest_kept: Rupees(rest_kept(payment_left)),
            discount_amount: Rupees(order.saving()),
            refunds: refunds
                .into_iter()
                .map(|refund| RefundDto::new(refund, viewer))
                .collect(),
            events: events
                .into_iter()
                .filter_map(|event| OrderEventDto::new(event, viewer))
                .collect(),
            problems: problems
                .into_iter()
                .map(|problem| ProblemDto::new(problem, viewer))
                .collect(),
            cancellable_until: order
                .cancellable_until_ms(now_ms)
                .ok()
                .filter(|_| may_ask)
                .map(to_iso8601),
            needs_cancellation_request: needs_request(
                &order,
                shipments.iter().map(|one| &one.shipment),
            ),
            cancellation: cancellation.map(|request| CancellationDto::new(request, viewer, now_ms)),
            delivered_at: order.delivered_at_ms.map(to_iso8601),
            reportable_until: order.reportable_until_ms().map(to_iso8601),
            deleted_at: order.deleted_at_ms.map(to_iso8601),
            packed_at: order.packed_at_ms.map(to_iso8601),
            invoice: invoices.into_iter().next().map(InvoiceDto::from),
            credit_notes: credit_notes.into_iter().map(InvoiceDto::from).collect(),
            shipment: OrderShipmentDto::newest(shipments, order.state.order_status),
            replaces_order_id: order.replaces_order_id.map(|id| id.0),
            id: order.id.0,
            version: order.version,
            merchant_order_id: order.merchant_order_id.0,
            user_id: order.user.0,
            created_at: to_iso8601(order.created_at_ms),
            updated_at: to_iso8601(order.updated_at_ms),
            total_amount: Rupees(order.state.total),
            discount_code: order.discount.map(|discount| discount.code),
            payment_status: order.state.payment_status.into(),
            order_status: order.state.order_status.into(),
            items: order
                .lines
                .into_iter()
                .flat_map(|line| OrderItemDto::of_line(line, order.state))
                .collect(),
            delivery_address: DeliveryAddressDto {
                name: order.address.name,
                phone: order.address.phone,
                address_line1: order.address.line1,
                address_line2: order.address.line2,
                city: order.address.city,
                state: order.address.state,
                pincode: order.address.pincode,
            },
            payment_details: PaymentDetailsDto {
                error_message: order.payment_error,
            },
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct OrderResponse {
    pub order: OrderDto,
}

#[derive(Serialize, ToSchema)]
pub struct OrdersResponse {
    pub orders: Vec<OrderDto>,
}

/// One page of orders.
#[derive(Serialize, ToSchema)]
pub struct OrderPageResponse {
    pub orders: Vec<OrderDto>,
    pub total: i64,
    pub page: i64,
    pub pages: i64,
}

#[derive(Serialize, ToSchema)]
pub struct PaymentResultResponse {
    pub success: bool,
    pub message: String,
    pub order: OrderDto,
}

#[cfg(test)]
mod tests {
    use mirasa_domain::address::Address;
    use mirasa_domain::money::Paise;
    use mirasa_domain::order::{Order, OrderState, OrderStatus, PaymentStatus};
    use mirasa_domain::pack::{Packs, Prices};
    use mirasa_domain::product::ProductId;
    use mirasa_domain::user::UserId;
    use proptest::prelude::*;

    use super::*;

    /// A line as a checkout writes it: every size that is bought has a price.
    fn line() -> impl Strategy<Value = OrderLine> {
        let size = || (0_u32..=10_000, 1_i64..=1_000_000_000);
        (size(), size(), 0_i64..=100).prop_map(|((of_50g, small), (of_100g, large), per_cent)| {
            let packs = Packs { of_50g, of_100g };
            let price = |count, price| (count > 0).then_some(Paise::new(price));
            let prices = Prices {
                of_50g: price(of_50g, small),
                of_100g: price(of_100g, large),
            };
            let full = prices.total(packs);
            let discount = Paise::new(full.get() / 100 * per_cent);
            OrderLine {
                product: ProductId("goda-masala".into()),
                product_name: "Goda Masala".into(),
                image: String::new(),
                packs,
                prices,
                discount,
                total: full - discount,
                restocked: Packs::ZERO,
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
            delivered_at_ms: None,
            packed_at_ms: None,
            version: 0,
            sends_refunded: false,
            replaces_order_id: None,
            discount: None,
            lines,
        }
    }

    proptest! {
        #[test]
        fn order_items_add_up_to_the_total(lines in prop::collection::vec(line(), 0..8)) {
            let bought: u32 = lines.iter().map(|line| line.packs.count()).sum();
            let details = OrderDetails {
                order: order(lines),
                payment_left: Paise::ZERO,
                refunds: Vec::new(),
                events: Vec::new(),
                problems: Vec::new(),
                invoices: Vec::new(),
                shipments: Vec::new(),
                cancellation: None,
            };
            let wire = OrderDto::new(details, Viewer::Customer, 0);
            let sum: i64 = wire
                .items
                .iter()
                .map(|item| item.price.0.get() * i64::from(item.quantity) - item.discount.0.get())
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
