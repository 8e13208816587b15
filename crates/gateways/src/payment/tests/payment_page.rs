//! The payment page as in a browser: what it shows, what its form sends, where it redirects.

use mirasa_app::ports::payment::{GatewayPaymentState, PaymentGateway as _};
use reqwest::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION};
use serde_json::json;

use super::sandbox_shop::SandboxShop;
use super::{RETURN_PATH, create_page, http_client, payment};
use mirasa_sandbox::payment::PATH;

/// What the page's only form sends when this button is pressed, with the default choices.
fn form_data(page: &str, button: &str) -> Vec<(String, String)> {
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
    let response = http_client().get(url).send().await.unwrap();
    response.text().await.unwrap()
}

#[tokio::test]
async fn page_shows_amount_and_escapes_text() {
    let shop = SandboxShop::open().await;
    let mut request = super::payment_request("MO-1");
    request.message = "<script>alert(1)</script>".into();
    let page = shop.phonepe.create_payment(request).await.unwrap();
    assert!(
        page.redirect_url
            .starts_with(&format!("{}{PATH}/pay/OMO", shop.url))
    );
    let response = http_client().get(&page.redirect_url).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
    let policy = response.headers()[CONTENT_SECURITY_POLICY]
        .to_str()
        .unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"));
    assert!(policy.contains("form-action 'self' http://shop.example;"));
    let html = response.text().await.unwrap();
    for expected in [
        "Sandbox",
        "No money moves here",
        "Pay Mirasa &lt;&amp;&gt; Co",
        "₹1,245.50",
        "<code>MO-1</code>",
        "&lt;script&gt;alert(1)",
        "good for 15 minutes",
    ] {
        assert!(html.contains(expected), "{expected}");
    }
    assert!(!html.contains("<script") && !html.contains("style=\""));
}

#[tokio::test]
async fn every_button_redirects_to_the_shop() {
    let shop = SandboxShop::open().await;
    shop.inject_faults(json!({ "webhook": "never" })).await;
    for (button, id, state) in [
        ("pay", "MO1", GatewayPaymentState::Completed),
        ("fail", "MO2", GatewayPaymentState::Failed),
        ("pending", "MO3", GatewayPaymentState::Pending),
    ] {
        let page = create_page(&shop.phonepe, id).await.redirect_url;
        let fields = form_data(&text(&page).await, button);
        let response = http_client()
            .post(&page)
            .form(&fields)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 303);
        assert_eq!(
            response.headers()[LOCATION],
            format!("http://shop.example{RETURN_PATH}{id}")
        );
        let payment = payment(&shop.phonepe, id).await;
        assert_eq!(payment.state, state, "{button}");
        if button == "fail" {
            assert_eq!(payment.error_code.as_deref(), Some("TXN_CANCELLED"));
            assert_eq!(
                payment.error_message.as_deref(),
                Some("The payment was cancelled.")
            );
        }
    }
}

#[tokio::test]
async fn settled_order_cannot_change() {
    let shop = SandboxShop::open().await;
    shop.inject_faults(json!({ "webhook": "never" })).await;
    let page = create_page(&shop.phonepe, "MO1").await.redirect_url;
    let fields = [("outcome", "pay"), ("mode", "CARD")];
    shop.submit(&page, &fields).await;
    let paid = payment(&shop.phonepe, "MO1").await;
    assert_eq!(paid.mode.as_deref(), Some("CARD"));

    // The back button, a second tab, a double click.
    let html = text(&page).await;
    assert!(html.contains("This payment is made.") && !html.contains("<form"));
    for outcome in ["fail", "pending", "pay"] {
        let back = shop.submit(&page, &[("outcome", outcome)]).await;
        assert_eq!(back.status(), 303);
        assert_eq!(payment(&shop.phonepe, "MO1").await, paid);
    }

    let page = create_page(&shop.phonepe, "MO2").await.redirect_url;
    shop.clock.advance_s(900);
    let html = text(&page).await;
    assert!(html.contains("has failed.") && html.contains("ORDER_EXPIRED"));
    let response = shop.submit(&page, &[("outcome", "pay")]).await;
    assert_eq!(response.status(), 303);
    assert_eq!(
        payment(&shop.phonepe, "MO2").await.state,
        GatewayPaymentState::Failed
    );
}

#[tokio::test]
async fn unknown_outcome_is_rejected() {
    let shop = SandboxShop::open().await;
    let page = create_page(&shop.phonepe, "MO1").await.redirect_url;
    for fields in [&[("outcome", "steal")][..], &[("reason", "Z9")], &[]] {
        assert_eq!(shop.submit(&page, fields).await.status(), 400);
    }
    assert_eq!(
        payment(&shop.phonepe, "MO1").await.state,
        GatewayPaymentState::Pending
    );
    let unknown_page = format!("{}{PATH}/pay/OMOnone", shop.url);
    assert_eq!(
        http_client()
            .get(&unknown_page)
            .send()
            .await
            .unwrap()
            .status(),
        404
    );
    let submitted = shop.submit(&unknown_page, &[("outcome", "pay")]).await;
    assert_eq!(submitted.status(), 404);
}
