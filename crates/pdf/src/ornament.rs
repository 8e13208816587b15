//! The marks of the shop: the logo, the row of scallops over a page, the cusped arch around a code, and check boxes.

use crate::canvas::{Page, color};
use crate::path::{Path, rounded_rectangle, svg_path};

const LOGO_BODY: &str = "M58 24C76 24 88 38 86 56C84 78 62 94 36 93C24 92.5 14 88 9 80C22 84 33 80 38 71C43 62 36 52 36 43C36 32 46 24 58 24Z";
const LOGO_DROP: &str =
    "M63 43C70 51 75 57 74 64.5C73 72 67 76.5 60 76C53 75.5 49 70 50 63.5C51 56 58 51 63 43Z";
const LOGO_LEAF: &str = "M40 33C43 22 52 17 61 18C70 18.5 78 23 82 31C76 29 72 32 69 35C66 30 60 30 57 35C53 30 46 29 40 33ZM58 20C57 14 59 8 65 4L70 8C65 11 64 15 65 20Z";
const ARCH: &str = "M50 0 C52 5 56 8 62 9.5 C66 8.5 71 9.5 74 14 C79 13 84 15.5 86 20.5 C91 20.5 95 24 95.5 29 C99 31 100.5 35.5 99 40 C99.5 41 99.8 42 99.8 43.5 L99.8 115 C99.8 118.333 98.2 120 95 120 L5 120 C1.8 120 0.2 118.333 0.2 115 L0.2 43.5 C0.2 42 0.5 41 1 40 C-0.5 35.5 1 31 4.5 29 C5 24 9 20.5 14 20.5 C16 15.5 21 13 26 14 C29 9.5 34 8.5 38 9.5 C44 8 48 5 50 0 Z";

pub fn draw_logo(page: &mut Page, x: f32, y: f32, size: f32) {
    let scale = size / 100.0;
    for (shape, color) in [
        (LOGO_BODY, color::CHILLI),
        (LOGO_DROP, color::TURMERIC),
        (LOGO_LEAF, color::LEAF),
    ] {
        page.fill(svg_path(shape, x, y, scale, scale), color);
    }
}

/// A band with scallops hanging from it, as over the pages of the shop.
pub fn draw_scallops(page: &mut Page, x: f32, y: f32, width: f32) {
    const BAND: f32 = 2.5;
    const COUNT: u16 = 46;
    let scallop = width / f32::from(COUNT);
    let radius = scallop / 2.0;
    let k = radius * 0.552;
    let mut path = Path::default();
    path.move_to(x, y);
    path.line_to(x + width, y);
    path.line_to(x + width, y + BAND);
    for at in (0..COUNT).rev() {
        let left = x + f32::from(at) * scallop;
        let (middle, right, bottom) = (left + radius, left + scallop, y + BAND + radius);
        path.cubic_to(right, y + BAND + k, middle + k, bottom, middle, bottom);
        path.cubic_to(middle - k, bottom, left, y + BAND + k, left, y + BAND);
    }
    path.close();
    page.fill(path, color::CHILLI);
}

pub fn draw_arch(page: &mut Page, x: f32, y: f32, width: f32, height: f32) {
    let arch = svg_path(ARCH, x, y, width / 100.0, height / 120.0);
    page.stroke(arch, color::LINE_STRONG, 0.9);
}

pub fn draw_check_box(page: &mut Page, x: f32, y: f32, size: f32) {
    let square = rounded_rectangle(x, y, size, size, 1.5);
    page.stroke(square, color::INK, 0.9);
}
