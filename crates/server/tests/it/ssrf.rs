//! SSRF: the server connects only to configured hosts (Google, PhonePe, mail server, pincode host, bucket). It never
//! fetches a URL from a request.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::{Method, header};
use serde_json::json;
use tokio::net::TcpListener;

use crate::harness::{TestShop, eventually, for_each_engine, png};

/// An internal host that counts its connections.
struct InternalHost {
    address: String,
    connections: Arc<AtomicUsize>,
}

impl InternalHost {
    async fn start() -> InternalHost {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = connections.clone();
        tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        });
        InternalHost {
            address,
            connections,
        }
    }
}

#[test]
fn url_in_a_request_is_never_fetched() {
    for_each_engine(async |shop| {
        let internal_host = InternalHost::start().await;
        let address = &internal_host.address;
        let url = format!("http://{address}/latest/meta-data");
        let spellings = [
            url.clone(),
            format!("//{address}/x.png"),
            format!("HTTP://{address}/x.png"),
            format!("http://user@{address}/x.png"),
            "file:///etc/passwd".to_owned(),
            format!("ftp://{address}/x.png"),
            format!("\\\\{address}\\x.png"),
        ];
        let (admin, customer) = (shop.admin().await, shop.customer("no-fetching").await);

        // As a product image: the URL is saved as text.
        let body = json!({
            "product_name": "Fetching Masala", "category": "Veg", "mrp": [65.5], "ingredients": ["Salt"],
            "net_wt": [{ "value": 50, "unit": "g" }], "images": spellings,
        });
        let added = admin.post("/api/admin/addProduct", body).await.expect_ok();
        let id = added["product"]["_id"].as_str().unwrap().to_owned();
        for image in added["product"]["image_details"].as_array().unwrap() {
            assert_eq!(image["width"], 0, "the image was not fetched: {image}");
        }
        assert_eq!(
            shop.visitor().get(&format!("/product/{id}")).await.status,
            200
        );

        for spelling in &spellings {
            let body = json!({ "profilePicture": spelling });
            let response = customer.put("/api/user/profile-picture", body).await;
            response.expect_error(415, "profilePicture must be a data: address of a picture");

            let response = admin.upload(&[(spelling, spelling.as_bytes())]).await;
            assert_eq!(response.status, 415, "{response:?}");
            let named = admin
                .upload(&[(spelling, &png(40, 40, 77))])
                .await
                .expect_ok();
            let file = named["files"][0].as_str().unwrap();
            assert!(file.ends_with(".webp") && !file.contains(':'), "{file}");

            let escaped: String =
                url::form_urlencoded::byte_serialize(spelling.as_bytes()).collect();
            let image = shop
                .visitor()
                .get(&format!("/images/products/{escaped}?w=64"))
                .await;
            assert!(matches!(image.status, 400 | 404), "{image:?}");
        }

        // Proxy requests: the server responds itself and forwards nothing.
        for line in [
            format!("GET {url} HTTP/1.1"),
            format!("CONNECT {address} HTTP/1.1"),
        ] {
            let response = shop
                .send_raw(format!(
                    "{line}\r\nHost: {address}\r\nConnection: close\r\n\r\n"
                ))
                .await;
            assert!(response.starts_with("HTTP/1.1 "), "{line}: {response}");
        }
        let request = customer
            .request(Method::GET, "/api/shop")
            .header("x-forwarded-host", address.as_str())
            .header("x-original-url", url.as_str())
            .header(header::REFERER, url.as_str());
        customer.send(request).await.expect_ok();

        // Connections are accepted in their order: when this one is counted, an earlier one of the server would be too.
        let _connection = tokio::net::TcpStream::connect(&address).await.unwrap();
        let connections = || internal_host.connections.load(Ordering::SeqCst);
        eventually("the connection is counted", async || connections() > 0).await;
        assert_eq!(
            connections(),
            1,
            "the server connected to the internal host"
        );
        delete(shop, &id).await;
    });
}

async fn delete(shop: &TestShop, id: &str) {
    let path = format!("/api/admin/deleteProduct/{id}");
    shop.admin().await.delete(&path).await.expect_ok();
}
