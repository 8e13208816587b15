//! Each email as it is sent.

use mirasa_domain::address::Address;
use mirasa_domain::order::{OrderDiscount, OrderState, OrderStatus, PaymentStatus};
use mirasa_domain::pack::{Packs, Prices};
use mirasa_domain::problem::{ProblemLine, ProblemState};
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
        // 2026-11-15, 00:00 in India.
        created_at_ms: 1_794_681_000_000,
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

fn problem() -> Problem {
    Problem {
        id: "p1".into(),
        order_id: order().id,
        message: "One pouch is <torn>.\nThe other is fine.".into(),
        lines: vec![ProblemLine {
            product: ProductId("goda masala".into()),
            packs: Packs {
                of_50g: 0,
                of_100g: 1,
            },
        }],
        images: Vec::new(),
        state: ProblemState::Open,
        response: String::new(),
        created_at_ms: 0,
        resolved_at_ms: None,
        resolved_by: None,
        refund_id: None,
        replacement_order_id: None,
        is_repeated: None,
    }
}

fn rendered(email: &OrderEmail) -> RenderedEmail {
    rendered_for(email, &order())
}

fn rendered_for(email: &OrderEmail, order: &Order) -> RenderedEmail {
    let settings = Settings::example();
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
            amount: Paise::new(12_000),
            reason: "One pouch was <torn>".into(),
            rest_kept: Paise::new(50),
        },
        OrderEmail::Refunded(Paise::new(37_000)),
        OrderEmail::ProblemReported(problem()),
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
fn email_shows_its_order_and_how_to_ask_about_it() {
    let email = rendered(&OrderEmail::Delivered);
    for body in [&email.text, &email.html] {
        for shown in [
            "https://shop.example/orders?order=019a8d2e-4f3c-7a10-9b2e-c0ffee12ab34",
            "Ordered on 15 Nov 2026",
            "Delivery address",
            "12 Tilak Road",
            "Pune, Maharashtra 411030",
            "https://shop.example/contact-us",
            "care@shop.example",
            "+91 20 5550 0142",
        ] {
            assert!(body.contains(shown), "{shown}: {body}");
        }
    }
    let logo = "/icons/icon-192.png";
    let image = format!("<img src=\"https://shop.example{logo}\"");
    assert!(email.html.contains(&image));
    let web = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/public");
    assert!(std::path::Path::new(&format!("{web}{logo}")).exists());
}

#[test]
fn shop_without_a_phone_names_none() {
    let settings = Settings {
        support_phone: String::new(),
        ..Settings::example()
    };
    let email = OrderEmail::Delivered;
    let email = email.render(&settings, "Asha", &order()).unwrap();
    assert!(!email.text.contains("Phone") && !email.html.contains("tel:"));
}

#[test]
fn payment_that_failed_can_be_repeated_before_the_items_are_read() {
    let email = rendered(&OrderEmail::PaymentFailed("Declined.".into()));
    for body in [email.text, email.html] {
        let at = |text| body.find(text).unwrap();
        assert!(at("Pay again") < at("Goda Masala"), "{body}");
    }
}

#[test]
fn amounts_of_an_order_have_two_decimals() {
    let mut order = order();
    order.state.total = Paise::new(123_400);
    for email in [
        rendered_for(&OrderEmail::Confirmed, &order),
        rendered_for(&OrderEmail::Refunded(Paise::new(123_400)), &order),
    ] {
        for body in [email.text, email.html] {
            let amounts = body.split('₹').skip(1);
            let decimals = amounts.map(|rest| {
                let amount = rest.split(|c: char| !c.is_ascii_digit() && !",.".contains(c));
                amount.into_iter().next().unwrap().trim_end_matches('.')
            });
            let decimals: Vec<_> = decimals.collect();
            assert!(decimals.contains(&"1,234.00"), "{decimals:?}");
            let has_two = |amount: &&str| {
                amount
                    .rsplit_once('.')
                    .is_some_and(|(_, paise)| paise.len() == 2)
            };
            assert!(decimals.iter().all(has_two), "{decimals:?}");
        }
    }
}

#[test]
fn html_is_escaped_and_text_is_not() {
    let email = rendered(&OrderEmail::PaymentFailed("<script>".into()));
    assert!(!email.html.contains("<script>") && !email.html.contains("<Masala>"));
    assert!(email.text.contains("<script>") && email.text.contains("Chai <Masala> & more"));
}
