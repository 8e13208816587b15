//! The email templates of `templates/emails/` and what they may show. Askama checks the variables when it compiles and
//! escapes HTML.

use askama::Template;
use mirasa_domain::address::Address;
use mirasa_domain::ist;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderLine, short_id};
use mirasa_domain::pack::Packs;
use mirasa_domain::problem::Problem;
use mirasa_domain::refund_plan::{ReturnedPayment, rest_kept_text};

use crate::Settings;
use crate::emails::{OrderEmail, TrackingLink, order_url};

/// What a template may show of an order.
struct EmailContext<'a> {
    headline: &'static str,
    shop: &'a Settings,
    customer_name: &'a str,
    order_number: String,
    order_url: String,
    /// `15 Nov 2026`
    ordered_on: String,
    lines: Vec<EmailLine<'a>>,
    /// The discount code and what it saved, if there was one.
    discount: Option<(&'a str, String)>,
    total: String,
    /// Where it is delivered.
    address_lines: Vec<String>,
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
    /// The money that goes back, such as `₹370.00`. Empty if none does.
    refund: String,
    /// Says that the rest of the payment is too little to be refunded. Empty if there is none.
    rest_kept: String,
    refund_reason: &'a str,
    tracking: Option<&'a TrackingLink>,
    /// The packs with a problem: `Goda Masala (1 × 50 g)`
    reported: String,
    /// What was decided about a problem.
    outcome: &'a str,
    /// What the shop has written to the customer, or the customer to the shop.
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
        EmailLine {
            product_name: &line.product_name,
            packs: packs_text(line.packs),
            total: (line.total + line.discount).two_decimals(),
        }
    }
}

fn packs_text(packs: Packs) -> String {
    let sizes = [(packs.of_50g, "50 g"), (packs.of_100g, "100 g")];
    let sizes = sizes.into_iter().filter(|(count, _)| *count > 0);
    let sizes: Vec<_> = sizes
        .map(|(count, size)| format!("{count} × {size}"))
        .collect();
    sizes.join(", ")
}

fn address_lines(address: &Address) -> Vec<String> {
    let town = format!("{}, {} {}", address.city, address.state, address.pincode);
    let lines = [&address.name, &address.line1, &address.line2, &town];
    let lines = lines.into_iter().filter(|line| !line.is_empty());
    lines.cloned().collect()
}

/// The packs with a problem, by the names of the order.
fn reported_items(problem: &Problem, order: &Order) -> String {
    let items = order.lines.iter().filter_map(|line| {
        let mut reported = problem.lines.iter();
        let packs = reported.find(|one| one.product == line.product)?.packs;
        (!packs.is_empty()).then(|| format!("{} ({})", line.product_name, packs_text(packs)))
    });
    items.collect::<Vec<_>>().join(", ")
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
    problem_reported: "emails/problem_reported.html", "emails/problem_reported.txt";
    problem_resolved: "emails/problem_resolved.html", "emails/problem_resolved.txt";
}

impl News<'_> {
    fn returned(payment: &ReturnedPayment) -> News<'static> {
        let refund = payment.refund.map(Paise::two_decimals);
        News {
            refund: refund.unwrap_or_default(),
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
            OrderEmail::ProblemReported(_) => "We have your report",
            OrderEmail::ProblemResolved { .. } => "About the problem you reported",
        }
    }

    fn news<'a>(&'a self, order: &Order) -> News<'a> {
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
                refund: amount.two_decimals(),
                refund_reason: reason,
                rest_kept: rest_kept_or_empty(*rest_kept),
                ..none
            },
            OrderEmail::Refunded(amount) => News {
                refund: amount.two_decimals(),
                ..none
            },
            OrderEmail::ProblemReported(problem) => News {
                reported: reported_items(problem, order),
                message: &problem.message,
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
            shop: settings,
            customer_name,
            order_number: short_id(&order.id),
            order_url: order_url(settings, &order.id),
            ordered_on: ist::date(ist::day(order.created_at_ms)),
            lines: order.lines.iter().map(EmailLine::new).collect(),
            discount: order
                .discount
                .as_ref()
                .map(|discount| (discount.code.as_str(), discount.amount.two_decimals())),
            total: order.state.total.two_decimals(),
            address_lines: address_lines(&order.address),
            is_paid: order.is_paid(),
            is_free: order.state.total == Paise::ZERO,
            buy_again_url: format!("{}/orders?buy-again={}", settings.public_url, order.id),
            news: self.news(order),
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
            OrderEmail::ProblemReported(_) => both!(problem_reported),
            OrderEmail::ProblemResolved { .. } => both!(problem_resolved),
        };
        Ok(RenderedEmail {
            subject: format!(
                "{} ({} order {})",
                email.headline, settings.shop_name, email.order_number
            ),
            text,
            html,
        })
    }
}

#[cfg(test)]
mod tests;
