//! Measures the memory of the process while images are processed. It is alone in its binary, so
//! that no other test's memory is counted.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::Write as _;
use std::sync::Arc;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use jpeg_encoder::{Encoder, ImageBuffer, JpegColorType};
use mirasa_app::ports::images::{
    Format, ImageFolder, ImageRequest, ImageStore, ImageStoreError, ServedImage,
};
use mirasa_domain::product::Image;
use mirasa_images::{ImageStoreSettings, ResizingImageStore};

/// 88 MiB for image work, 16 MiB for the file cache, two uploads, and some overhead of the
/// allocator.
const MAX_GROWTH_MB: u64 = 130;

/// Resident memory in MB: current (`VmRSS:`) or peak (`VmHWM:`).
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes: u64 = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kilobytes * 1024 / 1_000_000
}

fn chunk(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut sum = Crc::new();
    sum.update(kind);
    sum.update(body);
    let size = u32::try_from(body.len()).unwrap().to_be_bytes();
    [size.as_slice(), kind, body, &sum.sum().to_be_bytes()].concat()
}

/// Black. Compressed row by row, so that the test itself takes little memory.
fn png(width: u32, height: u32, depth: u8, colour: u8, interlaced: bool) -> Vec<u8> {
    let bytes = u32::from(depth) / 8 * if colour == 6 { 4 } else { 3 };
    let row = |columns: u32| vec![0; usize::try_from(columns * bytes).unwrap() + 1];
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let whole = [[0, 0, 1, 1]];
    let passes = [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
    ];
    for [x, y, dx, dy] in if interlaced { &passes[..] } else { &whole } {
        let row = row((width - x).div_ceil(*dx));
        for _ in 0..(height - y).div_ceil(*dy) {
            encoder.write_all(&row).unwrap();
        }
    }
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend_from_slice(&[depth, colour, 0, 0, u8::from(interlaced)]);
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &head),
        chunk(b"IDAT", &encoder.finish().unwrap()),
        chunk(b"IEND", &[]),
    ]
    .concat()
}

/// An image that is not in memory: stripes of colour.
struct Stripes(u16, u16);

impl ImageBuffer for Stripes {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycbcr
    }
    fn width(&self) -> u16 {
        self.0
    }
    fn height(&self) -> u16 {
        self.1
    }
    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let [luma, blue, red, _] = buffers;
        let shade = if y & 512 == 0 { 60 } else { 180 };
        for (buffer, value) in [(luma, shade), (blue, 128), (red, 150)] {
            buffer.extend(std::iter::repeat_n(value, usize::from(self.0)));
        }
    }
}

fn jpeg(width: u16, height: u16, progressive: bool) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 80);
    encoder.set_progressive(progressive);
    encoder.encode_image(Stripes(width, height)).unwrap();
    file
}

async fn send(
    images: &ResizingImageStore,
    name: &str,
    bytes: &[u8],
) -> Result<Image, ImageStoreError> {
    let (folder, bytes) = (ImageFolder::Products, bytes.to_vec());
    images.import(folder, name, false, bytes).await
}

async fn send_profile(
    images: &ResizingImageStore,
    bytes: Vec<u8>,
) -> Result<Image, ImageStoreError> {
    let name = "The profile picture";
    images.import(ImageFolder::People, name, false, bytes).await
}

async fn serve(images: &ResizingImageStore, file: &str, width: u32) -> ServedImage {
    let request = ImageRequest {
        folder: ImageFolder::Products,
        file: file.to_owned(),
        width: Some(width),
        formats: vec![Format::Avif, Format::WebP],
    };
    images.get(request).await.unwrap().unwrap()
}

/// The allocator settings of deploy/. Without them it keeps freed memory, and the process grows by
/// more.
const ALLOCATOR: [(&str, &str); 2] = [
    ("MALLOC_ARENA_MAX", "2"),
    ("MALLOC_MMAP_THRESHOLD_", "131072"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn uploads_stay_within_memory_limit() {
    if std::env::var_os(ALLOCATOR[0].0).is_none() {
        // They are read at the start of a process, so the test starts itself again.
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .envs(ALLOCATOR)
            .status();
        assert!(status.unwrap().success());
        return;
    }
    let deep_png = png(4000, 4000, 16, 6, false);
    let profile_pngs = [2999, 3000].map(|width| png(width, 2000, 16, 6, false));
    let interlaced_png = png(3000, 3000, 8, 2, true);
    let (photo, progressive_jpeg) = (jpeg(8000, 6200, false), jpeg(4000, 3000, true));
    // The header alone is enough to reject it.
    let mut progressive_jpeg_too_large = progressive_jpeg.clone();
    let at = progressive_jpeg_too_large
        .windows(2)
        .position(|two| two == [0xff, 0xc2]);
    progressive_jpeg_too_large[at.unwrap() + 7..at.unwrap() + 9]
        .copy_from_slice(&9000_u16.to_be_bytes());
    let folder = tempfile::tempdir().unwrap();
    let images = ResizingImageStore::new(ImageStoreSettings::in_folder(folder.path())).unwrap();
    let images = Arc::new(images);
    // Resets the peak: creating the test images took memory too.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = memory("VmRSS:");
    let check = |description: &str| {
        let growth = memory("VmHWM:").saturating_sub(before);
        assert!(growth <= MAX_GROWTH_MB, "{description}: {growth} MB");
    };

    let (one, two) = tokio::join!(
        send_profile(&images, deep_png.clone()),
        send_profile(&images, deep_png.clone())
    );
    for error in [one, two] {
        let error = error.unwrap_err();
        assert!(matches!(error, ImageStoreError::TooLargeForProfile(_)));
    }
    check("two profile pictures that are too large");
    let [one, two] = profile_pngs;
    let (one, two) = tokio::join!(send_profile(&images, one), send_profile(&images, two));
    assert_eq!((one.unwrap().width, two.unwrap().width), (512, 512));
    check("two profile pictures");

    let (one, two) = tokio::join!(
        send(&images, "a.png", &deep_png),
        send(&images, "b.png", &deep_png)
    );
    let (one, two) = (one.unwrap(), two.unwrap());
    // Images with an alpha channel are stored smaller.
    assert_eq!((one.width, two.width), (1414, 1414));
    check("two deep PNGs");
    assert_eq!(
        send(&images, "c.png", &interlaced_png).await.unwrap().width,
        2449
    );
    check("an interlaced PNG");
    let photo = send(&images, "d.jpg", &photo).await.unwrap();
    assert_eq!((photo.width, photo.height), (2782, 2155));
    check("a JPEG of 50 megapixels");
    let web = send(&images, "e.jpg", &progressive_jpeg).await.unwrap();
    assert_eq!((web.width, web.height), (2828, 2121));
    check("a progressive JPEG of 12 megapixels");
    let error = send(&images, "f.jpg", &progressive_jpeg_too_large)
        .await
        .unwrap_err();
    assert!(matches!(error, ImageStoreError::TooMuchMemory(_)));

    // Renditions of large images are made in the background, one fast and one slow at a time.
    for width in [3200, 960] {
        serve(&images, &photo.file, width).await;
        serve(&images, &one.file, width).await;
    }
    images.wait_until_idle().await;
    check("their sizes");
    let wide = serve(&images, &photo.file, 3200).await;
    assert_eq!((wide.content_type, wide.exact), ("image/webp", true));
    let small = serve(&images, &photo.file, 960).await;
    assert_eq!((small.content_type, small.exact), ("image/avif", true));

    // The rendition threads have a lower priority, and no other thread has.
    let mut priorities = Vec::new();
    for task in std::fs::read_dir("/proc/self/task").unwrap() {
        let task = task.unwrap().path();
        let name = std::fs::read_to_string(task.join("comm")).unwrap();
        let stat = std::fs::read_to_string(task.join("stat")).unwrap();
        let nice = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(16);
        priorities.push((
            name.trim().to_owned(),
            nice.unwrap().parse::<i32>().unwrap(),
        ));
    }
    let nice_of = |start: &str| -> Vec<i32> {
        let of_kind = priorities
            .iter()
            .filter(|(name, _)| name.starts_with(start));
        of_kind.map(|(_, nice)| *nice).collect()
    };
    let usual = nice_of("tokio").into_iter().min().unwrap();
    assert!(
        nice_of("tokio").iter().all(|nice| *nice == usual),
        "{priorities:?}"
    );
    assert!(
        nice_of("avif").iter().all(|nice| *nice > usual),
        "{priorities:?}"
    );
}
