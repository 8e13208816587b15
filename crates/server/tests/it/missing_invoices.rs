//! An order that left the shop has an invoice as long as its money is kept, and `mirasa check` finds one that has none.

use mirasa_domain::refund_plan::RefundSelection;
use serde_json::json;

use crate::admin_orders::customer_with_orders;
use crate::harness::{RefundDesk, for_each_engine_fresh, read_db};
use crate::stale_pages::set_status;

#[test]
fn order_that_left_with_its_money_has_an_invoice() {
    for_each_engine_fresh(
        |_| {},
        async |shop| {
            let admin = shop.admin().await;
            let desk = RefundDesk::open(shop).await;
            let (_, orders) = customer_with_orders(shop, "no-invoice", 2).await;
            let order = &orders[1];
            // All of it may go back when it leaves, but does not.
            let refund = desk.refund(order, RefundSelection::Everything).await;
            set_status(
                &admin,
                order.id.as_str(),
                json!({ "orderStatus": "shipped" }),
            )
            .await
            .expect_ok();
            desk.fail(&refund.unwrap()).await;
            let found = async || read_db!(shop, db => db.orders_without_invoice().await?);
            assert_eq!(found().await, [""; 0], "its invoice has all packs");

            let of_order = format!("select id from documents where order_id = '{}'", order.id);
            let lines = format!("delete from document_lines where document_id in ({of_order})");
            shop.sql(&lines).await;
            shop.sql(&format!("delete from documents where id in ({of_order})"))
                .await;
            assert_eq!(found().await, std::slice::from_ref(&order.id.0));
            // Delivered is no second leaving, and it may go back after all.
            set_status(
                &admin,
                order.id.as_str(),
                json!({ "orderStatus": "delivered" }),
            )
            .await
            .expect_ok();
            assert_eq!(found().await, std::slice::from_ref(&order.id.0));
            let refund = desk.refund(order, RefundSelection::Everything).await;
            assert_eq!(found().await, [""; 0], "a refund is under way");
            desk.complete(&refund.unwrap()).await;
            assert_eq!(found().await, [""; 0], "nothing is kept");

            // An order that has not left needs none.
            assert_eq!(orders[0].packed_at_ms, None);
        },
    );
}
