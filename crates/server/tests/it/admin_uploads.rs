//! Image uploads by admins: images are decoded and saved without metadata; other files are rejected.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use http::{Method, header};

use crate::harness::{TestClient, for_each_engine, jpeg, png};

/// Camera metadata that must not be in the saved image.
pub const SECRET: &[u8] = b"GPS 18.5204 N 73.8567 E";

pub fn jpeg_with_secret(seed: u8) -> Vec<u8> {
    let plain = jpeg(320, 200, seed);
    let mut segment = b"Exif\0\0II\x2a\0\x08\0\0\0\0\0\0\0\0\0".to_vec();
    segment.extend_from_slice(SECRET);
    let size = u16::try_from(segment.len() + 2).unwrap().to_be_bytes();
    [
        &plain[..2],
        &[0xff, 0xe1],
        &size,
        &segment,
        &plain[2..],
        SECRET,
    ]
    .concat()
}

fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(kind);
    crc.update(body);
    let size = u32::try_from(body.len()).unwrap().to_be_bytes();
    [&size, kind.as_slice(), body, &crc.sum().to_be_bytes()].concat()
}

/// A small file that decodes to a large black square, one bit per pixel.
fn black_square(side: u32) -> Vec<u8> {
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::fast());
    let row = vec![0; side.div_ceil(8) as usize + 1];
    for _ in 0..side {
        pixels.write_all(&row).unwrap();
    }
    let head = [
        side.to_be_bytes().as_slice(),
        &side.to_be_bytes(),
        &[1, 0, 0, 0, 0],
    ]
    .concat();
    let pixels = pixels.finish().unwrap();
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &head),
        chunk(b"IDAT", &pixels),
        chunk(b"IEND", &[]),
    ]
    .concat()
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

async fn get_image(visitor: &TestClient, file: &str) -> crate::harness::TestResponse {
    let path = format!("/images/products/{file}");
    let response = visitor.get(&path).await;
    assert_eq!(response.status, 200, "{response:?}");
    response
}

#[test]
fn uploaded_images_are_saved_without_metadata() {
    for_each_engine(async |shop| {
        let (admin, visitor) = (shop.admin().await, shop.visitor());
        let (photo, drawing) = (jpeg_with_secret(21), png(640, 480, 22));
        assert!(has(&photo, SECRET));
        let sent: [(&str, &[u8]); 3] = [
            ("../../holiday photo.JPG", &photo),
            ("drawing.png", &drawing),
            ("again.jpg", &photo),
        ];
        let files = admin.upload(&sent).await.expect_ok()["files"].take();
        let files: Vec<_> = files
            .as_array()
            .unwrap()
            .iter()
            .map(|f| f.as_str().unwrap())
            .collect();
        assert_eq!(files.len(), 3, "one file per upload, in the same order");
        let starts = ["holiday-photo-", "drawing-", "again-"];
        for (file, start) in files.iter().zip(starts) {
            let plain = file
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
            assert!(
                plain && file.starts_with(start) && file.ends_with(".webp"),
                "{file}"
            );
        }
        let served = get_image(&visitor, files[0]).await;
        assert!(!has(&served.body, SECRET), "metadata is removed");
        assert!(!has(&served.body, b"Exif"));
        let image = image::load_from_memory(&served.body).unwrap();
        assert_eq!((image.width(), image.height()), (320, 200));
        let image = image::load_from_memory(&get_image(&visitor, files[1]).await.body).unwrap();
        assert_eq!((image.width(), image.height()), (640, 480));
    });
}

/// The product list shows the image whose name contains 'lifestyle shot'; `web/src/shared/product/images/image-url.ts` finds it in
/// these names.
#[test]
fn uploads_keep_a_readable_file_name() {
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let name = async |sent: &str, bytes: &[u8]| {
            let files = admin.upload(&[(sent, bytes)]).await.expect_ok()["files"].take();
            files[0].as_str().unwrap().to_owned()
        };
        let (one, two) = (png(200, 100, 41), png(200, 100, 42));
        let first = name("Goda lifestyle shot.jpg", &one).await;
        assert!(first.starts_with("goda-lifestyle-shot-"), "{first}");
        assert_eq!(name("Goda lifestyle shot.jpg", &one).await, first);
        let second = name("Goda lifestyle shot.jpg", &two).await;
        assert!(
            second.starts_with("goda-lifestyle-shot-") && second != first,
            "{second}"
        );
        for file in [&first, &second] {
            get_image(&shop.visitor(), file).await;
        }
    });
}

#[test]
fn invalid_and_too_large_images_are_named_in_the_error() {
    let bomb = black_square(30_000);
    assert!(bomb.len() < 1_000_000, "the upload itself is small");
    let too_many_pixels = black_square(7_100);
    let too_large = [png(10, 10, 1), vec![0; 20 * 1024 * 1024]].concat();
    for_each_engine(async |shop| {
        let admin = shop.admin().await;
        let no_picture: [(&str, &[u8]); 6] = [
            ("page.png", b"<html><script>alert(1)</script></html>"),
            (
                "drawing.svg",
                b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
            ),
            ("tool.jpg", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"),
            ("half.png", &png(300, 300, 2)[..200]),
            ("paper.pdf", b"%PDF-1.7\n1 0 obj"),
            ("nothing.webp", b""),
        ];
        for (name, bytes) in no_picture {
            let response = admin.upload(&[(name, bytes)]).await;
            response.expect_error(
                415,
                &format!("{name} is not a picture that the shop can read"),
            );
        }
        let too_large_files: [(&str, &[u8]); 3] = [
            ("bomb.png", &bomb),
            ("wall.png", &too_many_pixels),
            ("heavy.png", &too_large),
        ];
        for (name, bytes) in too_large_files {
            let response = admin.upload(&[(name, bytes)]).await;
            response.expect_error(
                413,
                &format!("{name} is larger than 20 MB or 50 megapixels"),
            );
        }

        let good = png(64, 64, 3);
        admin
            .upload_as("files", &[("a.png", &good)])
            .await
            .expect_error(400, "images is required");
        admin
            .upload(&[])
            .await
            .expect_error(400, "images is required");
        let no_form = admin
            .request(Method::POST, "/api/admin/upload-images")
            .header(header::CONTENT_TYPE, "image/png")
            .body(good);
        let response = admin.send(no_form).await;
        assert!(matches!(response.status, 400 | 415), "{response:?}");
        response.error_text();
    });
}

/// Polyglot files: valid images that are also valid in another format.
#[test]
fn polyglot_uploads_keep_only_the_pixels() {
    let script = b"*/=1;alert('polyglot')//<script>alert('polyglot')</script><?php polyglot ?>";
    let mut gif = Vec::new();
    image::codecs::gif::GifEncoder::new(&mut gif)
        .encode_frame(image::Frame::new(image::RgbaImage::from_pixel(
            // The width is "/*": JavaScript reads the signature as an identifier and the rest as a comment.
            0x2a2f,
            2,
            image::Rgba([9, 9, 9, 255]),
        )))
        .unwrap();
    assert!(gif.starts_with(b"GIF89a/*"));
    gif.extend_from_slice(script);
    let plain = jpeg(48, 48, 5);
    let size = u16::try_from(script.len() + 2).unwrap().to_be_bytes();
    let comment = [&plain[..2], &[0xff, 0xfe], &size, script, &plain[2..]].concat();
    let drawing = png(48, 48, 6);
    let text = chunk(b"tEXt", &[b"Comment\0".as_slice(), script].concat());
    let with_text = [&drawing[..33], &text, &drawing[33..]].concat();
    let archive = [drawing.as_slice(), b"PK\x03\x04", script].concat();
    for_each_engine(async |shop| {
        let (admin, visitor) = (shop.admin().await, shop.visitor());
        let sent: [(&str, &[u8]); 5] = [
            ("script.js", &gif),
            ("page.html", &comment),
            ("shell.php.png", &with_text),
            ("archive.zip", &archive),
            ("x.svg;.png", &drawing),
        ];
        for (name, bytes) in sent {
            let files = admin.upload(&[(name, bytes)]).await.expect_ok()["files"].take();
            let file = files[0].as_str().unwrap();
            assert!(file.ends_with(".webp"), "{name} became {file}");
            let served = get_image(&visitor, file).await;
            for part in [b"polyglot".as_slice(), b"PK\x03\x04", b"<script"] {
                assert!(!has(&served.body, part), "{name}");
            }
            let kind = served.header("content-type");
            assert!(
                matches!(kind, "image/webp" | "image/jpeg"),
                "{name}: {kind}"
            );
            assert_eq!(served.header("x-content-type-options"), "nosniff");
            let policy = served.header("content-security-policy");
            assert!(policy.starts_with("default-src 'none'"), "{policy}");
        }
    });
}
