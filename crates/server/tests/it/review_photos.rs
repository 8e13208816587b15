//! Photos of reviews: without metadata, hidden with the review.

use http::{Method, header};
use serde_json::json;

use crate::admin_uploads::{SECRET, jpeg_with_secret};
use crate::harness::{TestClient, TestResponse, for_each_engine, jpeg};
use crate::reviews::{customer_who_received, id_of, moderate};

const BOUNDARY: &str = "review-form";

pub async fn send_form(
    customer: &TestClient,
    method: Method,
    path: &str,
    fields: &[(&str, &str)],
    photos: Vec<Vec<u8>>,
) -> TestResponse {
    let mut body = Vec::new();
    let mut part = |head: &str, content: &[u8]| {
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    for (name, value) in fields {
        part(&format!("name=\"{name}\""), value.as_bytes());
    }
    for photo in &photos {
        part("name=\"images\"; filename=\"photo.jpg\"", photo);
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let request = customer.request(method, path).body(body);
    customer
        .send(request.header(header::CONTENT_TYPE, kind))
        .await
}

#[test]
fn photos_are_stored_without_metadata_and_hidden_with_the_review() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let (customer, _) = customer_who_received(shop, "review-photos").await;
        let fields = [
            ("productId", "review-photos"),
            ("stars", "5"),
            ("text", "Look"),
        ];
        let post = async |photos| {
            send_form(
                &customer,
                Method::POST,
                "/api/user/reviews",
                &fields,
                photos,
            )
            .await
        };
        let four = (0..4).map(|seed| jpeg(20, 20, seed)).collect();
        post(four).await.expect_code(400, "invalid_input", "images");
        let response = post(vec![b"no image".to_vec()]).await;
        assert_eq!(response.status, 415, "{response:?}");
        let stranger = shop.customer("review-photo-stranger").await;
        let response = send_form(
            &stranger,
            Method::POST,
            "/api/user/reviews",
            &fields,
            vec![jpeg(20, 20, 1)],
        );
        let response = response.await;
        response.expect_code(409, "product_not_received", "");

        let response = post(vec![jpeg_with_secret(1), jpeg_with_secret(2)]).await;
        let review = response.expect_ok();
        let id = id_of(&review);
        let images: Vec<_> = review["review"]["images"]
            .as_array()
            .unwrap()
            .iter()
            .map(|image| image.as_str().unwrap().to_owned())
            .collect();
        assert_eq!(images.len(), 2);
        for image in &images {
            let photo = shop.visitor().get(image).await;
            assert_eq!(photo.status, 200, "{image}");
            assert!(photo.header("content-type").starts_with("image/"));
            assert!(!photo.body.windows(SECRET.len()).any(|part| part == SECRET));
        }

        // One photo is replaced.
        let path = format!("/api/user/reviews/{id}");
        let keep = json!([images[1]]).to_string();
        let fields = [("stars", "4"), ("text", "Look"), ("keepImages", &keep)];
        let three = (0..3).map(|seed| jpeg(20, 20, seed)).collect();
        let response = send_form(&customer, Method::PUT, &path, &fields, three).await;
        response.expect_code(400, "invalid_input", "images");
        let response = send_form(
            &customer,
            Method::PUT,
            &path,
            &fields,
            vec![jpeg(30, 30, 7)],
        );
        let edited = response.await.expect_ok();
        assert_eq!(edited["review"]["images"][0], images[1].as_str());
        assert_eq!(edited["review"]["images"].as_array().unwrap().len(), 2);
        assert_eq!(shop.visitor().get(&images[0]).await.status, 404, "deleted");

        let hide = json!({ "hidden": true, "reason": "A face without consent" });
        let hidden = moderate(&admin, &id, hide).await.expect_ok();
        assert_eq!(shop.visitor().get(&images[1]).await.status, 404);
        assert_eq!(customer.get(&images[1]).await.status, 404);
        let for_admins = hidden["review"]["images"][0].as_str().unwrap();
        assert_eq!(admin.get(for_admins).await.status, 200);
        assert_eq!(customer.get(for_admins).await.status, 403);
        moderate(&admin, &id, json!({ "hidden": false }))
            .await
            .expect_ok();
        assert_eq!(shop.visitor().get(&images[1]).await.status, 200);
        let other = format!("/images/reviews/{}", "../people/x.webp");
        assert_eq!(shop.visitor().get(&other).await.status, 404);
    });
}
