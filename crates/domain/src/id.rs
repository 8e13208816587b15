//! The ids of entities. Each kind is a type of its own, so that one cannot be taken for another:
//!
//! ```compile_fail,E0308
//! use mirasa_domain::discount::DiscountId;
//! use mirasa_domain::review::ReviewId;
//!
//! fn delete_review(_: &ReviewId) {}
//!
//! delete_review(&DiscountId::from("d1"));
//! ```

/// Defines the ids of one kind of entity.
macro_rules! id_type {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(
            Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> $name {
                $name(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> $name {
                $name(text.to_owned())
            }
        }
    };
}

id_type!(
    /// The id of a saved address.
    AddressId
);

id_type!(
    /// The id of a batch. Its number is on the pouches.
    BatchId
);

id_type!(
    /// The id of a discount code. Customers see only the code.
    DiscountId
);

id_type!(
    /// The id of an invoice, bill of supply or credit note. Its number is on the paper.
    InvoiceId
);

id_type!(
    /// The id of an order issue.
    IssueId
);

id_type!(
    /// The id of a message from the contact form.
    MessageId
);

id_type!(
    /// The id of an email in the outbox. A reply to a message has that of its email.
    EmailId
);

id_type!(
    /// The id of an order. People see only the end of it: `short_id`.
    OrderId
);

id_type!(
    /// The id of a payment attempt: the merchant order id at the gateway, up to 63 characters of `[A-Za-z0-9_-]`.
    AttemptId
);

id_type!(
    /// The id of a reported problem.
    ProblemId
);

id_type!(
    /// A readable slug of the product's first name. It is also the last part of the page's path.
    ProductId
);

id_type!(
    /// The id of a refund: also its number at the gateway.
    RefundId
);

id_type!(
    /// The id of a review.
    ReviewId
);

id_type!(
    /// The id of a parcel.
    ShipmentId
);

id_type!(
    /// The id of a request to be told that a product is there again.
    NoticeId
);

id_type!(
    /// The id of a user.
    UserId
);
