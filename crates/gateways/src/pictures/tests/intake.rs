//! What is taken in, what is refused, and what is left of it.

use image::codecs::png::PngEncoder;
use image::{DynamicImage, ImageEncoder, ImageFormat, Rgba, RgbaImage};
use mirasa_app::ports::images::{
    Format, ImageFolder, ImageStore, ImageStoreError, MAX_UPLOAD_BYTES, ServedImage,
};
use mirasa_domain::product::Image;
use tempfile::TempDir;

use super::samples::*;
use crate::pictures::LocalShelf;

struct Bench {
    folder: TempDir,
    shelf: LocalShelf,
}

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let shelf = shelf(&folder.path().join("pictures"));
        Bench { folder, shelf }
    }

    async fn keep(&self, name: &str, bytes: Vec<u8>) -> Result<Image, ImageStoreError> {
        self.shelf
            .import(ImageFolder::Products, name, true, bytes)
            .await
    }

    async fn master(&self, file: &str) -> ServedImage {
        let ask = ask(file, None, &[Format::WebP]);
        self.shelf.get(ask).await.unwrap().unwrap()
    }

    async fn decoded(&self, file: &str) -> RgbaImage {
        let master = self.master(file).await;
        image::load_from_memory(&master.bytes).unwrap().to_rgba8()
    }

    fn files(&self) -> usize {
        files_below(self.folder.path()).len()
    }
}

fn is_red(pixel: &Rgba<u8>) -> bool {
    pixel[0] > 150 && pixel[2] < 90
}

#[tokio::test]
async fn four_formats_are_taken_in_by_their_content() {
    let bench = Bench::new();
    for (name, format) in [
        ("a.png", ImageFormat::Png),
        ("b.png", ImageFormat::Jpeg),
        ("c", ImageFormat::WebP),
        ("d.html", ImageFormat::Gif),
    ] {
        let bytes = file(&flag(60), format);
        let picture = bench.keep(name, bytes).await.unwrap();
        assert_eq!((picture.width, picture.height), (60, HEIGHT), "{name}");
        assert_eq!((picture.file.as_str(), picture.alt.as_str()), (name, ""));
        assert!(picture.version.len() >= 8);
        assert!(picture.version.bytes().all(|b| b.is_ascii_hexdigit()));
        let red = u8::from_str_radix(&picture.colour[1..3], 16).unwrap();
        assert!(red.abs_diff(110) < 8, "{}", picture.colour);
        let master = bench.master(name).await;
        assert!(master.exact);
        assert_eq!(master.content_type, "image/webp");
        assert_eq!(size_of(&master.bytes, Format::WebP), (60, HEIGHT));
    }
}

#[tokio::test]
async fn without_a_name_of_its_own_a_picture_is_called_by_its_content() {
    let bench = Bench::new();
    let people = ImageFolder::People;
    let name = "../../any name\n.png";
    let first = bench.shelf.import(people, name, false, png(60)).await;
    let first = first.unwrap();
    let (stem, extension) = first.file.split_once('.').unwrap();
    assert_eq!((stem.len(), extension), (20, "webp"));
    assert!(stem.bytes().all(|b| b.is_ascii_hexdigit()));
    let again = bench.shelf.import(people, "other", false, png(60)).await;
    assert_eq!(again.unwrap(), first);
    let other = bench.shelf.import(people, name, false, png(62)).await;
    assert_ne!(other.unwrap().file, first.file);
}

#[tokio::test]
async fn names_that_lead_elsewhere_are_refused() {
    let bench = Bench::new();
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
        let refusal = bench.keep(name, png(60)).await.unwrap_err();
        assert!(
            matches!(refusal, ImageStoreError::InvalidName(_)),
            "{name:?}"
        );
    }
    assert_eq!(bench.files(), 0);
}

#[tokio::test]
async fn what_is_no_picture_is_refused() {
    let bench = Bench::new();
    let whole = png(600);
    for (what, bytes) in [
        ("html", b"<!doctype html><script>alert(1)</script>".to_vec()),
        ("svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()),
        ("nothing", Vec::new()),
        ("a bitmap", b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28".to_vec()),
        ("half a png", whole[..whole.len() / 2].to_vec()),
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
        let refusal = bench.keep("picture.png", bytes).await.unwrap_err();
        assert!(
            matches!(refusal, ImageStoreError::NotAnImage(_)),
            "{what}: {refusal:?}"
        );
        assert_eq!(
            refusal.to_string(),
            "picture.png is not a picture that the shop can read"
        );
    }
    assert_eq!(bench.files(), 0);
}

#[tokio::test]
async fn bombs_are_refused_before_they_are_unpacked() {
    let bench = Bench::new();
    let mut hidden = vp8_of(&flag(60));
    hidden[14..18].copy_from_slice(&[0xff, 0x3f, 0xff, 0x3f]);
    let mut gif = file(&flag(60), ImageFormat::Gif);
    let frame = [0x2c, 0, 0, 0, 0, 60, 0, 40, 0];
    let at = gif.windows(9).position(|nine| nine == frame).unwrap();
    gif[at + 5..at + 9].copy_from_slice(&[0x60, 0xea, 0x60, 0xea]);
    let mut jpeg = file(&flag(60), ImageFormat::Jpeg);
    let at = jpeg.windows(2).position(|two| two == [0xff, 0xc0]).unwrap();
    jpeg[at + 5..at + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    for (what, bytes) in [
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
        let refusal = bench.keep("bomb.png", bytes).await.unwrap_err();
        assert!(
            matches!(refusal, ImageStoreError::TooLarge(_)),
            "{what}: {refusal:?}"
        );
    }
    assert_eq!(bench.files(), 0);
}

#[tokio::test]
async fn more_packed_rows_than_the_header_says_are_not_unpacked() {
    let bench = Bench::new();
    // What the decoder makes of the surplus is its choice; the picture must be as large as it says.
    if let Ok(picture) = bench.keep("x.png", black_png(8, 8, 200 << 20)).await {
        assert_eq!((picture.width, picture.height), (8, 8));
    }
}

#[tokio::test]
async fn cameras_that_were_held_sideways_are_believed() {
    let bench = Bench::new();
    let image = flag(60);
    for (name, bytes) in [
        ("a.jpg", jpeg_with_exif(&image, 6)),
        ("b.png", png_with_exif(&image, 6)),
        ("c.webp", webp_with_exif(&image, 6)),
    ] {
        let picture = bench.keep(name, bytes).await.unwrap();
        assert_eq!((picture.width, picture.height), (HEIGHT, 60), "{name}");
        let upright = bench.decoded(name).await;
        assert!(is_red(upright.get_pixel(20, 10)), "{name}");
        assert!(!is_red(upright.get_pixel(20, 50)), "{name}");
    }
}

#[tokio::test]
async fn nothing_but_pixels_gets_onto_the_shelf() {
    let bench = Bench::new();
    let image = flag(60);
    for (name, bytes) in [
        ("a.jpg", jpeg_with_exif(&image, 1)),
        ("b.png", png_with_exif(&image, 1)),
        ("c.webp", webp_with_exif(&image, 1)),
        ("d.webp", webp_with_exif(&image, 3)),
    ] {
        let has = bytes.windows(SECRET.len()).any(|part| part == SECRET);
        assert!(has, "{name}");
        bench.keep(name, bytes).await.unwrap();
        let formats = [Format::Avif, Format::WebP, Format::Jpeg];
        let warmed = bench
            .shelf
            .warm(ImageFolder::Products, name, &[64], &formats);
        warmed.await.unwrap();
    }
    bench.shelf.idle().await;
    let files = files_below(bench.folder.path());
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
async fn a_clean_webp_of_the_shop_stays_as_it_is() {
    let bench = Bench::new();
    let image = flag(60);
    let clean = chunk(b"RIFF", &[b"WEBP".to_vec(), vp8_of(&image)].concat());
    bench.keep("clean.webp", clean.clone()).await.unwrap();
    assert_eq!(bench.master("clean.webp").await.bytes, clean);

    let dirty = webp_with_exif(&image, 1);
    bench.keep("dirty.webp", dirty).await.unwrap();
    let kept = bench.master("dirty.webp").await.bytes;
    assert_eq!(kept, extended_webp(0, 60, HEIGHT, &[vp8_of(&image)]));
    assert_eq!(size_of(&kept, Format::WebP), (60, HEIGHT));

    let sent = bench
        .shelf
        .import(ImageFolder::Products, "x", false, clean.clone());
    let sent = sent.await.unwrap();
    assert_ne!(bench.master(&sent.file).await.bytes, clean);
}

#[tokio::test]
async fn transparency_survives_and_is_white_in_a_jpeg() {
    let bench = Bench::new();
    let glass: DynamicImage = RgbaImage::from_fn(80, HEIGHT, |x, _| {
        Rgba([200, 30, 20, if x < 40 { 0 } else { 255 }])
    })
    .into();
    let bytes = file(&glass, ImageFormat::Png);
    let picture = bench.keep("glass.png", bytes.clone()).await.unwrap();
    assert_eq!(picture.colour, "#c81e14");
    let master = bench.decoded("glass.png").await;
    assert_eq!(master.get_pixel(10, 20)[3], 0);
    assert_eq!(master.get_pixel(70, 20)[3], 255);

    bench.keep("glass.jpg", bytes).await.unwrap();
    let flat = bench.decoded("glass.jpg").await;
    for format in [Format::WebP, Format::Jpeg] {
        let ask = || ask("glass.png", 64, &[format]);
        bench.shelf.get(ask()).await.unwrap();
        bench.shelf.idle().await;
        let served = bench.shelf.get(ask()).await.unwrap().unwrap();
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
async fn colours_of_a_wide_profile_are_brought_into_srgb() {
    let bench = Bench::new();
    let image = image::RgbImage::from_pixel(60, HEIGHT, image::Rgb([200, 100, 100]));
    let mut file = Vec::new();
    let mut encoder = PngEncoder::new(&mut file);
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    encoder.set_icc_profile(profile).unwrap();
    encoder
        .write_image(&image, 60, HEIGHT, image::ExtendedColorType::Rgb8)
        .unwrap();
    let picture = bench.keep("p3.png", file).await.unwrap();
    let red = u8::from_str_radix(&picture.colour[1..3], 16).unwrap();
    assert!((208..=220).contains(&red), "{}", picture.colour);
}

#[tokio::test]
async fn a_huge_picture_is_kept_no_larger_than_it_will_be_shown() {
    let bench = Bench::new();
    let picture = bench.keep("wide.png", png(5000)).await.unwrap();
    assert_eq!((picture.width, picture.height), (4096, 32));
    let master = bench.master("wide.png").await;
    assert_eq!(size_of(&master.bytes, Format::WebP), (4096, 32));
}

#[tokio::test]
async fn a_name_of_a_jpeg_holds_a_jpeg() {
    let bench = Bench::new();
    bench.keep("photo.JPG", png(60)).await.unwrap();
    let master = bench.master("photo.JPG").await;
    assert_eq!(master.content_type, "image/jpeg");
    assert_eq!(size_of(&master.bytes, Format::Jpeg), (60, HEIGHT));
}

#[tokio::test]
async fn the_same_bytes_are_not_worked_on_twice() {
    let bench = Bench::new();
    let first = bench.keep("a b.webp", png(60)).await.unwrap();
    let path = bench.folder.path().join("pictures/products/a b.webp");
    let changed = || std::fs::metadata(&path).unwrap().modified().unwrap();
    let before = changed();
    assert_eq!(bench.keep("a b.webp", png(60)).await.unwrap(), first);
    let restarted = shelf(&bench.folder.path().join("pictures"));
    let again = restarted.import(ImageFolder::Products, "a b.webp", true, png(60));
    assert_eq!(again.await.unwrap(), first);
    assert_eq!(changed(), before);

    std::fs::write(&path, "cut off").unwrap();
    assert_eq!(bench.keep("a b.webp", png(60)).await.unwrap(), first);
    let master = std::fs::read(&path).unwrap();
    assert_eq!(size_of(&master, Format::WebP), (60, HEIGHT));
}

#[tokio::test]
async fn two_pictures_sent_under_one_name_at_once_leave_one_whole() {
    let bench = Bench::new();
    let (one, two) = (png(60), png(62));
    for _ in 0..5 {
        let (first, second) = tokio::join!(
            bench.keep("x.webp", one.clone()),
            bench.keep("x.webp", two.clone())
        );
        let kept = bench.decoded("x.webp").await.width();
        let answered = [first.unwrap(), second.unwrap()];
        let served = bench.master("x.webp").await.version;
        let told = answered.iter().find(|picture| picture.version == served);
        assert_eq!(told.unwrap().width, kept);
    }
}
