//! Valid and hostile test images, and a store in a temporary folder.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ImageEncoder, ImageFormat, Rgb, RgbImage};
use mirasa_app::ports::images::{Format, ImageFolder, ImageRequest, ImageStoreError};

use crate::import::{self, ImportedImage, Rules};
use crate::{ImageStoreSettings, ResizingImageStore};
use mirasa_codecs::estimate::MAX_WORK_BYTES;

/// Text in the metadata of the test images. It must not be in any stored file.
pub const SECRET: &[u8] = b"GPS 18.5204 N 73.8567 E";

pub const HEIGHT: u32 = 40;

pub fn open_store(folder: &Path) -> ResizingImageStore {
    ResizingImageStore::new(ImageStoreSettings::in_folder(folder)).unwrap()
}

pub fn request(file: &str, width: impl Into<Option<u32>>, formats: &[Format]) -> ImageRequest {
    ImageRequest {
        folder: ImageFolder::Products,
        file: file.into(),
        width: width.into(),
        formats: formats.to_vec(),
    }
}

/// Imports the bytes as the store does.
pub fn import_bytes(
    bytes: &[u8],
    format: Format,
    keep_bytes: bool,
) -> Result<ImportedImage, ImageStoreError> {
    let rules = Rules::of(ImageFolder::Products, keep_bytes);
    let (plan, memory) = import::inspect("x", bytes, &rules)?;
    assert!(memory <= MAX_WORK_BYTES, "{memory} bytes for {plan:?}");
    import::import("x", bytes, format, &rules, &plan)
}

/// Red on the left, blue on the right.
pub fn flag(width: u32) -> DynamicImage {
    let half = width / 2;
    RgbImage::from_fn(width, HEIGHT, |x, _| {
        if x < half {
            Rgb([200, 30, 20])
        } else {
            Rgb([20, 30, 200])
        }
    })
    .into()
}

pub fn file(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, format).unwrap();
    file.into_inner()
}

pub fn png(width: u32) -> Vec<u8> {
    file(&flag(width), ImageFormat::Png)
}

/// EXIF with an orientation, followed by the secret.
pub fn exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".to_vec();
    exif.extend_from_slice(&[orientation, 0, 0, 0, 0, 0, 0, 0]);
    exif.extend_from_slice(SECRET);
    exif
}

pub fn jpeg_with_exif(image: &DynamicImage, orientation: u8) -> Vec<u8> {
    let plain = file(image, ImageFormat::Jpeg);
    let mut segment = b"Exif\0\0".to_vec();
    segment.extend(exif(orientation));
    let size = u16::try_from(segment.len() + 2).unwrap().to_be_bytes();
    let comment = u16::try_from(SECRET.len() + 2).unwrap().to_be_bytes();
    [
        &plain[..2],
        &[0xff, 0xe1],
        &size,
        &segment,
        &[0xff, 0xfe],
        &comment,
        SECRET,
        &plain[2..],
        SECRET,
    ]
    .concat()
}

pub fn png_with_exif(image: &DynamicImage, orientation: u8) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = PngEncoder::new(&mut file);
    encoder.set_exif_metadata(exif(orientation)).unwrap();
    let (width, height) = (image.width(), image.height());
    encoder
        .write_image(image.as_bytes(), width, height, image.color().into())
        .unwrap();
    file.extend_from_slice(SECRET);
    file
}

pub fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(body.len()).unwrap().to_le_bytes();
    let pad = &[0][..body.len() % 2];
    [kind.as_slice(), &size, body, pad].concat()
}

/// A WebP in the extended container: its flags, a stated size, and chunks.
pub fn extended_webp(flags: u8, width: u32, height: u32, chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut head = vec![flags, 0, 0, 0];
    head.extend_from_slice(&(width - 1).to_le_bytes()[..3]);
    head.extend_from_slice(&(height - 1).to_le_bytes()[..3]);
    let body = [b"WEBP".to_vec(), chunk(b"VP8X", &head), chunks.concat()].concat();
    chunk(b"RIFF", &body)
}

/// The image chunk of a simple lossy WebP.
pub fn vp8_of(image: &DynamicImage) -> Vec<u8> {
    let rgb = image.to_rgb8();
    let file = webp::Encoder::from_rgb(&rgb, rgb.width(), rgb.height()).encode(90.0);
    assert_eq!(&file[12..16], b"VP8 ");
    file[12..].to_vec()
}

pub fn webp_with_exif(image: &DynamicImage, orientation: u8) -> Vec<u8> {
    let chunks = [
        vp8_of(image),
        chunk(b"EXIF", &exif(orientation)),
        chunk(b"XMP ", SECRET),
        chunk(b"junk", SECRET),
    ];
    let mut file = extended_webp(0x0c, image.width(), image.height(), &chunks);
    file.extend_from_slice(SECRET);
    file
}

pub fn png_chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(body.len()).unwrap().to_be_bytes();
    let mut sum = flate2::Crc::new();
    sum.update(kind);
    sum.update(body);
    [size.as_slice(), kind, body, &sum.sum().to_be_bytes()].concat()
}

/// One bit a pixel, all black: a valid file whose size says nothing about its pixels.
pub fn black_png(width: u32, height: u32, unpacked_bytes: usize) -> Vec<u8> {
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend_from_slice(&[1, 0, 0, 0, 0]);
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let zeros = vec![0; 1 << 20];
    for _ in 0..unpacked_bytes.div_ceil(zeros.len()) {
        encoder.write_all(&zeros).unwrap();
    }
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        png_chunk(b"IHDR", &head),
        png_chunk(b"IDAT", &encoder.finish().unwrap()),
        png_chunk(b"IEND", &[]),
    ]
    .concat()
}

/// All files below a folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Width and height, read from the file itself.
pub fn size_of(file: &[u8], format: Format) -> (u32, u32) {
    if format == Format::Avif {
        let at = file.windows(4).position(|four| four == b"ispe").unwrap() + 8;
        let side = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap());
        return (side(at), side(at + 4));
    }
    let expected = match format {
        Format::WebP => ImageFormat::WebP,
        _ => ImageFormat::Jpeg,
    };
    let image = image::load_from_memory_with_format(file, expected).unwrap();
    (image.width(), image.height())
}
