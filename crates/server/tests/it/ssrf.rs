//! The shop asks Google, PhonePe, a mail server, a pincode host and a bucket, all of them configured. It
//! fetches no address that somebody has sent: there is nobody to trick into asking the neighbours.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::{Method, header};
use serde_json::json;
use tokio::net::TcpListener;

use crate::harness::{TestShop, for_each_engine, png};

/// A neighbour that nobody outside can reach, and that counts who knocks.
struct Neighbour {
    address: String,
    knocks: Arc<AtomicUsize>,
}

impl Neighbour {
    async fn start() -> Neighbour {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let knocks = Arc::new(AtomicUsize::new(0));
        let counted = knocks.clone();
        tokio::spawn(async move {
            while listener.accept().await.is_ok() {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        });
        Neighbour { address, knocks }
    }
}

#[test]
fn no_address_that_somebody_sends_is_fetched() {
    for_each_engine(async |shop| {
        let neighbour = Neighbour::start().await;
        let address = &neighbour.address;
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

        // As a product's picture: it is kept as a text for the visitors' browsers, and no more.
        let body = json!({
            "product_name": "Fetching Masala", "category": "Veg", "mrp": [65.5], "ingredients": ["Salt"],
            "net_wt": [{ "value": 50, "unit": "g" }], "images": spellings,
        });
        let added = admin.post("/api/admin/addProduct", body).await.expect_ok();
        let id = added["product"]["_id"].as_str().unwrap().to_owned();
        for picture in added["product"]["image_details"].as_array().unwrap() {
            assert_eq!(picture["width"], 0, "nobody has looked at it: {picture}");
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
            let picture = shop
                .visitor()
                .get(&format!("/images/products/{escaped}?w=64"))
                .await;
            assert!(matches!(picture.status, 400 | 404), "{picture:?}");
        }

        // A proxy's request: the shop answers for itself and passes nothing on.
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
        let ask = customer
            .request(Method::GET, "/api/shop")
            .header("x-forwarded-host", address.as_str())
            .header("x-original-url", url.as_str())
            .header(header::REFERER, url.as_str());
        customer.send(ask).await.expect_ok();

        tokio::time::sleep(Duration::from_millis(700)).await;
        assert_eq!(neighbour.knocks.load(Ordering::SeqCst), 0, "somebody asked");
        // The neighbour does count.
        let _knock = tokio::net::TcpStream::connect(&address).await.unwrap();
        let counted = async {
            while neighbour.knocks.load(Ordering::SeqCst) != 1 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let counted = tokio::time::timeout(Duration::from_secs(10), counted).await;
        counted.expect("the neighbour counts who comes");
        delete(shop, &id).await;
    });
}

async fn delete(shop: &TestShop, id: &str) {
    let path = format!("/api/admin/deleteProduct/{id}");
    shop.admin().await.delete(&path).await.expect_ok();
}
