//! Messages for customers about failed payments, by PhonePe's error codes. Unknown codes get the
//! general message.

const FALLBACK: &str = "Payment failed. Please try again.";

const MESSAGES: [(&[&str], &str); 9] = [
    (
        &["INSUFFICIENT_BALANCE", "INSUFFICIENT_FUNDS", "Z9"],
        "There was not enough balance in the account. Please try another account or card.",
    ),
    (
        &["INVALID_MPIN", "ZM"],
        "The UPI PIN was not right. Please try again.",
    ),
    (
        &["MPIN_RETRIES_EXCEEDED", "Z6"],
        "The UPI PIN was wrong too many times. Please try another way to pay.",
    ),
    (
        &[
            "TXN_LIMIT_BREACHED",
            "TXN_FREQ_LIMIT_BREACHED",
            "WITHDRAWAL_LIMIT_EXCEEDED",
            "Z7",
            "Z8",
        ],
        "The bank's limit for payments was reached. Please try another account or card.",
    ),
    (
        &[
            "REQUEST_DECLINE_BY_REQUESTEE",
            "REQUEST_CANCEL_BY_REQUESTEE",
            "REQUEST_CANCEL_BY_REQUESTER",
            "TXN_CANCELLED",
            "ZA",
        ],
        "The payment was cancelled.",
    ),
    (
        &["ORDER_EXPIRED", "REQUEST_TIME_OUT", "U69"],
        "The payment was not made in time. Please try again.",
    ),
    (
        &["BANK_TECHNICAL_ISSUE", "U28", "U90", "UT"],
        "The bank had a technical problem. Please try again in a while.",
    ),
    (
        &["CARD_EXPIRED", "INVALID_CARD", "CARD_BLOCKED"],
        "The card was not accepted. Please try another one.",
    ),
    (
        &["PAYMENT_DECLINED", "AUTHORIZATION_ERROR"],
        "The bank declined the payment. Please try another way to pay.",
    ),
];

/// The detailed code is preferred if it is in the list.
pub(super) fn message_for(code: Option<&str>, detailed: Option<&str>) -> &'static str {
    [detailed, code]
        .into_iter()
        .flatten()
        .find_map(|code| {
            MESSAGES
                .iter()
                .find(|(codes, _)| codes.contains(&code))
                .map(|(_, message)| *message)
        })
        .unwrap_or(FALLBACK)
}

#[cfg(test)]
mod tests {
    use super::{FALLBACK, message_for};

    #[test]
    fn detailed_code_wins_and_unknown_code_falls_back() {
        assert!(message_for(Some("TXN_CANCELLED"), Some("Z9")).contains("balance"));
        assert_eq!(
            message_for(Some("TXN_CANCELLED"), Some("QQ")),
            "The payment was cancelled."
        );
        assert_eq!(message_for(Some("TXN_NOT_COMPLETED"), Some("QQ")), FALLBACK);
        assert_eq!(message_for(None, None), FALLBACK);
    }
}
