//! QR codes and Code 128 barcodes.

use barcoders::sym::code128::Code128;
use qrcodegen::{QrCode, QrCodeEcc};

use crate::canvas::{Page, color};
use crate::path::Path;

/// A QR code in a square without the margin of 4 modules, which the caller leaves. A URL of more than 2300 bytes does not
/// fit and is left out.
pub fn draw_qr_code(page: &mut Page, x: f32, y: f32, size: f32, text: &str) {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else {
        return;
    };
    #[allow(clippy::cast_precision_loss)] // at most 177
    let module = size / code.size() as f32;
    let mut path = Path::default();
    for row in 0..code.size() {
        let is_dark: Vec<bool> = (0..code.size())
            .map(|column| code.get_module(column, row))
            .collect();
        #[allow(clippy::cast_precision_loss)]
        let top = y + row as f32 * module;
        push_bars(&mut path, &is_dark, x, top, module, module);
    }
    page.fill(path, color::BLACK);
}

/// The bars of a text of letters, digits and ASCII signs, to the left of `right`. Returns their width: 0 for other texts.
pub fn draw_code_128(
    page: &mut Page,
    right: f32,
    y: f32,
    module: f32,
    height: f32,
    text: &str,
) -> f32 {
    // The first character selects the set with capitals, small letters and digits.
    let Ok(code) = Code128::new(format!("\u{181}{text}")) else {
        return 0.0;
    };
    let is_dark: Vec<bool> = code.encode().into_iter().map(|bit| bit == 1).collect();
    #[allow(clippy::cast_precision_loss)]
    let width = is_dark.len() as f32 * module;
    let mut path = Path::default();
    push_bars(&mut path, &is_dark, right - width, y, module, height);
    page.fill(path, color::BLACK);
    width
}

/// Neighbouring dark modules become one rectangle, so that no fine line shows between them.
fn push_bars(path: &mut Path, is_dark: &[bool], x: f32, y: f32, module: f32, height: f32) {
    let mut at = 0;
    while at < is_dark.len() {
        let length = is_dark[at..].iter().take_while(|dark| **dark).count();
        if length > 0 {
            #[allow(clippy::cast_precision_loss)]
            let (left, width) = (x + at as f32 * module, length as f32 * module);
            path.push_rectangle(left, y, width, height);
        }
        at += length.max(1);
    }
}
