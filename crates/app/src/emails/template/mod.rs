//! The email templates of `templates/emails/` and what they may show. Askama checks the variables when it compiles and
//! escapes HTML.

use std::borrow::Cow;

use askama::Template;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderLine, short_id};
use mirasa_domain::refund_plan::{ReturnedPayment, rest_kept_text};

use crate::Settings;
use crate::emails::{OrderEmail, TrackingLink};

/// What a template may show of an order.
struct EmailContext<'a> {
    headline: &'static str,
    shop_name: &'a str,
    customer_name: &'a str,
    order_number: String,
    lines: Vec<EmailLine<'a>>,
    /// The discount code and what it saved, if there was one.
    discount: Option<(&'a str, String)>,
    total: String,
    orders_url: String,
    is_paid: bool,
    /// A discount covers it, or it is a replacement.
    is_free: bool,
    /// Opens the order and offers to put its items into the cart.
    buy_again_url: String,
    news: News<'a>,
}

/// What an email reports. Each kind has its own fields; the others are empty.
#[derive(Default)]
struct News<'a> {
    payment_error: &'a str,
    /// The money that goes back, such as `₹370`. Empty if none does.
    refund: Cow<'a, str>,
    /// Says that the rest of the payment is too little to be refunded. Empty if there is none.
    rest_kept: String,
    refund_reason: &'a str,
    tracking: Option<&'a TrackingLink>,
    /// What was decided about a problem.
    outcome: &'a str,
    /// What the shop has written to the customer.
    message: &'a str,
}

struct EmailLine<'a> {
    product_name: &'a str,
    /// `2 × 50 g, 1 × 100 g`
    packs: String,
    /// Before the discount.
    total: String,
}

impl EmailLine<'_> {
    fn new(line: &OrderLine) -> EmailLine<'_> {
        let sizes = [(line.packs.of_50g, "50 g"), (line.packs.of_100g, "100 g")];
        let packs = sizes.into_iter().filter(|(count, _)| *count > 0);
        let packs: Vec<_> = packs
            .map(|(count, size)| format!("{count} × {size}"))
            .collect();
        EmailLine {
            product_name: &line.product_name,
            packs: packs.join(", "),
            total: (line.total + line.discount).to_string(),
        }
    }
}

pub(crate) struct RenderedEmail {
    pub subject: String,
    pub text: String,
    pub html: String,
}

macro_rules! templates {
    ($($name:ident: $html:literal, $text:literal;)*) => {
        $(
            mod $name {
                use askama::Template;

                use super::EmailContext;

                #[derive(Template)]
                #[template(path = $html)]
                pub(super) struct Html<'a> {
                    pub email: &'a EmailContext<'a>,
                }

                #[derive(Template)]
                #[template(path = $text)]
                pub(super) struct Text<'a> {
                    pub email: &'a EmailContext<'a>,
                }
            }
        )*
    };
}

templates! {
    confirmed: "emails/confirmed.html", "emails/confirmed.txt";
    payment_failed: "emails/payment_failed.html", "emails/payment_failed.txt";
    shipped: "emails/shipped.html", "emails/shipped.txt";
    parcel_returning: "emails/parcel_returning.html", "emails/parcel_returning.txt";
    delivered: "emails/delivered.html", "emails/delivered.txt";
    cancelled: "emails/cancelled.html", "emails/cancelled.txt";
    cancellation_requested: "emails/cancellation_requested.html", "emails/cancellation_requested.txt";
    cancellation_accepted: "emails/cancellation_accepted.html", "emails/cancellation_accepted.txt";
    cancellation_declined: "emails/cancellation_declined.html", "emails/cancellation_declined.txt";
    refund_requested: "emails/refund_requested.html", "emails/refund_requested.txt";
    refunded: "emails/refunded.html", "emails/refunded.txt";
    problem_resolved: "emails/problem_resolved.html", "emails/problem_resolved.txt";
}

impl News<'_> {
    fn returned(payment: &ReturnedPayment) -> News<'static> {
        let refund = payment.refund.map(|amount| amount.to_string());
        News {
            refund: refund.unwrap_or_default().into(),
            rest_kept: rest_kept_or_empty(payment.rest_kept),
            ..News::default()
        }
    }
}

fn rest_kept_or_empty(rest: Paise) -> String {
    match rest {
        Paise::ZERO => String::new(),
        rest => rest_kept_text(rest),
    }
}

impl OrderEmail {
    const fn headline(&self) -> &'static str {
        match self {
            OrderEmail::Confirmed => "Your order is confirmed",
            OrderEmail::PaymentFailed(_) => "Your payment did not go through",
            OrderEmail::Shipped(_) => "Your order is on its way",
            OrderEmail::ParcelReturning => "Your parcel could not be delivered",
            OrderEmail::Delivered => "Your order was delivered",
            OrderEmail::Cancelled(_) => "Your order was cancelled",
            OrderEmail::CancellationRequested => "We have your request to cancel",
            OrderEmail::CancellationAccepted { .. } => "Your order was cancelled",
            OrderEmail::CancellationDeclined(_) => "Your order could not be cancelled",
            OrderEmail::RefundRequested { .. } => "We are refunding your payment",
            OrderEmail::Refunded(_) => "Your money is on its way back",
            OrderEmail::ProblemResolved { .. } => "About the problem you reported",
        }
    }

    fn news(&self) -> News<'_> {
        let none = News::default();
        match self {
            OrderEmail::Confirmed
            | OrderEmail::Shipped(None)
            | OrderEmail::ParcelReturning
            | OrderEmail::Delivered
            | OrderEmail::CancellationRequested => none,
            OrderEmail::PaymentFailed(payment_error) => News {
                payment_error,
                ..none
            },
            OrderEmail::Shipped(Some(tracking)) => News {
                tracking: Some(tracking),
                ..none
            },
            OrderEmail::Cancelled(returned) => News::returned(returned),
            OrderEmail::CancellationAccepted { returned, message } => News {
                message,
                ..News::returned(returned)
            },
            OrderEmail::CancellationDeclined(message) => News { message, ..none },
            OrderEmail::RefundRequested {
                amount,
                reason,
                rest_kept,
            } => News {
                refund: amount.into(),
                refund_reason: reason,
                rest_kept: rest_kept_or_empty(*rest_kept),
                ..none
            },
            OrderEmail::Refunded(amount) => News {
                refund: amount.into(),
                ..none
            },
            OrderEmail::ProblemResolved { outcome, message } => News {
                outcome,
                message,
                ..none
            },
        }
    }

    pub(super) fn render(
        &self,
        settings: &Settings,
        customer_name: &str,
        order: &Order,
    ) -> askama::Result<RenderedEmail> {
        let email = EmailContext {
            headline: self.headline(),
            shop_name: &settings.shop_name,
            customer_name,
            order_number: short_id(&order.id),
            lines: order.lines.iter().map(EmailLine::new).collect(),
            discount: order
                .discount
                .as_ref()
                .map(|discount| (discount.code.as_str(), discount.amount.to_string())),
            total: order.state.total.to_string(),
            orders_url: format!("{}/orders", settings.public_url),
            is_paid: order.is_paid(),
            is_free: order.state.total == Paise::ZERO,
            buy_again_url: format!("{}/orders?buy-again={}", settings.public_url, order.id),
            news: self.news(),
        };
        macro_rules! both {
            ($name:ident) => {
                (
                    $name::Html { email: &email }.render()?,
                    $name::Text { email: &email }.render()?,
                )
            };
        }
        let (html, text) = match self {
            OrderEmail::Confirmed => both!(confirmed),
            OrderEmail::PaymentFailed(_) => both!(payment_failed),
            OrderEmail::Shipped(_) => both!(shipped),
            OrderEmail::ParcelReturning => both!(parcel_returning),
            OrderEmail::Delivered => both!(delivered),
            OrderEmail::Cancelled(_) => both!(cancelled),
            OrderEmail::CancellationRequested => both!(cancellation_requested),
            OrderEmail::CancellationAccepted { .. } => both!(cancellation_accepted),
            OrderEmail::CancellationDeclined(_) => both!(cancellation_declined),
            OrderEmail::RefundRequested { .. } => both!(refund_requested),
            OrderEmail::Refunded(_) => both!(refunded),
            OrderEmail::ProblemResolved { .. } => both!(problem_resolved),
        };
        Ok(RenderedEmail {
            subject: format!(
                "{} ({} order {})",
                email.headline, email.shop_name, email.order_number
            ),
            text,
            html,
        })
    }
}

#[cfg(test)]
mod tests;
