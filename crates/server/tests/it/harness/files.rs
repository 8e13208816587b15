//! Image files and multipart uploads.

use std::io::Cursor;

use http::{Method, header};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::{TestClient, TestResponse};

const BOUNDARY: &str = "----mirasa-it-boundary";

/// Red on the left, blue on the right. Each seed gives a different file.
fn flag(width: u32, height: u32, seed: u8) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, _| {
        if x < width / 2 {
            Rgb([200, 30, seed])
        } else {
            Rgb([20, seed, 200])
        }
    })
    .into()
}

pub fn png(width: u32, height: u32, seed: u8) -> Vec<u8> {
    file(&flag(width, height, seed), ImageFormat::Png)
}

pub fn jpeg(width: u32, height: u32, seed: u8) -> Vec<u8> {
    file(&flag(width, height, seed), ImageFormat::Jpeg)
}

fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, format).unwrap();
    file.into_inner()
}

impl TestClient {
    /// Uploads the files as the admin pages do.
    pub async fn upload(&self, files: &[(&str, &[u8])]) -> TestResponse {
        self.upload_as("images", files).await
    }

    pub async fn upload_as(&self, field: &str, files: &[(&str, &[u8])]) -> TestResponse {
        self.upload_to("/api/admin/upload-images", field, files)
            .await
    }

    pub async fn upload_to(
        &self,
        path: &str,
        field: &str,
        files: &[(&str, &[u8])],
    ) -> TestResponse {
        self.send(self.upload_request(path, field, files)).await
    }

    pub fn upload_request(
        &self,
        path: &str,
        field: &str,
        files: &[(&str, &[u8])],
    ) -> reqwest::RequestBuilder {
        let mut body = Vec::new();
        for (name, bytes) in files {
            body.extend_from_slice(
                format!(
                    "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\
                     Content-Type: application/octet-stream\r\n\r\n"
                )
                .as_bytes(),
            );
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        self.request(Method::POST, path)
            .header(
                header::CONTENT_TYPE,
                format!("multipart/form-data; boundary={BOUNDARY}"),
            )
            .body(body)
    }
}
