//! Invalid input: the error names the field as the request spells it. `error_codes.rs` calls these functions.

use http::{Method, header};
use serde_json::{Value, json};

use crate::error_codes::Seen;
use crate::harness::TestShop;

pub async fn bodies(shop: &TestShop, seen: &Seen) {
    let customer = shop.customer("codes-bodies").await;
    let add = "/api/cart/add-to-cart";
    let goda = |field: &str, value: Value| json!({ "productId": "goda-masala", field: value });
    let address = |field: &str, value: Value| {
        let mut body = json!({
            "addressName": "Home", "name": "Asha", "phone": "9876543210", "addressLine1": "12 Laxmi Road",
            "city": "Pune", "state": "Maharashtra", "pincode": "411030",
        });
        body[field] = value;
        body
    };
    let profile = |field: &str, value: Value| {
        let mut body = json!({ "name": "Asha" });
        body[field] = value;
        body
    };
    for (path, body, field) in [
        (add, json!({}), "productId"),
        (add, json!({ "productId": 7 }), "productId"),
        (add, json!({ "productId": " ", "qty_50g": 1 }), "productId"),
        (add, goda("qty_50g", json!("two")), "qty_50g"),
        (add, goda("qty_50g", json!(-1)), "qty_50g"),
        (add, goda("qty_100g", json!(10_001)), "qty_100g"),
        (add, goda("quantity", json!(10_001)), "quantity"),
        (add, goda("qty_50g", json!(0)), ""),
        (add, json!([]), ""),
        (add, json!(null), ""),
        ("/api/cart/update", goda("qty_50g", json!(1)), "qty_100g"),
        ("/api/addresses", address("phone", json!("12")), "phone"),
        ("/api/addresses", address("phone", json!(12)), "phone"),
        ("/api/addresses", address("pincode", json!("1")), "pincode"),
        ("/api/addresses", address("name", json!(" ")), "name"),
        ("/api/addresses", address("state", json!("Utopia")), "state"),
        (
            "/api/addresses",
            address("addressName", json!("")),
            "addressName",
        ),
        (
            "/api/addresses",
            address("addressLine1", json!("")),
            "addressLine1",
        ),
        ("/api/user/profile", json!({}), "name"),
        ("/api/user/profile", profile("name", json!("")), "name"),
        ("/api/user/profile", profile("phone", json!("x")), "phone"),
        (
            "/api/user/profile",
            profile("dateOfBirth", json!("x")),
            "dateOfBirth",
        ),
        ("/api/user/profile", profile("gender", json!("x")), "gender"),
        (
            "/api/api/queries",
            json!({ "message": "x".repeat(5001) }),
            "message",
        ),
        ("/api/cart/checkout", json!({}), "addressId"),
        (
            "/api/cart/checkout",
            json!({ "addressId": "x", "expectedTotal": -1 }),
            "expectedTotal",
        ),
    ] {
        let is_update = matches!(path, "/api/cart/update" | "/api/user/profile");
        let method = if is_update { Method::PUT } else { Method::POST };
        eprintln!("{path} {field}");
        let request = customer.request(method, path).json(&body);
        seen.check(&customer.send(request).await, 400, "invalid_input", field);
    }
    let (key, body) = ("k".repeat(201), json!({ "addressId": "x" }));
    let long = customer.check_out_with_key(&key, body).await;
    seen.check(&long, 400, "invalid_input", "Idempotency-Key");

    let send = async |content_type: &str, body: String| {
        let request = customer.request(Method::POST, add);
        let request = request.header(header::CONTENT_TYPE, content_type);
        customer.send(request.body(body)).await
    };
    let json = "application/json";
    for text in [
        "",
        "{",
        r#"{"productId":"a\u0000b"}"#,
        r#"{"qty_50g":1} x"#,
        r#"{"qty_50g":"#,
    ] {
        seen.check(&send(json, text.into()).await, 400, "invalid_input", "");
    }
    seen.check(
        &send("text/plain", "{}".into()).await,
        415,
        "unsupported_media_type",
        "",
    );
    seen.check(
        &send(json, "x".repeat(300 * 1024)).await,
        413,
        "too_large",
        "",
    );
}

pub async fn queries(shop: &TestShop, seen: &Seen) {
    let admin = shop.admin().await;
    for (path, field) in [
        ("/api/products?page=0", "page"),
        ("/api/products?limit=many", "limit"),
        ("/images/products/x.webp?w=wide", "w"),
        ("/api/admin/products?page=0", "page"),
        ("/api/admin/products?limit=0", "limit"),
        ("/api/admin/products?limit=x", "limit"),
        ("/api/admin/users?page=x", "page"),
        ("/api/admin/users?limit=1001", "limit"),
        ("/api/admin/customers?sort=age", "sort"),
        ("/api/admin/customers?limit=0", "limit"),
        ("/api/admin/search?q=a", "q"),
        ("/api/admin/search", "q"),
        ("/api/admin/orders?page=0", "page"),
        ("/api/admin/orders?todo=dance", "todo"),
        ("/api/admin/orders?status=lost", "status"),
        ("/api/admin/orders?from=yesterday", "from"),
        ("/api/admin/orders/export.csv?to=x", "to"),
        ("/api/admin/audit", "about"),
        ("/api/products/%ff", ""),
        ("/api/products/a%00b", ""),
    ] {
        eprintln!("{path}");
        seen.check(&admin.get(path).await, 400, "invalid_input", field);
    }
    let notify = "/api/products/goda-masala/notify";
    let response = admin.post(notify, json!({})).await;
    seen.check(&response, 409, "product_available", "");
}

pub async fn admin_forms(shop: &TestShop, seen: &Seen) {
    let admin = shop.admin().await;
    let form = |field: &str, value: Value| {
        let mut body = json!({
            "product_name": "Codes", "category": "Veg", "ingredients": ["Salt"], "mrp": [10],
            "net_wt": [{ "value": 50, "unit": "g" }],
        });
        body[field] = value;
        body
    };
    for (field, value) in [
        ("product_name", json!("")),
        ("mrp", json!(["x"])),
        ("mrp", json!([])),
        ("net_wt", json!([{ "value": "x", "unit": "g" }])),
        ("net_wt", json!([{ "value": 50 }])),
        ("net_wt", json!([{ "value": -1, "unit": "g" }])),
        ("category", json!(7)),
        ("diet", json!("fish")),
        ("trendingRank", json!(11)),
        ("stock", json!(-1)),
        ("gst_rate_percent", json!(101)),
        ("nutrition_facts", json!({ "Energy": "x".repeat(41) })),
    ] {
        let response = admin.post("/api/admin/addProduct", form(field, value.clone()));
        eprintln!("{field} {value}");
        seen.check(&response.await, 400, "invalid_input", field);
    }
    for (path, body, field) in [
        ("updateProduct/goda-masala", json!({ "stock": -1 }), "stock"),
        (
            "updateProduct/goda-masala",
            json!({ "stock_change": 2_000_000_000 }),
            "stock",
        ),
        ("users/no-such-user", json!({ "role": "king" }), "role"),
        ("users/no-such-user", json!({ "phone": "x" }), "phone"),
        (
            "orders/none/status",
            json!({ "orderStatus": "lost" }),
            "orderStatus",
        ),
    ] {
        let response = admin.put(&format!("/api/admin/{path}"), body).await;
        seen.check(&response, 400, "invalid_input", field);
    }
}

pub async fn images(shop: &TestShop, seen: &Seen) {
    let (admin, customer) = (shop.admin().await, shop.customer("codes-images").await);
    let other = admin.upload_as("files", &[("a.png", b"x")]).await;
    seen.check(&other, 400, "invalid_input", "images");
    let text = admin.upload(&[("a.png", b"not an image")]).await;
    seen.check(&text, 415, "not_an_image", "images");
    let large = admin.upload(&[("a.png", &vec![0; 21 * 1024 * 1024])]).await;
    seen.check(&large, 413, "image_too_large", "images");
    for picture in ["x", "data:image/png;base64,eA=="] {
        let body = json!({ "profilePicture": picture });
        let response = customer.put("/api/user/profile-picture", body).await;
        seen.check(&response, 415, "not_an_image", "profilePicture");
    }
    let missing = shop.visitor().get("/images/products/none.webp").await;
    seen.check(&missing, 404, "not_found", "");
}
