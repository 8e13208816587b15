//! Order items in the API, the CSV export and the email: one item per product and pack size; they add up to the total.

use serde_json::Value;

use crate::admin_orders::id_of;
use crate::admin_orders_csv::{export, rows};
use crate::harness::{PendingPayment, ProductFixture, for_each_engine, paise};

fn assert_adds_up(order: &Value) {
    let items = order["items"].as_array().unwrap();
    let sum: i64 = items
        .iter()
        .map(|item| item["quantity"].as_i64().unwrap() * paise(&item["price"]))
        .sum();
    assert_eq!(sum, paise(&order["totalAmount"]), "{order}");
    let item_lines: Vec<_> = items
        .iter()
        .map(|item| {
            let count = |field: &str| item[field].as_u64().unwrap();
            let name = item["productName"].as_str().unwrap();
            let packs = (count("qty_50g"), count("qty_100g"));
            (name, count("quantity"), packs, paise(&item["price"]))
        })
        .collect();
    assert_eq!(
        item_lines,
        [
            ("Adding Masala", 1, (1, 0), 65_00),
            ("Adding Masala", 2, (0, 2), 120_00),
            ("Dear Masala", 3, (0, 3), 1234_50),
        ]
    );
}

/// The sum of a cell such as `… x2 @₹1,234.50; …`.
fn sum_of_cell(cell: &str) -> i64 {
    cell.split("; ")
        .map(|item| {
            let (rest, price) = item.rsplit_once(" @₹").unwrap();
            let (_, quantity) = rest.rsplit_once(" x").unwrap();
            let (rupees, rest) = price.split_once('.').unwrap_or((price, "00"));
            let price = format!("{}{rest}", rupees.replace(',', ""));
            quantity.parse::<i64>().unwrap() * price.parse::<i64>().unwrap()
        })
        .sum()
}

#[test]
fn order_items_add_up_in_api_csv_and_email() {
    for_each_engine(async |shop| {
        let mixed = shop
            .add_product(ProductFixture {
                mrp: &[65_00, 120_00],
                ..ProductFixture::new("adding-masala", "Adding Masala")
            })
            .await;
        let dear = shop
            .add_product(ProductFixture {
                mrp: &[650_00, 1234_50],
                ..ProductFixture::new("dear-masala", "Dear Masala")
            })
            .await;
        let customer = shop.customer("adding-up").await;
        let home = customer.home().await;
        customer.add(mixed, 1, 2).await;
        customer.add(dear, 0, 3).await;
        let payment = PendingPayment::from_response(&customer.check_out(&home).await);
        customer.submit_payment(&payment, "pay").await;
        let paid = customer.settled_result(&payment).await;
        assert_adds_up(&paid["order"]);
        let id = paid["order"]["_id"].as_str().unwrap();
        assert_adds_up(&customer.get("/api/user/orders").await.expect_ok()["orders"][0]);
        assert_adds_up(
            &customer
                .get(&format!("/api/user/orders/{id}"))
                .await
                .expect_ok()["order"],
        );

        let (admin, user) = (shop.admin().await, id_of(&customer).await);
        let found = admin.get(&format!("/api/admin/orders?userId={user}")).await;
        assert_adds_up(&found.expect_ok()["orders"][0]);
        let file = export(&admin, &format!("userId={user}")).await;
        let row = rows(&file).remove(0);
        assert_eq!(
            &row[6],
            "Adding Masala (50 g) x1 @₹65; Adding Masala (100 g) x2 @₹120; Dear Masala (100 g) x3 @₹1,234.50"
        );
        assert_eq!((sum_of_cell(&row[6]), &row[2]), (4008_50, "4008.50"));

        let email = &shop.emails_to("adding-up").await[0];
        for line in [
            "Adding Masala (1 × 50 g, 2 × 100 g): ₹305.00\n",
            "Dear Masala (3 × 100 g): ₹3,703.50\n",
            "Total: ₹4,008.50\n",
        ] {
            assert!(email.text_body.contains(line), "{}", email.text_body);
        }
    });
}
