//! The WebP container: a list of chunks. Removes the chunks that are not part of the image.
//!
//! This file does not decode pixels.

/// VP8X flag: the image has an alpha channel.
const ALPHA: u8 = 0x10;
const CHUNK_HEADER_BYTES: usize = 8;
const FRAME_HEADER_BYTES: usize = 16;

type Chunk<'a> = ([u8; 4], &'a [u8]);

/// The chunks between `RIFF....WEBP` and the end according to the header.
fn chunks_of(file: &[u8]) -> Option<impl Iterator<Item = Chunk<'_>>> {
    let size = usize::try_from(u32::from_le_bytes(*file.get(4..)?.first_chunk()?)).ok()?;
    let is_webp = file.starts_with(b"RIFF") && file.get(8..12)? == b"WEBP";
    let end = file.len().min(size.saturating_add(CHUNK_HEADER_BYTES));
    is_webp.then(|| walk(file.get(12..end).unwrap_or_default()))
}

fn walk(mut rest: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    std::iter::from_fn(move || {
        let kind: [u8; 4] = *rest.first_chunk()?;
        let size = usize::try_from(u32::from_le_bytes(*rest.get(4..)?.first_chunk()?)).ok()?;
        let body = rest.get(CHUNK_HEADER_BYTES..CHUNK_HEADER_BYTES.checked_add(size)?)?;
        rest = rest
            .get(CHUNK_HEADER_BYTES + size + size % 2..)
            .unwrap_or_default();
        Some((kind, body))
    })
}

/// The pixels of the largest frame, read from the frames themselves: the container may state less,
/// and a decoder notices too late.
pub fn max_frame_pixels(file: &[u8]) -> u64 {
    chunks_of(file)
        .into_iter()
        .flatten()
        .flat_map(|(kind, body)| {
            let inner = match &kind {
                b"ANMF" => body.get(FRAME_HEADER_BYTES..).unwrap_or_default(),
                _ => &[],
            };
            std::iter::once((kind, body)).chain(walk(inner))
        })
        .filter_map(|(kind, body)| frame_size(kind, body))
        .map(|(width, height)| u64::from(width) * u64::from(height))
        .max()
        .unwrap_or(0)
}

/// Maximum decoder memory in bytes a pixel, and whether the image may have transparency.
pub fn decoder_bytes(file: &[u8]) -> (u64, bool) {
    let of_chunk = |(kind, body): Chunk<'_>| match &kind {
        b"ANIM" | b"ANMF" => (14, true),
        b"ALPH" => (12, true),
        b"VP8X" if body.first().is_some_and(|flags| flags & ALPHA != 0) => (12, true),
        b"VP8L" => (8, true),
        _ => (5, false),
    };
    let chunks = chunks_of(file).into_iter().flatten();
    chunks.map(of_chunk).max().unwrap_or((5, false))
}

fn frame_size(kind: [u8; 4], body: &[u8]) -> Option<(u32, u32)> {
    match &kind {
        b"VP8 " => {
            let side = |at: usize| {
                let bytes = body.get(at..)?.first_chunk()?;
                Some(u32::from(u16::from_le_bytes(*bytes) & 0x3fff))
            };
            Some((side(6)?, side(8)?))
        }
        b"VP8L" => {
            let bits = u32::from_le_bytes(*body.get(1..)?.first_chunk()?);
            Some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
        }
        _ => None,
    }
}

/// The same still image without metadata. None if the file is not one.
pub fn strip_metadata(file: &[u8]) -> Option<Vec<u8>> {
    let mut kept = Vec::with_capacity(file.len());
    let mut images = 0;
    for (kind, body) in chunks_of(file)? {
        match &kind {
            b"VP8X" => {
                let mut head = body.to_vec();
                *head.first_mut()? &= ALPHA;
                push(&mut kept, kind, &head)?;
            }
            b"VP8 " | b"VP8L" => {
                images += 1;
                push(&mut kept, kind, body)?;
            }
            b"ALPH" => push(&mut kept, kind, body)?,
            b"ANIM" | b"ANMF" => return None,
            _ => {}
        }
    }
    let size = u32::try_from(kept.len() + 4).ok()?;
    let mut clean = Vec::with_capacity(kept.len() + 12);
    clean.extend_from_slice(b"RIFF");
    clean.extend_from_slice(&size.to_le_bytes());
    clean.extend_from_slice(b"WEBP");
    clean.extend_from_slice(&kept);
    (images == 1).then_some(clean)
}

fn push(file: &mut Vec<u8>, kind: [u8; 4], body: &[u8]) -> Option<()> {
    file.extend_from_slice(&kind);
    file.extend_from_slice(&u32::try_from(body.len()).ok()?.to_le_bytes());
    file.extend_from_slice(body);
    if body.len() % 2 == 1 {
        file.push(0);
    }
    Some(())
}
