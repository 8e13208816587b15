//! The PDF files of invoices and packing runs: who gets them, what they say, and how they reach the customer.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::admin_orders::customer_with_orders;
use crate::cancellation::finish_refunds;
use crate::harness::{
    MailServer, TestResponse, TestShop, eventually, for_each_engine, on_sqlite_fresh,
};
use crate::invoices::{invoices, set_status};

/// The text of the file as a reader sees it.
fn text_of(pdf: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), pdf).unwrap();
    let output = Command::new("pdftotext")
        .arg("-layout")
        .arg(file.path())
        .arg("-")
        .stderr(Stdio::inherit())
        .output()
        .expect("pdftotext is installed by scripts/setup.sh");
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
pub fn pdf_text(response: &TestResponse) -> String {
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.header("content-type"), "application/pdf");
    assert_eq!(response.header("cache-control"), "private, no-store");
    text_of(&response.body)
}

#[test]
fn invoices_are_files_for_their_customer_and_admins() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "invoice-file", 2).await;
        let stranger = shop.customer("invoice-stranger").await;
        let order = &orders[1];
        let id = &order.id;
        let path = format!("/api/user/orders/{id}/invoice.pdf");
        let admin_path = format!("/api/admin/orders/{id}/invoice.pdf");
        customer
            .get(&path)
            .await
            .expect_error(404, "There is no invoice yet");
        set_status(&admin, id.as_str(), "shipped").await.expect_ok();
        let refund = json!({ "amount": 12.5, "reason": "Damaged by rain" });
        admin
            .post(&format!("/api/admin/orders/{id}/refunds"), refund)
            .await
            .expect_ok();
        finish_refunds(shop, id.as_str()).await;
        let [invoice, note] = &invoices(shop, order).await[..] else {
            panic!("an invoice and a credit note")
        };

        let first = customer.get(&path).await;
        let text = pdf_text(&first);
        for part in [
            invoice.number.as_str(),
            "27AAAAM0000M1Z1",
            "Asha Kulkarni",
            "27-Maharashtra",
            "0910",
            &format!("{}", invoice.amounts().cgst)[3..],
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let name = format!("Invoice-{}.pdf", invoice.number.replace('/', "-"));
        assert_eq!(
            first.header("content-disposition"),
            format!("inline; filename=\"{name}\"")
        );
        assert_eq!(
            admin.get(&admin_path).await.body,
            first.body,
            "byte for byte the same"
        );
        let notes = |file: &str| format!("/api/user/orders/{id}/credit-notes/{file}");
        let note_file = notes(&format!("{}.pdf", note.id));
        let text = pdf_text(&customer.get(&note_file).await);
        assert!(text.contains(&note.number) && text.contains(&invoice.number));
        assert!(
            text.contains("Reason") && text.contains("Damaged by rain"),
            "{text}"
        );
        for file in [
            notes(note.id.as_str()),
            notes("no-such-note.pdf"),
            notes(&format!("{}.pdf", invoice.id)),
            format!(
                "/api/user/orders/{}/credit-notes/{}.pdf",
                orders[0].id, note.id
            ),
        ] {
            assert_eq!(customer.get(&file).await.status, 404, "{file}");
        }
        for file in [&path, &note_file] {
            stranger
                .get(file)
                .await
                .expect_code(404, "order_not_found", "");
            assert_eq!(shop.visitor().get(file).await.status, 401);
        }
        stranger
            .get(&admin_path)
            .await
            .expect_code(403, "admin_required", "");

        // Deleting an order hides it from its customer. The invoice must be kept, so admins still find it.
        let path_of_order = format!("/api/admin/orders/{id}");
        admin.delete(&path_of_order).await.expect_ok();
        assert_eq!(customer.get(&path).await.status, 404);
        assert_eq!(admin.get(&admin_path).await.body, first.body);
    });
}

#[test]
fn packing_file_has_a_slip_for_each_order() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "packing-file", 2).await;
        let ids: Vec<_> = orders.iter().map(|order| order.id.as_str()).collect();
        let path = |ids: &str| format!("/api/admin/packing.pdf?orders={ids}");
        // One of the three 50 g packs is not packed.
        let lines = json!([{ "productId": "packing-file", "qty_50g": 1 }]);
        let body = json!({ "lines": lines, "reason": "Sold out" });
        admin
            .post(&format!("/api/admin/orders/{}/refunds", ids[1]), body)
            .await
            .expect_ok();
        let text = pdf_text(&admin.get(&path(&ids.join(","))).await);
        for id in &ids {
            let short = id[id.len() - 8..].to_uppercase();
            assert!(text.contains(&short), "{short}: {text}");
        }
        assert_eq!(text.matches("Deliver to").count(), 2, "{text}");
        let picked: Vec<Vec<_>> = text
            .lines()
            .filter(|line| line.contains("packing-file"))
            .map(|line| line.split_whitespace().skip(1).collect())
            .collect();
        assert_eq!(picked[..2], [["50", "g", "2"], ["100", "g", "2"]]);
        assert!(!text.contains("Do not send"), "{text}");
        let body = json!({ "reason": "Sold out" });
        let refunds = format!("/api/admin/orders/{}/refunds", ids[0]);
        admin.post(&refunds, body).await.expect_ok();
        let text = pdf_text(&admin.get(&path(ids[0])).await);
        assert!(text.contains("Do not send"), "{text}");
        for (ids, status) in [("", 400), (",", 400), ("no-such-order", 404)] {
            assert_eq!(admin.get(&path(ids)).await.status, status, "{ids}");
        }
        assert_eq!(customer.get(&path(ids[0])).await.status, 403);
    });
}

#[test]
fn invoice_is_attached_to_the_email_about_the_shipment() {
    let server = MailServer::start();
    on_sqlite_fresh(
        |config| config.mail.smtp_url = server.url.as_str().into(),
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = customer_with_orders(shop, "attached", 1).await;
            let order = &orders[0];
            set_status(&admin, order.id.as_str(), "shipped")
                .await
                .expect_ok();
            let number = invoices(shop, order).await[0].number.replace('/', "-");
            let name = format!("Invoice-{number}.pdf");
            let to = TestShop::email("attached");
            eventually("the email about the shipment", async || {
                shop.running.shop.send_emails().await.unwrap();
                server.emails_to(&to).len() == 2
            })
            .await;
            let emails = server.emails_to(&to);
            let with_file: Vec<_> = emails
                .iter()
                .filter(|email| email.source.contains("application/pdf"))
                .collect();
            assert_eq!(with_file.len(), 1, "not to the confirmation");
            let source = &with_file[0].source;
            assert!(source.contains(&format!("filename=\"{name}\"")), "{source}");
            // %PDF- in Base64.
            assert!(source.contains("JVBERi0"), "the file itself");
        },
    );
}

#[test]
fn sandbox_mailbox_shows_attachments() {
    on_sqlite_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let (_, orders) = customer_with_orders(shop, "mailbox-file", 1).await;
            set_status(&admin, orders[0].id.as_str(), "shipped")
                .await
                .expect_ok();
            let emails = shop.emails_to("mailbox-file").await;
            let shipped = emails.iter().find(|email| email.kind == "shipped").unwrap();
            let page = admin.get(&format!("/sandbox/mail/{}", shipped.id)).await;
            let link = format!("/sandbox/mail/{}/attachment.pdf", shipped.id);
            assert!(page.text().contains(&link));
            let file = admin.get(&link).await;
            let number = invoices(shop, &orders[0]).await[0].number.clone();
            assert!(text_of(&file.body).contains(&number));
            let confirmed = emails.iter().find(|email| email.kind == "confirmed");
            let link = format!("/sandbox/mail/{}/attachment.pdf", confirmed.unwrap().id);
            assert_eq!(admin.get(&link).await.status, 404);
        },
    );
}
