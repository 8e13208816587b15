//! A price of 0 means that this size is not sold: not in the cart, not at the checkout, nowhere for ₹0.

use serde_json::{Value, json};

use crate::harness::{ProductFixture, TestClient, TestShop, for_each_engine};

const NOT_SOLD: &str = "This product is not sold in that pack size";

async fn cart(browser: &TestClient) -> Value {
    browser.get("/api/cart/cart").await.expect_ok()["cart"].take()
}

async fn add(browser: &TestClient, body: Value) -> crate::harness::TestResponse {
    browser.post("/api/cart/add-to-cart", body).await
}

/// What search engines are told that it costs.
async fn offers(shop: &TestShop, id: &str) -> Vec<String> {
    let response = shop.visitor().get(&format!("/product/{id}")).await;
    assert_eq!(response.status, 200);
    let page = response.text();
    let data = page.split("<script type=\"application/ld+json\">").skip(1);
    let data: Vec<Value> = data
        .map(|rest| serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap())
        .collect();
    let at_zero = page.matches("₹0<").count();
    assert_eq!(at_zero, 1, "only the subtotal of no packs is ₹0");
    let product = data.iter().find(|data| data["@type"] == "Product").unwrap();
    let offers = product["offers"].as_array();
    let price = |offer: &Value| format!("{} {}", offer["name"], offer["price"]).replace('"', "");
    offers.map_or_else(Vec::new, |offers| offers.iter().map(price).collect())
}

#[test]
fn zero_price_is_not_sold() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let body = json!({
            "product_name": "Small Only Masala", "category": "Veg", "ingredients": ["Salt"], "mrp": [50, 0],
            "net_wt": [{ "value": 50, "unit": "g" }, { "value": 100, "unit": "g" }],
            "stock": 100_000, "packaging_50gms": 600, "packaging_100gms": 600,
        });
        let added = admin.post("/api/admin/addProduct", body).await;
        assert_eq!(added.status, 201);
        assert_eq!(added.json()["product"]["mrp"], json!([50, 0]), "as written");
        let id = added.json()["product"]["_id"].as_str().unwrap().to_owned();
        assert_eq!(offers(shop, &id).await, ["50 g 50.00"]);

        let customer = shop.customer("zero-price").await;
        let wanted = json!({ "productId": id, "qty_50g": 1, "qty_100g": 500 });
        add(&customer, wanted).await.expect_error(400, NOT_SOLD);
        add(&customer, json!({ "productId": id, "qty_50g": 1 }))
            .await
            .expect_ok();
        let update = json!({ "productId": id, "qty_50g": 1, "qty_100g": 500 });
        let refused = customer.put("/api/cart/update", update).await;
        refused.expect_error(400, NOT_SOLD);
        let item = &cart(&customer).await["items"][0];
        assert_eq!(item["price_100g"], Value::Null);
        assert_eq!(
            (&item["max_100g"], &item["qty_100g"]),
            (&json!(0), &json!(0))
        );
        assert_eq!(item["blocked"], false);
    });
}

#[test]
fn zero_price_cart_from_before_is_blocked_not_free() {
    for_each_engine(async |shop| {
        let id = shop
            .add_product(ProductFixture::new(
                "bygone-size-masala",
                "Bygone Size Masala",
            ))
            .await;
        let (admin, customer) = (shop.admin().await, shop.customer("bygone-size").await);
        let home = customer.home().await;
        customer.add(id, 1, 500).await;
        let path = format!("/api/admin/updateProduct/{id}");
        admin
            .put(&path, json!({ "mrp": [50, 0] }))
            .await
            .expect_ok();

        let cart_now = cart(&customer).await;
        let item = &cart_now["items"][0];
        assert_eq!(item["notice"], NOT_SOLD);
        assert_eq!(item["blocked"], true);
        assert_eq!(cart_now["totalAmount"], 50);
        customer.check_out(&home).await.expect_error(400, NOT_SOLD);
        let paid = json!({ "addressId": home, "expectedTotal": 50 });
        let refused = customer.post("/api/cart/checkout", paid).await;
        refused.expect_error(400, NOT_SOLD);

        // Without those packs it can be bought.
        let update = json!({ "productId": id, "qty_50g": 1, "qty_100g": 0 });
        let cart_now = customer.put("/api/cart/update", update).await.expect_ok()["cart"].take();
        assert_eq!(cart_now["items"][0]["blocked"], false);
        customer.check_out(&home).await.expect_ok();
    });
}

#[test]
fn zero_price_for_the_small_pack_leaves_the_large_one() {
    for_each_engine(async |shop| {
        let id = shop
            .add_product(ProductFixture {
                mrp: &[0, 90_00],
                ..ProductFixture::new("large-only-masala", "Large Only Masala")
            })
            .await;
        let unsold = shop
            .add_product(ProductFixture {
                mrp: &[0, 0],
                ..ProductFixture::new("unsold-masala", "Unsold Masala")
            })
            .await;
        assert_eq!(offers(shop, id).await, ["100 g 90.00"]);
        assert_eq!(offers(shop, unsold).await, Vec::<String>::new());

        let customer = shop.customer("large-only").await;
        let small = json!({ "productId": id, "quantity": 1 });
        add(&customer, small).await.expect_error(400, NOT_SOLD);
        for product in [id, unsold] {
            let wish = format!("/api/user/wishlist/{product}");
            customer.post(&wish, json!({})).await.expect_ok();
        }
        let wishes = customer.get("/api/user/wishlist").await.expect_ok()["wishlist"].take();
        let price = |id: &str| {
            let wishes = wishes.as_array().unwrap();
            wishes.iter().find(|wish| wish["_id"] == id).unwrap()["price"].clone()
        };
        assert_eq!((price(id), price(unsold)), (json!(90), Value::Null));
        let to_cart = |id: &str| format!("/api/user/wishlist/move-to-cart/{id}");
        customer.post(&to_cart(id), json!({})).await.expect_ok();
        let refused = customer.post(&to_cart(unsold), json!({})).await;
        refused.expect_error(400, NOT_SOLD);
        let cart_now = cart(&customer).await;
        assert_eq!(cart_now["items"][0]["qty_100g"], 1);
        assert_eq!(cart_now["totalAmount"], 90);
    });
}
