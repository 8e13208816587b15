//! Pictures that were cut, bent or never any: each becomes a picture or a clear refusal, within the limits.

use std::path::{Component, Path};

use image::ImageFormat;
use mirasa_app::ports::images::{Format, ImageStoreError, MAX_PIXELS};
use proptest::prelude::*;

use super::samples::*;
use crate::pictures::names::{PlainName, step_for};
use crate::pictures::webp_file;

/// Decoding takes a while: few are tried, unless somebody wants to know.
fn few() -> ProptestConfig {
    let asked = ProptestConfig::default();
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => asked,
        None => ProptestConfig { cases: 96, ..asked },
    }
}

/// Every kind that is taken in, with and without what a camera writes beside it.
fn real_pictures() -> Vec<Vec<u8>> {
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
    // Most of what steers a decoder stands at the beginning.
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
                for (place, byte) in file.iter_mut().skip(at % size).zip(bytes) {
                    *place = *byte;
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

fn is_picture_or_refusal(bytes: &[u8], may_keep: bool) -> Result<(), TestCaseError> {
    for format in [Format::WebP, Format::Jpeg] {
        match examine(bytes, format, may_keep) {
            Ok(master) => {
                prop_assert!(master.width > 0 && master.height > 0);
                prop_assert!(master.width.max(master.height) <= 4096);
                let (width, height) = size_of(&master.file, format);
                prop_assert_eq!((width, height), (master.width, master.height));
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
    #![proptest_config(few())]

    #[test]
    fn a_damaged_picture_is_a_picture_or_a_refusal(
        which in 0..9_usize,
        damages in proptest::collection::vec(damage(), 1..4),
        may_keep: bool,
    ) {
        let whole = real_pictures().swap_remove(which);
        is_picture_or_refusal(&damaged(whole, &damages), may_keep)?;
        prop_assert!(most_memory() < MEMORY, "{} MB were in use at one time", most_memory() >> 20);
    }

    #[test]
    fn a_picture_cut_anywhere_is_a_picture_or_a_refusal(which in 0..9_usize, at: prop::sample::Index) {
        let whole = real_pictures().swap_remove(which);
        let at = at.index(whole.len());
        is_picture_or_refusal(&whole[..at], true)?;
    }
}

proptest! {
    #[test]
    fn any_bytes_behind_a_signature_are_refused_or_a_picture(
        start in prop::sample::select(vec![
            b"".to_vec(), b"\xff\xd8\xff\xe0".to_vec(), b"\x89PNG\r\n\x1a\n".to_vec(), b"GIF89a".to_vec(),
            b"RIFF\xff\xff\0\0WEBPVP8X".to_vec(), b"RIFF\xff\xff\0\0WEBPVP8L".to_vec(), b"RIFF\xff\0\0\0WEBPVP8 ".to_vec(),
        ]),
        rest in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let bytes = [start, rest].concat();
        is_picture_or_refusal(&bytes, true)?;
        prop_assert!(webp_file::most_pixels(&bytes) <= 1 << 48);
        if let Some(kept) = webp_file::without_metadata(&bytes) {
            prop_assert!(kept.len() <= bytes.len() + 64);
        }
    }

    #[test]
    fn a_name_is_one_plain_part_of_a_path(name in prop_oneof![any::<String>(), "[./\\\\a\t ]{0,8}"]) {
        if let Some(plain) = PlainName::parse(&name) {
            let parts: Vec<_> = Path::new(plain.as_str()).components().collect();
            prop_assert_eq!(parts, [Component::Normal(name.as_ref())]);
        }
    }

    #[test]
    fn any_width_asked_for_is_one_of_few(asked: u32, master in 1..5000_u32) {
        let step = step_for(asked, master);
        prop_assert!(step >= 1 && step <= master);
        prop_assert!(step >= asked.min(master).min(3200));
    }
}

/// What the tests beside this one use, and more than any picture takes.
const MEMORY: u64 = 2 << 30;

/// The most memory that this process has had, in bytes; 0 where the system does not tell.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    kilobytes.unwrap_or(0_u64) << 10
}

#[test]
fn a_claim_of_many_pixels_is_refused_before_they_are_unpacked() {
    let before = most_memory();
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
        let refusal = examine(&claim, Format::WebP, true).unwrap_err();
        assert!(
            matches!(refusal, ImageStoreError::TooLarge(_)),
            "{refusal:?}"
        );
    }
    // Others decode pictures beside this; what was claimed here would take gigabytes.
    assert!(most_memory() - before < 1 << 30);
}
