//! The top of a document's first page: the shop, the title, and facts in a tinted strip.

use crate::canvas::{Align, Style, color};
use crate::flow::{CONTENT_WIDTH, Flow, MARGIN, RIGHT};
use crate::fonts::Face;
use crate::ornament::{draw_logo, draw_scallops};
use crate::path::rounded_rectangle;

const SHOP: Style = Style::new(Face::Display, 23.0, color::INK);
const TITLE: Style = Style::new(Face::Display, 21.0, color::CHILLI);
const SUBTITLE: Style = Style::new(Face::Regular, 7.6, color::INK_FAINT);
pub const LABEL: Style = Style::new(Face::Bold, 7.0, color::INK_FAINT);
const VALUE: Style = Style::new(Face::Bold, 9.0, color::INK);

const LOGO_SIZE: f32 = 31.0;

pub fn draw_letterhead(flow: &mut Flow, shop_name: &str, title: &str, subtitle: &str) {
    let y = flow.y;
    let page = flow.page();
    draw_scallops(page, MARGIN, y - 4.0, CONTENT_WIDTH);
    let top = y + 16.0;
    draw_logo(page, MARGIN - 2.0, top - 1.0, LOGO_SIZE);
    let title = TITLE.shape(title);
    let name_left = MARGIN + LOGO_SIZE + 5.0;
    let room = CONTENT_WIDTH - LOGO_SIZE - title.width() - 30.0;
    // A long name of a shop gets smaller, not broken.
    let name = SHOP.shape(shop_name);
    let size = (SHOP.size * room / name.width()).min(SHOP.size);
    let name = Style { size, ..SHOP }.shape(shop_name);
    page.text(name_left, top + 27.0 - size, Align::Left, name);
    page.text(RIGHT, top, Align::Right, title);
    page.text(RIGHT, top + 26.0, Align::Right, SUBTITLE.shape(subtitle));
    flow.y = top + 44.0;
}

/// Labels with values side by side. The numbers are the shares of the width.
pub fn draw_facts(flow: &mut Flow, facts: &[(&str, String, f32)]) {
    const PADDING: f32 = 8.0;
    let shares: f32 = facts.iter().map(|(_, _, share)| share).sum();
    let cells: Vec<_> = facts
        .iter()
        .map(|(label, value, share)| {
            let width = CONTENT_WIDTH * share / shares;
            (width, *label, VALUE.wrap(value, width - PADDING))
        })
        .collect();
    let lines = cells.iter().map(|(_, _, lines)| lines.len()).max();
    let line_height = VALUE.shape("").line_height();
    #[allow(clippy::cast_precision_loss)]
    let height = 11.0 + lines.unwrap_or(1) as f32 * line_height + 2.0 * PADDING - 3.0;
    let y = flow.y;
    let page = flow.page();
    let strip = rounded_rectangle(MARGIN, y, CONTENT_WIDTH, height, 5.0);
    page.fill(strip, color::PAPER);
    let mut left = MARGIN + PADDING;
    for (width, label, lines) in cells {
        page.text(left, y + PADDING - 1.0, Align::Left, LABEL.shape(label));
        page.lines(left, y + PADDING + 10.0, Align::Left, lines);
        left += width;
    }
    flow.y = y + height;
}
