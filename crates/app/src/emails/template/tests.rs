//! Each email as it is sent.

use mirasa_domain::address::Address;
use mirasa_domain::order::{OrderDiscount, OrderState, OrderStatus, PaymentStatus};
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::product::ProductId;
use mirasa_domain::user::UserId;

use super::*;

fn line(name: &str, of_50g: u32, of_100g: u32, total: i64) -> OrderLine {
    OrderLine {
        product: ProductId(name.to_lowercase()),
        product_name: name.to_owned(),
        image: String::new(),
        packs: Packs { of_50g, of_100g },
        prices: Prices {
            of_50g: Some(Paise::new(6_500)),
            of_100g: Some(Paise::new(12_000)),
        },
        discount: Paise::ZERO,
        total: Paise::new(total),
        restocked: Packs::ZERO,
    }
}

fn order() -> Order {
    Order {
        id: "019a8d2e-4f3c-7a10-9b2e-c0ffee12ab34".into(),
        user: UserId("u1".into()),
        merchant_order_id: "M1".into(),
        state: OrderState {
            total: Paise::new(37_000),
            payment_status: PaymentStatus::Completed,
            order_status: OrderStatus::Confirmed,
            stock_reserved: true,
            end_reason: None,
        },
        payment_error: None,
        paid_by_attempt: None,
        address: Address {
            address_name: "Home".into(),
            name: "Asha Kulkarni".into(),
            phone: "+919876543210".into(),
            line1: "12 Tilak Road".into(),
            line2: String::new(),
            city: "Pune".into(),
            state: "Maharashtra".into(),
            pincode: "411030".into(),
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
        lines: vec![
            line("Goda Masala", 1, 2, 30_500),
            line("Chai <Masala> & more", 1, 0, 6_500),
        ],
    }
}

fn rendered(email: &OrderEmail) -> RenderedEmail {
    rendered_for(email, &order())
}

fn rendered_for(email: &OrderEmail, order: &Order) -> RenderedEmail {
    let settings = Settings {
        tax: crate::invoices::TaxSettings::example(),
        shipping: crate::shipping::ShippingSettings {
            tare_grams: 100,
            rule: mirasa_domain::shipment::CourierRule::Cheapest,
            unscanned_days: 4,
        },
        low_stock_days: 7,
        shop_name: "Mirasa & Daughters".into(),
        public_url: "https://shop.example".into(),
        admin_emails: Vec::new(),
        session_days: 30,
        max_packs_per_order: 0,
        support_email: "care@shop.example".into(),
        notify_emails: Vec::new(),
        link_secret: [0; 32],
    };
    email.render(&settings, "Asha \"A\" <b>", order).unwrap()
}

#[test]
fn every_email_matches_its_snapshot() {
    for email in [
        OrderEmail::Confirmed,
        OrderEmail::PaymentFailed("Your bank <declined> the payment.".into()),
        OrderEmail::Shipped(Some(TrackingLink {
            number: "Delhivery 19041424751540".into(),
            url: "https://shiprocket.co/tracking/19041424751540".into(),
        })),
        OrderEmail::ParcelReturning,
        OrderEmail::Delivered,
        OrderEmail::Cancelled(ReturnedPayment {
            refund: Some(Paise::new(37_000)),
            rest_kept: Paise::ZERO,
        }),
        OrderEmail::CancellationRequested,
        OrderEmail::CancellationAccepted {
            returned: ReturnedPayment {
                refund: Some(Paise::new(37_000)),
                rest_kept: Paise::ZERO,
            },
            message: "We hope to see you <again>.".into(),
        },
        OrderEmail::CancellationDeclined("The courier has it already & is on the way.".into()),
        OrderEmail::RefundRequested {
            amount: "₹120".into(),
            reason: "One pouch was <torn>".into(),
            rest_kept: Paise::new(50),
        },
        OrderEmail::Refunded("₹370".into()),
        OrderEmail::ProblemResolved {
            outcome: "We send a replacement, order EE12AB35".into(),
            message: "Sorry about the torn pouch & the mess.".into(),
        },
    ] {
        let RenderedEmail {
            subject,
            text,
            html,
        } = rendered(&email);
        let name = email.kind().replace(' ', "_");
        insta::assert_snapshot!(
            format!("{name}.txt"),
            format!("Subject: {subject}\n\n{text}")
        );
        insta::assert_snapshot!(format!("{name}.html"), html);
    }
}

#[test]
fn discount_is_between_the_full_prices_and_the_total() {
    let mut order = order();
    for (line, discount) in order.lines.iter_mut().zip([3_050, 650]) {
        line.discount = Paise::new(discount);
        line.total = line.total - line.discount;
    }
    order.state.total = Paise::new(33_300);
    order.discount = Some(OrderDiscount {
        discount_id: "d1".into(),
        code: "DIWALI-10".into(),
        amount: Paise::new(3_700),
    });
    let email = rendered_for(&OrderEmail::Confirmed, &order);
    insta::assert_snapshot!("discounted.txt", email.text);
    insta::assert_snapshot!("discounted.html", email.html);
}

#[test]
fn order_that_a_discount_covers_is_not_called_paid() {
    let mut order = order();
    order.state.total = Paise::ZERO;
    let email = rendered_for(&OrderEmail::Confirmed, &order);
    for body in [email.text, email.html] {
        assert!(body.contains("There is nothing to pay"), "{body}");
        assert!(!body.contains("We have your payment"), "{body}");
    }
}

#[test]
fn html_is_escaped_and_text_is_not() {
    let email = rendered(&OrderEmail::PaymentFailed("<script>".into()));
    assert!(!email.html.contains("<script>") && !email.html.contains("<Masala>"));
    assert!(email.text.contains("<script>") && email.text.contains("Chai <Masala> & more"));
}
