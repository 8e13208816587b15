//! The codes of all errors that a client can receive: one enum, from which the API description and the table in
//! `docs/errors.md` are made. A code never changes its string; a message may.

/// What a client can do about an error. Each kind has one HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    Invalid,
    NotAuthenticated,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    RequestTimeout,
    Conflict,
    TooLarge,
    UnsupportedMediaType,
    Unprocessable,
    RateLimited,
    Unavailable,
    /// Overload. Nothing is broken.
    Busy,
    Internal,
}

/// Each line has the variant, its string in JSON and its kind, which decides the status. The comment is the meaning
/// that the API description gives.
macro_rules! error_codes {
    ($($(#[doc = $meaning:literal])+ $variant:ident = $name:literal, $kind:ident;)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $($(#[doc = $meaning])+ $variant,)+
        }

        impl ErrorCode {
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$variant,)+];

            pub const fn as_str(self) -> &'static str {
                match self {
                    $(ErrorCode::$variant => $name,)+
                }
            }

            pub const fn kind(self) -> ErrorKind {
                match self {
                    $(ErrorCode::$variant => ErrorKind::$kind,)+
                }
            }

            pub const fn meaning(self) -> &'static str {
                match self {
                    $(ErrorCode::$variant => concat!($($meaning),+).trim_ascii(),)+
                }
            }
        }
    };
}

error_codes! {
    /// The request is not valid. `field` names the wrong field where there is one.
    InvalidInput = "invalid_input", Invalid;
    /// The cart is empty, so there is nothing to order.
    CartEmpty = "cart_empty", Invalid;
    /// The cart has as many different products as it can hold.
    CartFull = "cart_full", Invalid;
    /// The wishlist has as many products as it can hold.
    WishlistFull = "wishlist_full", Invalid;
    /// The customer has as many saved addresses as possible.
    AddressBookFull = "address_book_full", Invalid;
    /// More packs than one product or one order can have.
    PackLimitExceeded = "pack_limit_exceeded", Invalid;
    /// The product is not sold in this pack size.
    PackSizeNotSold = "pack_size_not_sold", Invalid;
    /// The total of the order is below the minimum of the payment gateway.
    OrderTotalTooLow = "order_total_too_low", Invalid;
    /// There is no session, or it has ended. Sign in and try again.
    Unauthorized = "unauthorized", NotAuthenticated;
    /// The request is not allowed.
    Forbidden = "forbidden", Forbidden;
    /// Only an admin may do this.
    AdminRequired = "admin_required", Forbidden;
    /// The request comes from a page of another site.
    CrossSiteRequest = "cross_site_request", Forbidden;
    /// The path, or what it names, does not exist.
    NotFound = "not_found", NotFound;
    /// The product does not exist or is hidden.
    ProductNotFound = "product_not_found", NotFound;
    /// The customer has no such address.
    AddressNotFound = "address_not_found", NotFound;
    /// The order does not exist or belongs to another customer.
    OrderNotFound = "order_not_found", NotFound;
    /// The user does not exist.
    UserNotFound = "user_not_found", NotFound;
    /// The contact message does not exist.
    MessageNotFound = "message_not_found", NotFound;
    /// The review does not exist or is hidden.
    ReviewNotFound = "review_not_found", NotFound;
    /// The link of the email is not valid, or no longer.
    ReviewLinkInvalid = "review_link_invalid", NotFound;
    /// The batch does not exist.
    BatchNotFound = "batch_not_found", NotFound;
    /// There is no such discount code.
    DiscountNotFound = "discount_not_found", NotFound;
    /// The path does not have this method.
    MethodNotAllowed = "method_not_allowed", MethodNotAllowed;
    /// The body of the request arrived too slowly.
    RequestTimeout = "request_timeout", RequestTimeout;
    /// The present state does not allow the change.
    Conflict = "conflict", Conflict;
    /// There is not enough spice or packaging.
    InsufficientStock = "insufficient_stock", Conflict;
    /// A product of the order is no longer sold. Remove it from the cart.
    ProductUnavailable = "product_unavailable", Conflict;
    /// The product can be bought now, so there is nothing to wait for.
    ProductAvailable = "product_available", Conflict;
    /// The total is not the `expectedTotal` of the request. Load the cart again.
    TotalChanged = "total_changed", Conflict;
    /// The delivery partner does not deliver to the pincode of the address.
    PincodeNotServed = "pincode_not_served", Conflict;
    /// The discount code does not apply, or not any more. The message gives the reason. Remove the code or change the
    /// cart.
    DiscountNotApplicable = "discount_not_applicable", Conflict;
    /// Another discount has this code.
    DiscountCodeTaken = "discount_code_taken", Conflict;
    /// The cart has another `version` than the request. Load the cart again.
    CartChanged = "cart_changed", Conflict;
    /// The product has another `version` than the request. Load the product again.
    ProductChanged = "product_changed", Conflict;
    /// The stock that is in the shop is not what the count was compared with. Load it again.
    StockChanged = "stock_changed", Conflict;
    /// What is left of a product is too old to be sent. Write it off or receive a new batch.
    BatchTooOld = "batch_too_old", Conflict;
    /// The product has another batch with this number.
    BatchNumberTaken = "batch_number_taken", Conflict;
    /// The order is not what the request has seen: it has another `version` or status than `seenStatus`. The message says
    /// what happened meanwhile. Load the order again.
    OrderChanged = "order_changed", Conflict;
    /// The money for the packs went back, or they are in stock again. Repeat the request with `evenIfRefunded` to send
    /// packs that are not in stock.
    OrderRefunded = "order_refunded", Conflict;
    /// The order is not paid, so it must not leave the shop. Repeat the request with `evenIfUnpaid` to send it.
    OrderNotPaid = "order_not_paid", Conflict;
    /// The order is shipped, delivered or cancelled, so the customer cannot cancel it.
    OrderNotCancellable = "order_not_cancellable", Conflict;
    /// The day on which the customer could cancel the order is over.
    CancellationPeriodOver = "cancellation_period_over", Conflict;
    /// The shop has declined the customer's request to cancel the order.
    CancellationDeclined = "cancellation_declined", Conflict;
    /// Another admin has decided about the request to cancel the order.
    CancellationDecided = "cancellation_decided", Conflict;
    /// The customer asks to cancel the order. Accept or decline that before it is sent.
    CancellationRequested = "cancellation_requested", Conflict;
    /// Only confirmed and paid orders can be packed.
    OrderNotPackable = "order_not_packable", Conflict;
    /// Only paid and packed orders can be shipped.
    OrderNotShippable = "order_not_shippable", Conflict;
    /// The shop has no delivery partner. The tracking number is typed in by hand.
    NoDeliveryPartner = "no_delivery_partner", Conflict;
    /// The label of a parcel is not there yet.
    LabelNotReady = "label_not_ready", Conflict;
    /// Nothing was paid for the order, or everything has been refunded.
    NothingToRefund = "nothing_to_refund", Conflict;
    /// The refund is more than what is left of the payment or of the packs.
    RefundExceedsPayment = "refund_exceeds_payment", Conflict;
    /// The order has not been delivered, so there is no problem to report.
    OrderNotDelivered = "order_not_delivered", Conflict;
    /// The day on which a problem with the order could be reported is over.
    ReportPeriodOver = "report_period_over", Conflict;
    /// The order has an open problem.
    ProblemAlreadyReported = "problem_already_reported", Conflict;
    /// Another admin has resolved the problem.
    ProblemResolved = "problem_resolved", Conflict;
    /// Packs of the problem were replaced or refunded before, or packs that are to be refunded were replaced, or a cancelled
    /// replacement is to be sent whose packs were replaced or refunded otherwise. Confirm with `evenIfRepeated`.
    ProblemRepeated = "problem_repeated", Conflict;
    /// Only customers who received the product can review it.
    ProductNotReceived = "product_not_received", Conflict;
    /// The customer has reviewed the product. Change that review.
    AlreadyReviewed = "already_reviewed", Conflict;
    /// The shop has hidden the review, so the customer cannot delete it.
    ReviewHidden = "review_hidden", Conflict;
    /// Customers cannot vote for their own reviews.
    OwnReview = "own_review", Conflict;
    /// The order is not one that can be paid again.
    OrderNotPayable = "order_not_payable", Conflict;
    /// A newer checkout of the same customer has replaced this one.
    CheckoutReplaced = "checkout_replaced", Conflict;
    /// The last admin cannot be deleted or demoted.
    LastAdmin = "last_admin", Conflict;
    /// The contact message has no email address that a reply can be sent to.
    NoReplyAddress = "no_reply_address", Conflict;
    /// The body is too large.
    TooLarge = "too_large", TooLarge;
    /// The image has too many bytes or pixels.
    ImageTooLarge = "image_too_large", TooLarge;
    /// The body has the wrong content type.
    UnsupportedMediaType = "unsupported_media_type", UnsupportedMediaType;
    /// The file is not an image that the shop can read.
    NotAnImage = "not_an_image", UnsupportedMediaType;
    /// The `Idempotency-Key` was used for another request.
    IdempotencyKeyReused = "idempotency_key_reused", Unprocessable;
    /// Too many requests. `Retry-After` has the seconds to wait.
    RateLimited = "rate_limited", RateLimited;
    /// The last orders of the customer were not paid. `Retry-After` has the seconds to wait.
    TooManyUnpaidOrders = "too_many_unpaid_orders", RateLimited;
    /// An error of the server.
    Internal = "internal", Internal;
    /// The shop cannot do this right now. Try again later.
    Unavailable = "unavailable", Unavailable;
    /// The payment gateway gave no payment page. Check out again.
    PaymentNotStarted = "payment_not_started", Unavailable;
    /// Too many requests wait for the database. Nothing was changed. Try again in a moment.
    Busy = "busy", Busy;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_distinct_and_have_a_meaning() {
        let names: HashSet<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(
            names.len(),
            ErrorCode::ALL.len(),
            "two codes share a string"
        );
        for code in ErrorCode::ALL {
            assert!(code.meaning().ends_with('.'), "{code:?}");
            assert_eq!(code.meaning(), code.meaning().trim(), "{code:?}");
        }
    }
}
