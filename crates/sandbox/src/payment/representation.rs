//! Orders and refunds as JSON, in responses and webhooks.

use serde_json::{Value, json};

use super::state::{Order, Refund};

/// `wrong_amount`: states half the amount, for fault injection.
pub(super) fn order_json(order: &Order, wrong_amount: bool) -> Value {
    let amount = if wrong_amount {
        order.amount / 2
    } else {
        order.amount
    };
    let details = order.transaction_id.as_ref().map(|transaction_id| {
        json!({
            "transactionId": transaction_id,
            "paymentMode": order.payment_mode,
            "timestamp": order.settled_at,
            "amount": amount,
            "state": order.state,
            "errorCode": order.error_code,
            "detailedErrorCode": order.detailed_error_code,
        })
    });
    json!({
        "merchantOrderId": order.merchant_order_id,
        "orderId": order.order_id,
        "state": order.state,
        "amount": amount,
        "expireAt": order.expire_at,
        "errorCode": order.error_code,
        "detailedErrorCode": order.detailed_error_code,
        "metaInfo": order.meta_info,
        "paymentDetails": details.into_iter().collect::<Vec<_>>(),
    })
}

pub(super) fn refund_json(refund: &Refund) -> Value {
    json!({
        "merchantRefundId": refund.merchant_refund_id,
        "originalMerchantOrderId": refund.original_merchant_order_id,
        "refundId": refund.refund_id,
        "amount": refund.amount,
        "state": refund.state,
        "errorCode": refund.error_code,
    })
}
