//! Imports: which files are accepted, which are rejected, and what is stored.

use image::codecs::png::PngEncoder;
use image::{DynamicImage, ImageEncoder, ImageFormat, Rgba, RgbaImage};
use mirasa_app::ports::images::{
    Format, ImageFolder, ImageStore, ImageStoreError, MAX_UPLOAD_BYTES, ServedImage,
};
use mirasa_domain::product::Image;
use tempfile::TempDir;

use super::fixtures::*;
use crate::ResizingImageStore;

struct Fixture {
    folder: TempDir,
    images: ResizingImageStore,
}

impl Fixture {
    fn new() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let images = open_store(&folder.path().join("pictures"));
        Fixture { folder, images }
    }

    async fn import(&self, name: &str, bytes: Vec<u8>) -> Result<Image, ImageStoreError> {
        self.images
            .import(ImageFolder::Products, name, true, bytes)
            .await
    }

    async fn original(&self, file: &str) -> ServedImage {
        let request = request(file, None, &[Format::WebP]);
        self.images.get(request).await.unwrap().unwrap()
    }

    async fn decoded(&self, file: &str) -> RgbaImage {
        let original = self.original(file).await;
        image::load_from_memory(&original.bytes).unwrap().to_rgba8()
    }

    fn files(&self) -> usize {
        files_below(self.folder.path()).len()
    }
}

fn is_red(pixel: &Rgba<u8>) -> bool {
    pixel[0] > 150 && pixel[2] < 90
}

#[tokio::test]
async fn format_is_detected_from_content() {
    let fixture = Fixture::new();
    for (name, format) in [
        ("a.png", ImageFormat::Png),
        ("b.png", ImageFormat::Jpeg),
        ("c", ImageFormat::WebP),
        ("d.html", ImageFormat::Gif),
    ] {
        let bytes = file(&flag(60), format);
        let image = fixture.import(name, bytes).await.unwrap();
        assert_eq!((image.width, image.height), (60, HEIGHT), "{name}");
        assert_eq!((image.file.as_str(), image.alt.as_str()), (name, ""));
        assert!(image.version.len() >= 8);
        assert!(image.version.bytes().all(|b| b.is_ascii_hexdigit()));
        let red = u8::from_str_radix(&image.colour[1..3], 16).unwrap();
        assert!(red.abs_diff(110) < 8, "{}", image.colour);
        let original = fixture.original(name).await;
        assert!(original.exact);
        assert_eq!(original.content_type, "image/webp");
        assert_eq!(size_of(&original.bytes, Format::WebP), (60, HEIGHT));
    }
}

#[tokio::test]
async fn profile_picture_is_named_by_its_hash() {
    let fixture = Fixture::new();
    let people = ImageFolder::People;
    let name = "../../any name\n.png";
    let first = fixture.images.import(people, name, false, png(60)).await;
    let first = first.unwrap();
    let (stem, extension) = first.file.split_once('.').unwrap();
    assert_eq!((stem.len(), extension), (20, "webp"));
    assert!(stem.bytes().all(|b| b.is_ascii_hexdigit()));
    let again = fixture.images.import(people, "other", false, png(60)).await;
    assert_eq!(again.unwrap(), first);
    let other = fixture.images.import(people, name, false, png(62)).await;
    assert_ne!(other.unwrap().file, first.file);
}

#[tokio::test]
async fn unsafe_names_are_rejected() {
    let fixture = Fixture::new();
    for name in [
        "../evil.webp",
        "..\\evil.webp",
        "/tmp/evil.webp",
        "a/../../evil.webp",
        ".htaccess",
        "..",
        "",
        "nul\0.webp",
        &"x".repeat(201),
    ] {
        let error = fixture.import(name, png(60)).await.unwrap_err();
        assert!(matches!(error, ImageStoreError::InvalidName(_)), "{name:?}");
    }
    assert_eq!(fixture.files(), 0);
}

#[tokio::test]
async fn non_images_are_rejected() {
    let fixture = Fixture::new();
    let complete = png(600);
    for (description, bytes) in [
        ("html", b"<!doctype html><script>alert(1)</script>".to_vec()),
        ("svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()),
        ("nothing", Vec::new()),
        ("a bitmap", b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28".to_vec()),
        ("half a png", complete[..complete.len() / 2].to_vec()),
        (
            "only a jpeg's head",
            b"\xff\xd8\xff\xe0\0\x10JFIF\0".to_vec(),
        ),
        ("an empty webp", chunk(b"RIFF", b"WEBP")),
        (
            "a gif without frames",
            b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(),
        ),
        (
            "html behind a png's signature",
            b"\x89PNG\r\n\x1a\n<html></html>".to_vec(),
        ),
    ] {
        let error = fixture.import("picture.png", bytes).await.unwrap_err();
        assert!(
            matches!(error, ImageStoreError::NotAnImage(_)),
            "{description}: {error:?}"
        );
        assert_eq!(
            error.to_string(),
            "picture.png is not a picture that the shop can read"
        );
    }
    assert_eq!(fixture.files(), 0);
}

#[tokio::test]
async fn decompression_bombs_are_rejected() {
    let fixture = Fixture::new();
    let mut hidden = vp8_of(&flag(60));
    hidden[14..18].copy_from_slice(&[0xff, 0x3f, 0xff, 0x3f]);
    let mut gif = file(&flag(60), ImageFormat::Gif);
    let frame = [0x2c, 0, 0, 0, 0, 60, 0, 40, 0];
    let at = gif.windows(9).position(|nine| nine == frame).unwrap();
    gif[at + 5..at + 9].copy_from_slice(&[0x60, 0xea, 0x60, 0xea]);
    let mut jpeg = file(&flag(60), ImageFormat::Jpeg);
    let at = jpeg.windows(2).position(|two| two == [0xff, 0xc0]).unwrap();
    jpeg[at + 5..at + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    for (description, bytes) in [
        ("a header of 60000 x 60000", black_png(60_000, 60_000, 1)),
        (
            "a valid PNG of 400 MP",
            black_png(20_000, 20_000, 50_040_000),
        ),
        (
            "a frame larger than its container says",
            extended_webp(0, 60, HEIGHT, &[hidden]),
        ),
        ("a frame larger than its screen", gif),
        ("a JPEG of 65535 x 65535", jpeg),
        ("more than 20 MB", vec![0; MAX_UPLOAD_BYTES + 1]),
    ] {
        let error = fixture.import("bomb.png", bytes).await.unwrap_err();
        assert!(
            matches!(error, ImageStoreError::TooLarge(_)),
            "{description}: {error:?}"
        );
    }
    assert_eq!(fixture.files(), 0);
}

#[tokio::test]
async fn surplus_png_rows_are_ignored() {
    let fixture = Fixture::new();
    // The decoder may reject or ignore the surplus; the image must have the stated size.
    if let Ok(image) = fixture.import("x.png", black_png(8, 8, 200 << 20)).await {
        assert_eq!((image.width, image.height), (8, 8));
    }
}

#[tokio::test]
async fn exif_orientation_is_applied() {
    let fixture = Fixture::new();
    let image = flag(60);
    for (name, bytes) in [
        ("a.jpg", jpeg_with_exif(&image, 6)),
        ("b.png", png_with_exif(&image, 6)),
        ("c.webp", webp_with_exif(&image, 6)),
    ] {
        let image = fixture.import(name, bytes).await.unwrap();
        assert_eq!((image.width, image.height), (HEIGHT, 60), "{name}");
        let upright = fixture.decoded(name).await;
        assert!(is_red(upright.get_pixel(20, 10)), "{name}");
        assert!(!is_red(upright.get_pixel(20, 50)), "{name}");
    }
}

#[tokio::test]
async fn metadata_is_stripped() {
    let fixture = Fixture::new();
    let image = flag(60);
    for (name, bytes) in [
        ("a.jpg", jpeg_with_exif(&image, 1)),
        ("b.png", png_with_exif(&image, 1)),
        ("c.webp", webp_with_exif(&image, 1)),
        ("d.webp", webp_with_exif(&image, 3)),
    ] {
        let has = bytes.windows(SECRET.len()).any(|part| part == SECRET);
        assert!(has, "{name}");
        fixture.import(name, bytes).await.unwrap();
        let formats = [Format::Avif, Format::WebP, Format::Jpeg];
        let queued = fixture
            .images
            .warm(ImageFolder::Products, name, &[64], &formats);
        queued.await.unwrap();
    }
    fixture.images.wait_until_idle().await;
    let files = files_below(fixture.folder.path());
    assert_eq!(files.len(), 4 * 2 + 4 * 3);
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        for secret in [SECRET, b"Exif", b"EXIF", b"XMP "] {
            let found = bytes.windows(secret.len()).any(|part| part == secret);
            assert!(!found, "{}", path.display());
        }
    }
}

#[tokio::test]
async fn clean_webp_with_kept_name_is_stored_unchanged() {
    let fixture = Fixture::new();
    let image = flag(60);
    let clean = chunk(b"RIFF", &[b"WEBP".to_vec(), vp8_of(&image)].concat());
    fixture.import("clean.webp", clean.clone()).await.unwrap();
    assert_eq!(fixture.original("clean.webp").await.bytes, clean);

    let dirty = webp_with_exif(&image, 1);
    fixture.import("dirty.webp", dirty).await.unwrap();
    let stored = fixture.original("dirty.webp").await.bytes;
    assert_eq!(stored, extended_webp(0, 60, HEIGHT, &[vp8_of(&image)]));
    assert_eq!(size_of(&stored, Format::WebP), (60, HEIGHT));

    let renamed = fixture
        .images
        .import(ImageFolder::Products, "x", false, clean.clone());
    let renamed = renamed.await.unwrap();
    assert_ne!(fixture.original(&renamed.file).await.bytes, clean);
}

#[tokio::test]
async fn transparency_is_kept_and_white_in_jpeg() {
    let fixture = Fixture::new();
    let half_transparent: DynamicImage = RgbaImage::from_fn(80, HEIGHT, |x, _| {
        Rgba([200, 30, 20, if x < 40 { 0 } else { 255 }])
    })
    .into();
    let bytes = file(&half_transparent, ImageFormat::Png);
    let image = fixture.import("glass.png", bytes.clone()).await.unwrap();
    assert_eq!(image.colour, "#c81e14");
    let original = fixture.decoded("glass.png").await;
    assert_eq!(original.get_pixel(10, 20)[3], 0);
    assert_eq!(original.get_pixel(70, 20)[3], 255);

    fixture.import("glass.jpg", bytes).await.unwrap();
    let flat = fixture.decoded("glass.jpg").await;
    for format in [Format::WebP, Format::Jpeg] {
        let request = || request("glass.png", 64, &[format]);
        fixture.images.get(request()).await.unwrap();
        fixture.images.wait_until_idle().await;
        let served = fixture.images.get(request()).await.unwrap().unwrap();
        let small = image::load_from_memory(&served.bytes).unwrap().to_rgba8();
        assert_eq!(small.width(), 64);
        assert!(is_red(small.get_pixel(60, 10)), "{format:?}");
        match format {
            Format::Jpeg => assert!(small.get_pixel(5, 10).0.iter().all(|part| *part > 245)),
            _ => assert_eq!(small.get_pixel(5, 10)[3], 0),
        }
    }
    assert!(flat.get_pixel(10, 20).0.iter().all(|part| *part > 245));
}

#[tokio::test]
async fn display_p3_is_converted_to_srgb() {
    let fixture = Fixture::new();
    let image = image::RgbImage::from_pixel(60, HEIGHT, image::Rgb([200, 100, 100]));
    let mut file = Vec::new();
    let mut encoder = PngEncoder::new(&mut file);
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    encoder.set_icc_profile(profile).unwrap();
    encoder
        .write_image(&image, 60, HEIGHT, image::ExtendedColorType::Rgb8)
        .unwrap();
    let image = fixture.import("p3.png", file).await.unwrap();
    let red = u8::from_str_radix(&image.colour[1..3], 16).unwrap();
    assert!((208..=220).contains(&red), "{}", image.colour);
}

#[tokio::test]
async fn large_image_is_resized_on_import() {
    let fixture = Fixture::new();
    let image = fixture.import("wide.png", png(5000)).await.unwrap();
    assert_eq!((image.width, image.height), (4096, 32));
    let original = fixture.original("wide.png").await;
    assert_eq!(size_of(&original.bytes, Format::WebP), (4096, 32));
}

#[tokio::test]
async fn jpg_extension_stores_jpeg() {
    let fixture = Fixture::new();
    fixture.import("photo.JPG", png(60)).await.unwrap();
    let original = fixture.original("photo.JPG").await;
    assert_eq!(original.content_type, "image/jpeg");
    assert_eq!(size_of(&original.bytes, Format::Jpeg), (60, HEIGHT));
}

#[tokio::test]
async fn reimport_of_same_bytes_does_not_write() {
    let fixture = Fixture::new();
    let first = fixture.import("a b.webp", png(60)).await.unwrap();
    let path = fixture.folder.path().join("pictures/products/a b.webp");
    let modified = || std::fs::metadata(&path).unwrap().modified().unwrap();
    let before = modified();
    assert_eq!(fixture.import("a b.webp", png(60)).await.unwrap(), first);
    let restarted = open_store(&fixture.folder.path().join("pictures"));
    let again = restarted.import(ImageFolder::Products, "a b.webp", true, png(60));
    assert_eq!(again.await.unwrap(), first);
    assert_eq!(modified(), before);

    std::fs::write(&path, "cut off").unwrap();
    assert_eq!(fixture.import("a b.webp", png(60)).await.unwrap(), first);
    let original = std::fs::read(&path).unwrap();
    assert_eq!(size_of(&original, Format::WebP), (60, HEIGHT));
}

#[tokio::test]
async fn concurrent_imports_of_one_name_leave_one_image() {
    let fixture = Fixture::new();
    let (one, two) = (png(60), png(62));
    for _ in 0..5 {
        let (first, second) = tokio::join!(
            fixture.import("x.webp", one.clone()),
            fixture.import("x.webp", two.clone())
        );
        let width = fixture.decoded("x.webp").await.width();
        let results = [first.unwrap(), second.unwrap()];
        let served = fixture.original("x.webp").await.version;
        let matching = results.iter().find(|image| image.version == served);
        assert_eq!(matching.unwrap().width, width);
    }
}
