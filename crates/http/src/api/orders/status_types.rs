//! The states of an order and of its payment.

use mirasa_domain::order::{OrderStatus, PaymentStatus};

use crate::api::text::{ApiEnum, Text};

pub type OrderStatusDto = Text<OrderStatus>;

impl ApiEnum for OrderStatus {
    const NAME: &'static str = "OrderStatus";
}

pub type PaymentStatusDto = Text<PaymentStatus>;

impl ApiEnum for PaymentStatus {
    const NAME: &'static str = "PaymentStatus";
}
