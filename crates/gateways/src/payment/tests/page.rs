//! The payment page as a browser meets it: what it shows, what its form sends, where it leads.

use mirasa_app::ports::payment::{GatewayPaymentState, PaymentGateway as _};
use reqwest::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION};
use serde_json::json;

use super::sandbox::SandboxShop;
use super::{BACK, begun, browser, report};
use crate::payment::sandbox::PATH;

/// The page's only form: what it would send when this button is pressed, its choices as they stand.
fn pressed(page: &str, button: &str) -> Vec<(String, String)> {
    let form = page.split("<form").nth(1).unwrap();
    let form = form.split("</form>").next().unwrap();
    assert!(form.starts_with(" method=\"post\">"), "to its own address");
    let attribute = |tag: &str, name: &str| {
        let value = tag.split(&format!("{name}=\"")).nth(1).unwrap();
        value.split('"').next().unwrap().to_owned()
    };
    let checked = form
        .split("<input ")
        .find(|tag| tag.contains(" checked>"))
        .unwrap();
    let select = form.split("<select ").nth(1).unwrap();
    let first_option = select.split("<option ").nth(1).unwrap();
    let button = form
        .split("<button ")
        .skip(1)
        .find(|tag| tag.contains(&format!("value=\"{button}\"")))
        .unwrap();
    vec![
        (attribute(checked, "name"), attribute(checked, "value")),
        (attribute(select, "name"), attribute(first_option, "value")),
        (attribute(button, "name"), attribute(button, "value")),
    ]
}

async fn text(url: &str) -> String {
    let answer = browser().get(url).send().await.unwrap();
    answer.text().await.unwrap()
}

#[tokio::test]
async fn the_page_says_what_it_is_and_what_is_paid() {
    let shop = SandboxShop::open().await;
    let mut ask = super::ask("MO-1");
    ask.message = "<script>alert(1)</script>".into();
    let page = shop.phonepe.create_payment(ask).await.unwrap();
    assert!(
        page.redirect_url
            .starts_with(&format!("{}{PATH}/pay/OMO", shop.url))
    );
    let answer = browser().get(&page.redirect_url).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()[CACHE_CONTROL], "no-store");
    let policy = answer.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"));
    assert!(policy.contains("form-action 'self' http://shop.example;"));
    let html = answer.text().await.unwrap();
    for shown in [
        "Sandbox",
        "No money moves here",
        "Pay Mirasa &lt;&amp;&gt; Co",
        "₹1,245.50",
        "<code>MO-1</code>",
        "&lt;script&gt;alert(1)",
        "good for 15 minutes",
    ] {
        assert!(html.contains(shown), "{shown}");
    }
    assert!(!html.contains("<script") && !html.contains("style=\""));
}

#[tokio::test]
async fn every_button_leads_back_to_the_shop() {
    let shop = SandboxShop::open().await;
    shop.switch(json!({ "webhook": "never" })).await;
    for (button, number, state) in [
        ("pay", "MO1", GatewayPaymentState::Completed),
        ("fail", "MO2", GatewayPaymentState::Failed),
        ("pending", "MO3", GatewayPaymentState::Pending),
    ] {
        let page = begun(&shop.phonepe, number).await.redirect_url;
        let fields = pressed(&text(&page).await, button);
        let answer = browser().post(&page).form(&fields).send().await.unwrap();
        assert_eq!(answer.status(), 303);
        assert_eq!(
            answer.headers()[LOCATION],
            format!("http://shop.example{BACK}{number}")
        );
        let report = report(&shop.phonepe, number).await;
        assert_eq!(report.state, state, "{button}");
        if button == "fail" {
            assert_eq!(report.error_code.as_deref(), Some("TXN_CANCELLED"));
            assert_eq!(
                report.error_message.as_deref(),
                Some("The payment was cancelled.")
            );
        }
    }
}

#[tokio::test]
async fn a_settled_order_stays_as_it_is() {
    let shop = SandboxShop::open().await;
    shop.switch(json!({ "webhook": "never" })).await;
    let page = begun(&shop.phonepe, "MO1").await.redirect_url;
    let fields = [("outcome", "pay"), ("mode", "CARD")];
    shop.choose(&page, &fields).await;
    let paid = report(&shop.phonepe, "MO1").await;
    assert_eq!(paid.mode.as_deref(), Some("CARD"));

    // The back button, a second tab, a double click.
    let html = text(&page).await;
    assert!(html.contains("This payment is made.") && !html.contains("<form"));
    for outcome in ["fail", "pending", "pay"] {
        let back = shop.choose(&page, &[("outcome", outcome)]).await;
        assert_eq!(back.status(), 303);
        assert_eq!(report(&shop.phonepe, "MO1").await, paid);
    }

    let page = begun(&shop.phonepe, "MO2").await.redirect_url;
    shop.clock.advance_s(900);
    let html = text(&page).await;
    assert!(html.contains("has failed.") && html.contains("ORDER_EXPIRED"));
    let record = shop.choose(&page, &[("outcome", "pay")]).await;
    assert_eq!(record.status(), 303);
    assert_eq!(
        report(&shop.phonepe, "MO2").await.state,
        GatewayPaymentState::Failed
    );
}

#[tokio::test]
async fn what_the_page_does_not_offer_does_nothing() {
    let shop = SandboxShop::open().await;
    let page = begun(&shop.phonepe, "MO1").await.redirect_url;
    for fields in [&[("outcome", "steal")][..], &[("reason", "Z9")], &[]] {
        assert_eq!(shop.choose(&page, fields).await.status(), 400);
    }
    assert_eq!(
        report(&shop.phonepe, "MO1").await.state,
        GatewayPaymentState::Pending
    );
    let nowhere = format!("{}{PATH}/pay/OMOnone", shop.url);
    assert_eq!(browser().get(&nowhere).send().await.unwrap().status(), 404);
    let chosen = shop.choose(&nowhere, &[("outcome", "pay")]).await;
    assert_eq!(chosen.status(), 404);
}
