//! Invoices and credit notes: when they are issued, what they add up to, and who sees them.

use mirasa_domain::invoice::{Invoice, InvoiceKind};
use mirasa_domain::money::Paise;
use mirasa_domain::order::Order;
use mirasa_domain::tax::TaxAmounts;
use mirasa_server::config::TaxRegistration;
use serde_json::{Value, json};

use crate::admin_orders::customer_with_orders;
use crate::admin_products::audit_entries;
use crate::cancellation::{finish_refunds, show, texts};
use crate::harness::{
    PendingPayment, ProductFixture, TestClient, TestResponse, TestShop, for_each_engine,
    for_each_engine_fresh, paise, read_db,
};

pub async fn set_status(admin: &TestClient, id: &str, status: &str) -> TestResponse {
    let path = format!("/api/admin/orders/{id}/status");
    admin.put(&path, json!({ "orderStatus": status })).await
}

pub async fn pack(admin: &TestClient, orders: &[&str]) -> TestResponse {
    let body = json!({ "orders": orders });
    admin.put("/api/admin/orders/packed", body).await
}

async fn refund(admin: &TestClient, id: &str, body: Value) -> Value {
    let path = format!("/api/admin/orders/{id}/refunds");
    admin.post(&path, body).await.expect_ok()["refund"].take()
}

/// The invoice first, then its credit notes.
pub async fn invoices(shop: &TestShop, order: &Order) -> Vec<Invoice> {
    let ids = [order.id.clone()];
    read_db!(shop, db => db.invoices_of(&ids).await?)
}

fn sum<'d>(invoices: impl IntoIterator<Item = &'d Invoice>) -> TaxAmounts {
    invoices.into_iter().map(Invoice::amounts).sum()
}

#[test]
fn shipping_a_paid_order_issues_its_invoice_once() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "invoice-shipped", 2).await;
        let [order, direct] = &orders[..] else {
            panic!("two orders")
        };
        assert_eq!(
            show(&customer, order.id.as_str()).await["invoice"],
            Value::Null
        );
        let shipped = set_status(&admin, order.id.as_str(), "shipped")
            .await
            .expect_ok()["order"]
            .take();
        let invoice = &shipped["invoice"];
        assert_eq!(paise(&invoice["total"]), order.state.total.get());
        assert_eq!(invoice["cgst"], invoice["sgst"]);
        assert_eq!(invoice["igst"], 0);
        assert_eq!(
            paise(&invoice["taxable"]) + 2 * paise(&invoice["cgst"]),
            order.state.total.get()
        );
        assert_eq!(invoice["placeOfSupply"], "27-Maharashtra");
        assert_eq!(invoice["kind"], "tax invoice");
        let number = invoice["number"].as_str().unwrap().to_owned();
        assert!(number.starts_with("MIR/") && number.len() <= 16, "{number}");
        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(&shown["invoice"], invoice);
        assert!(texts(&shown["events"], "kind").contains(&"invoiced"));

        for status in ["delivered", "confirmed", "shipped"] {
            set_status(&admin, order.id.as_str(), status)
                .await
                .expect_ok();
        }
        set_status(&admin, order.id.as_str(), "confirmed")
            .await
            .expect_ok();
        pack(&admin, &[order.id.as_str()]).await.expect_ok();
        assert_eq!(invoices(shop, order).await.len(), 1);
        assert_eq!(
            show(&customer, order.id.as_str()).await["invoice"]["number"],
            number
        );

        // Without the step between.
        set_status(&admin, direct.id.as_str(), "delivered")
            .await
            .expect_ok();
        assert_eq!(invoices(shop, direct).await[0].total(), direct.state.total);
        shop.assert_consistent_for("invoice-shipped", &orders).await;
    });
}

#[test]
fn unpaid_order_has_no_invoice_until_it_is_paid() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let id = shop
            .add_product(ProductFixture::new("invoice-unpaid", "Invoice Unpaid"))
            .await;
        let customer = shop.customer("invoice-unpaid").await;
        customer.add(id, 1, 1).await;
        let home = customer.home().await;
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        let order = shop.order_of(&payment).await;
        set_status(&admin, order.id.as_str(), "shipped")
            .await
            .expect_ok();
        assert!(invoices(shop, &order).await.is_empty());
        pack(&admin, &[order.id.as_str()])
            .await
            .expect_code(409, "order_not_packable", "");
        customer.submit_payment(&payment, "pay").await;
        customer.settled_result(&payment).await;
        assert_eq!(invoices(shop, &order).await[0].total(), order.state.total);
        shop.assert_consistent_for("invoice-unpaid", &[order]).await;
    });
}

#[test]
fn packing_issues_the_invoices_of_the_orders_that_can_be_packed() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "invoice-packed", 3).await;
        let [one, two, cancelled] = &orders[..] else {
            panic!("three orders")
        };
        set_status(&admin, cancelled.id.as_str(), "cancelled")
            .await
            .expect_ok();
        pack(&admin, &[cancelled.id.as_str()])
            .await
            .expect_code(409, "order_not_packable", "");
        pack(&admin, &["no-such-order"])
            .await
            .expect_code(404, "order_not_found", "");
        assert_eq!(pack(&admin, &[]).await.status, 400);
        for order in &orders {
            assert!(invoices(shop, order).await.is_empty());
        }
        let mut response = pack(
            &admin,
            &[
                two.id.as_str(),
                one.id.as_str(),
                one.id.as_str(),
                cancelled.id.as_str(),
            ],
        )
        .await
        .expect_ok();
        assert_eq!(response["notPacked"][0]["code"], "order_not_packable");
        assert!(invoices(shop, cancelled).await.is_empty());
        let packed = response["orders"].take();
        assert_eq!(packed.as_array().unwrap().len(), 2);
        for order in [one, two] {
            let shown = show(&customer, order.id.as_str()).await;
            assert_eq!(shown["orderStatus"], "confirmed");
            assert!(shown["packedAt"].is_string());
            assert_eq!(
                texts(&shown["events"], "kind"),
                ["placed", "paid", "packed", "invoiced"]
            );
            assert_eq!(invoices(shop, order).await[0].total(), order.state.total);
        }
        let again = pack(&admin, &[one.id.as_str()]).await.expect_ok();
        assert_eq!(again["orders"][0]["packedAt"], packed[0]["packedAt"]);
        set_status(&admin, one.id.as_str(), "shipped")
            .await
            .expect_ok();
        assert_eq!(invoices(shop, one).await.len(), 1);
        let entries = audit_entries(&admin, one.id.as_str()).await;
        let is_packing = |(_, detail): &&(String, String)| detail == "packed";
        assert_eq!(entries.iter().filter(is_packing).count(), 1, "{entries:?}");
        shop.assert_consistent_for("invoice-packed", &orders).await;
    });
}

#[test]
fn refund_after_the_invoice_has_a_credit_note() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, orders) = customer_with_orders(shop, "credit-note", 2).await;
        // Two packs of 50 g and one of 100 g.
        let order = &orders[1];
        let total = order.state.total;
        let body = json!({ "amount": 10.01, "reason": "Before the invoice" });
        refund(&admin, order.id.as_str(), body).await;
        finish_refunds(shop, order.id.as_str()).await;
        set_status(&admin, order.id.as_str(), "shipped")
            .await
            .expect_ok();
        let invoice = invoices(shop, order).await.remove(0);
        assert_eq!(invoice.total(), total - Paise::new(1_001));
        let discounts: Paise = invoice.lines.iter().map(|line| line.discount).sum();
        assert_eq!(discounts, Paise::new(1_001));

        let lines = json!([{ "productId": "credit-note", "qty_50g": 1 }]);
        refund(
            &admin,
            order.id.as_str(),
            json!({ "lines": lines, "reason": "Torn" }),
        )
        .await;
        refund(
            &admin,
            order.id.as_str(),
            json!({ "amount": 1.5, "reason": "Late" }),
        )
        .await;
        assert_eq!(
            invoices(shop, order).await.len(),
            1,
            "a credit note is issued when the refund is completed"
        );
        finish_refunds(shop, order.id.as_str()).await;
        let notes = invoices(shop, order).await.split_off(1);
        assert_eq!(notes.len(), 2, "the first refund came before the invoice");
        let mut totals: Vec<_> = notes.iter().map(|note| note.total().get()).collect();
        totals.sort_unstable();
        assert_eq!(totals, [150, 6_550]);
        for note in &notes {
            let reference = note.refers_to.as_ref().unwrap();
            assert_eq!(note.kind, InvoiceKind::CreditNote);
            assert_eq!(
                (&reference.id, &reference.number),
                (&invoice.id, &invoice.number)
            );
            assert!(note.number.starts_with("CRN/"), "{}", note.number);
        }

        refund(
            &admin,
            order.id.as_str(),
            json!({ "reason": "Everything else" }),
        )
        .await;
        finish_refunds(shop, order.id.as_str()).await;
        let notes = invoices(shop, order).await.split_off(1);
        assert_eq!(notes.len(), 3);
        assert_eq!(sum(&notes), invoice.amounts(), "to the paisa, each tax");
        let shown = show(&customer, order.id.as_str()).await;
        assert_eq!(shown["creditNotes"].as_array().unwrap().len(), 3);
        assert_eq!(shown["creditNotes"][0]["refersTo"], invoice.number);
        assert_eq!(shown["invoice"]["number"], invoice.number, "it stays");
        let kinds = texts(&shown["events"], "kind");
        let issued = kinds.iter().filter(|kind| **kind == "credit_note_issued");
        assert_eq!(issued.count(), 3);

        // Everything is refunded before the items leave: no invoice, no credit note.
        let returned = &orders[0];
        refund(
            &admin,
            returned.id.as_str(),
            json!({ "reason": "Sold out" }),
        )
        .await;
        finish_refunds(shop, returned.id.as_str()).await;
        set_status(&admin, returned.id.as_str(), "shipped")
            .await
            .expect_ok();
        assert!(invoices(shop, returned).await.is_empty());
        shop.assert_consistent_for("credit-note", &orders).await;
    });
}

#[test]
fn refund_of_a_second_payment_changes_no_invoice() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "paid-twice", 2).await;
        for (order, status) in orders.iter().zip(["wanted", "completed"]) {
            let mut twice = order.clone();
            twice.id = format!("R-twice-{}", order.id).into();
            let id = &order.id;
            shop.sql(&format!(
                "insert into refunds (id, merchant_order_id, order_id, amount, reason, state, created_at, updated_at, next_look_at,
                 looks, leased_until, requested_by) values ('{}', 'other-{id}', '{id}', {}, 'Paid twice', '{status}', 1, 1, {}, 0, 0, 'system')",
                twice.id,
                order.state.total.get(),
                i64::MAX
            ))
            .await;
            set_status(&admin, id.as_str(), "shipped").await.expect_ok();
            let issued = invoices(shop, order).await;
            assert_eq!(issued.len(), 1);
            assert_eq!(issued[0].total(), order.state.total);
        }
        shop.assert_consistent_for("paid-twice", &orders).await;
    });
}

#[test]
fn other_state_has_igst_and_a_deleted_product_keeps_its_code() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (_, orders) = customer_with_orders(shop, "invoice-igst", 1).await;
        let order = &orders[0];
        let id = &order.id;
        shop.sql(&format!(
            "update orders set address = replace(address, 'Maharashtra', 'Karnataka') where id = '{id}'"
        ))
        .await;
        admin
            .delete("/api/admin/deleteProduct/invoice-igst")
            .await
            .expect_ok();
        set_status(&admin, id.as_str(), "shipped").await.expect_ok();
        let invoice = invoices(shop, order).await.remove(0);
        assert_eq!(invoice.place_of_supply.label(), "29-Karnataka");
        let amounts = invoice.amounts();
        assert_eq!(amounts.cgst + amounts.sgst, Paise::ZERO);
        assert!(amounts.igst > Paise::ZERO && amounts.total() == order.state.total);
        assert!(invoice.lines.iter().all(|line| line.hsn == "09109100"));
        assert_eq!(invoice.shown_hsn(&invoice.lines[0]), "0910");
    });
}

#[test]
fn shop_without_regular_registration_issues_bills_of_supply() {
    for registration in [TaxRegistration::Composition, TaxRegistration::Unregistered] {
        for_each_engine_fresh(
            |config| config.tax.registration = registration,
            async |shop| {
                let admin = shop.admin().await;
                let (_, orders) = customer_with_orders(shop, "bill", 1).await;
                let order = &orders[0];
                set_status(&admin, order.id.as_str(), "shipped")
                    .await
                    .expect_ok();
                let bill = invoices(shop, order).await.remove(0);
                assert_eq!(bill.kind, InvoiceKind::BillOfSupply);
                assert!(bill.number.starts_with("BOS/"), "{}", bill.number);
                assert_eq!(bill.amounts().tax(), Paise::ZERO);
                assert_eq!(bill.total(), order.state.total);
                assert!(bill.lines.iter().all(|line| line.rate.basis_points() == 0));
                let is_composition = registration == TaxRegistration::Composition;
                assert_eq!(!bill.seller.gstin.is_empty(), is_composition);
                refund(&admin, order.id.as_str(), json!({ "reason": "Returned" })).await;
                finish_refunds(shop, order.id.as_str()).await;
                let note = invoices(shop, order).await.remove(1);
                assert_eq!(note.amounts(), bill.amounts());
                shop.assert_consistent().await;
            },
        );
    }
}
