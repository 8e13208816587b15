//! The payment modes and failure reasons that the payment page offers.

/// Failure reasons on the page: PhonePe's two codes and the text.
pub(super) const REASONS: [(&str, &str, &str); 6] = [
    (
        "TXN_CANCELLED",
        "REQUEST_DECLINE_BY_REQUESTEE",
        "Cancelled on the phone",
    ),
    ("INSUFFICIENT_BALANCE", "Z9", "Not enough balance"),
    ("INVALID_MPIN", "ZM", "Wrong UPI PIN"),
    ("TXN_LIMIT_BREACHED", "Z8", "Over the bank's limit"),
    ("BANK_TECHNICAL_ISSUE", "UT", "The bank has a problem"),
    (
        "TXN_NOT_COMPLETED",
        "TXN_AUTO_FAILED",
        "Failed for no reason given",
    ),
];

pub(super) const MODES: [(&str, &str); 3] = [
    ("UPI_INTENT", "UPI"),
    ("CARD", "Card"),
    ("NET_BANKING", "Net banking"),
];
