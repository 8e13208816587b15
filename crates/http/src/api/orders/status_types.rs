//! The states of an order and of its payment.

use mirasa_domain::order::{OrderStatus, PaymentStatus};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
#[schema(as = PaymentStatus)]
#[serde(rename_all = "lowercase")]
pub enum PaymentStatusDto {
    Completed,
    Failed,
    Pending,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(as = OrderStatus)]
#[serde(rename_all = "lowercase")]
pub enum OrderStatusDto {
    Pending,
    Confirmed,
    Shipped,
    Delivered,
    Cancelled,
    #[serde(rename = "N/A")]
    NotApplicable,
}

impl From<PaymentStatus> for PaymentStatusDto {
    fn from(status: PaymentStatus) -> PaymentStatusDto {
        use PaymentStatus::{Completed, Failed, Pending};
        match status {
            Completed => PaymentStatusDto::Completed,
            Failed => PaymentStatusDto::Failed,
            Pending => PaymentStatusDto::Pending,
        }
    }
}

impl From<OrderStatus> for OrderStatusDto {
    fn from(status: OrderStatus) -> OrderStatusDto {
        use OrderStatus as Status;
        match status {
            Status::Pending => OrderStatusDto::Pending,
            Status::Confirmed => OrderStatusDto::Confirmed,
            Status::Shipped => OrderStatusDto::Shipped,
            Status::Delivered => OrderStatusDto::Delivered,
            Status::Cancelled => OrderStatusDto::Cancelled,
            Status::NotApplicable => OrderStatusDto::NotApplicable,
        }
    }
}

impl From<OrderStatusDto> for OrderStatus {
    fn from(status: OrderStatusDto) -> OrderStatus {
        use OrderStatus as Status;
        match status {
            OrderStatusDto::Pending => Status::Pending,
            OrderStatusDto::Confirmed => Status::Confirmed,
            OrderStatusDto::Shipped => Status::Shipped,
            OrderStatusDto::Delivered => Status::Delivered,
            OrderStatusDto::Cancelled => Status::Cancelled,
            OrderStatusDto::NotApplicable => Status::NotApplicable,
        }
    }
}
