//! Property tests with damaged and random files: each is imported or rejected, within the limits.

use std::path::{Component, Path};

use image::ImageFormat;
use mirasa_app::ports::images::{Format, ImageStoreError, MAX_PIXELS};
use proptest::prelude::*;

use super::fixtures::*;
use crate::keys::{SafeFileName, nearest_width};
use mirasa_codecs::webp_file;

/// Decoding is slow, so there are few cases unless PROPTEST_CASES is set.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => default,
        None => ProptestConfig {
            cases: 96,
            ..default
        },
    }
}

/// Every supported format, with and without metadata.
fn valid_images() -> Vec<Vec<u8>> {
    let image = flag(60);
    vec![
        file(&image, ImageFormat::Jpeg),
        file(&image, ImageFormat::Png),
        file(&image, ImageFormat::WebP),
        file(&image, ImageFormat::Gif),
        jpeg_with_exif(&image, 6),
        png_with_exif(&image, 6),
        webp_with_exif(&image, 6),
        extended_webp(0, 60, HEIGHT, &[vp8_of(&image)]),
        black_png(300, 300, 300 * 39),
    ]
}

#[derive(Debug, Clone)]
enum Damage {
    Cut(usize),
    Bend(usize, u8),
    Write(usize, Vec<u8>),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    // Most bytes that control a decoder are at the start.
    let at = || prop_oneof![0..120_usize, any::<usize>()];
    let bytes = || {
        prop_oneof![
            proptest::collection::vec(any::<u8>(), 1..8),
            Just(vec![0xff; 4]),
            Just(vec![0; 4]),
            Just(vec![0x7f, 0xff, 0xff, 0xff]),
        ]
    };
    prop_oneof![
        at().prop_map(Damage::Cut),
        (at(), any::<u8>()).prop_map(|(at, bits)| Damage::Bend(at, bits)),
        (at(), bytes()).prop_map(|(at, bytes)| Damage::Write(at, bytes)),
        (at(), bytes()).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (at(), 1..20_usize).prop_map(|(at, count)| Damage::Remove(at, count)),
    ]
}

fn damaged(mut file: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let size = file.len().max(1);
        match damage {
            Damage::Cut(at) => file.truncate(at % size),
            Damage::Bend(at, bits) => {
                if let Some(byte) = file.get_mut(at % size) {
                    *byte ^= bits;
                }
            }
            Damage::Write(at, bytes) => {
                for (target, byte) in file.iter_mut().skip(at % size).zip(bytes) {
                    *target = *byte;
                }
            }
            Damage::Insert(at, bytes) => {
                let at = (at % size).min(file.len());
                file.splice(at..at, bytes.iter().copied());
            }
            Damage::Remove(at, count) => {
                let at = (at % size).min(file.len());
                let end = (at + count).min(file.len());
                file.drain(at..end);
            }
        }
    }
    file
}

fn assert_image_or_error(bytes: &[u8], keep_bytes: bool) -> Result<(), TestCaseError> {
    for format in [Format::WebP, Format::Jpeg] {
        match import_bytes(bytes, format, keep_bytes) {
            Ok(original) => {
                prop_assert!(original.width > 0 && original.height > 0);
                prop_assert!(original.width.max(original.height) <= 4096);
                let (width, height) = size_of(&original.file, format);
                prop_assert_eq!((width, height), (original.width, original.height));
            }
            Err(
                ImageStoreError::NotAnImage(_)
                | ImageStoreError::TooLarge(_)
                | ImageStoreError::TooMuchMemory(_),
            ) => {}
            Err(other) => prop_assert!(false, "the shop would blame itself: {:?}", other),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn damaged_file_is_imported_or_rejected(
        which in 0..9_usize,
        damages in proptest::collection::vec(damage(), 1..4),
        keep_bytes: bool,
    ) {
        let complete = valid_images().swap_remove(which);
        assert_image_or_error(&damaged(complete, &damages), keep_bytes)?;
        prop_assert!(peak_memory_bytes() < MAX_MEMORY_BYTES, "{} MB were in use at one time", peak_memory_bytes() >> 20);
    }

    #[test]
    fn truncated_file_is_imported_or_rejected(which in 0..9_usize, at: prop::sample::Index) {
        let complete = valid_images().swap_remove(which);
        let at = at.index(complete.len());
        assert_image_or_error(&complete[..at], true)?;
    }
}

proptest! {
    #[test]
    fn random_bytes_after_signature_are_imported_or_rejected(
        start in prop::sample::select(vec![
            b"".to_vec(), b"\xff\xd8\xff\xe0".to_vec(), b"\x89PNG\r\n\x1a\n".to_vec(), b"GIF89a".to_vec(),
            b"RIFF\xff\xff\0\0WEBPVP8X".to_vec(), b"RIFF\xff\xff\0\0WEBPVP8L".to_vec(), b"RIFF\xff\0\0\0WEBPVP8 ".to_vec(),
        ]),
        rest in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let bytes = [start, rest].concat();
        assert_image_or_error(&bytes, true)?;
        prop_assert!(webp_file::max_frame_pixels(&bytes) <= 1 << 48);
        if let Some(kept) = webp_file::strip_metadata(&bytes) {
            prop_assert!(kept.len() <= bytes.len() + 64);
        }
    }

    #[test]
    fn safe_file_name_is_one_path_component(name in prop_oneof![any::<String>(), "[./\\\\a\t ]{0,8}"]) {
        if let Some(safe) = SafeFileName::parse(&name) {
            let parts: Vec<_> = Path::new(safe.as_str()).components().collect();
            prop_assert_eq!(parts, [Component::Normal(name.as_ref())]);
        }
    }

    #[test]
    fn nearest_width_is_bounded(requested: u32, original in 1..5000_u32) {
        let width = nearest_width(requested, original);
        prop_assert!(width >= 1 && width <= original);
        prop_assert!(width >= requested.min(original).min(3200));
    }
}

/// More than any image and the other tests of this process take.
const MAX_MEMORY_BYTES: u64 = 2 << 30;

/// Peak memory of this process in bytes; 0 if the system does not report it.
fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.unwrap_or(0_u64) << 10
}

#[test]
fn oversized_header_is_rejected_before_decoding() {
    let before = peak_memory_bytes();
    let side = 60_000;
    assert!(u64::from(side) * u64::from(side) > MAX_PIXELS);
    let claims = [
        black_png(side, side, 1),
        extended_webp(0, 16_000, 16_000, &[vp8_of(&flag(60))]),
        [
            b"GIF89a".as_slice(),
            &[0xff; 4],
            &[0, 0, 0, 0x2c, 0, 0, 0, 0],
            &[0xff; 4],
            &[0, 2, 1, 0, 0, 0x3b],
        ]
        .concat(),
    ];
    for claim in claims {
        let error = import_bytes(&claim, Format::WebP, true).unwrap_err();
        assert!(matches!(error, ImageStoreError::TooLarge(_)), "{error:?}");
    }
    // Other tests decode images at the same time. The stated sizes here would take gigabytes.
    assert!(peak_memory_bytes() - before < 1 << 30);
}
