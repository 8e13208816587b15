//! What is drawn on a page, in points from the top left corner. Pages are laid out first and painted afterwards, because the
//! first page shows the number of pages.

use crate::fonts::{self, Face, Shaped};
use crate::path::Path;
use crate::wrap::wrap;

pub const PAGE_WIDTH: f32 = 595.28;
pub const PAGE_HEIGHT: f32 = 841.89;

/// From the top of a line to its baseline, in units of the font size.
pub const BASELINE: f32 = 1.02;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

/// The light theme of the web app (`web/src/ui/styles/tokens.css`), on white paper.
pub mod color {
    use super::Color;

    pub const INK: Color = Color(0x2a, 0x16, 0x10);
    pub const INK_SOFT: Color = Color(0x62, 0x44, 0x3a);
    pub const INK_FAINT: Color = Color(0x7b, 0x5b, 0x4a);
    pub const LINE: Color = Color(0xe6, 0xd5, 0xb6);
    pub const LINE_STRONG: Color = Color(0xb3, 0x93, 0x6a);
    pub const PAPER: Color = Color(0xfb, 0xf3, 0xe4);
    pub const CHILLI: Color = Color(0xa8, 0x1f, 0x17);
    pub const TURMERIC: Color = Color(0xec, 0xa5, 0x23);
    pub const LEAF: Color = Color(0x4f, 0x7a, 0x3a);
    pub const BLACK: Color = Color(0, 0, 0);
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    pub face: Face,
    pub size: f32,
    pub color: Color,
}

impl Style {
    pub const fn new(face: Face, size: f32, color: Color) -> Style {
        Style { face, size, color }
    }

    pub fn shape(self, text: &str) -> Text {
        Text {
            style: self,
            shaped: fonts::shape(self.face, text),
        }
    }

    pub fn wrap(self, text: &str, max_width: f32) -> Vec<Text> {
        let lines = wrap(self.face, text, max_width / self.size);
        let text = |shaped| Text {
            style: self,
            shaped,
        };
        lines.into_iter().map(text).collect()
    }
}

/// A line of text in one style.
#[derive(Clone)]
pub struct Text {
    pub style: Style,
    pub shaped: Shaped,
}

impl Text {
    pub fn width(&self) -> f32 {
        self.shaped.width * self.style.size
    }

    pub fn line_height(&self) -> f32 {
        self.style.size * 1.36
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Center,
    Right,
}

pub enum Item {
    Text {
        x: f32,
        baseline: f32,
        text: Text,
    },
    Fill {
        path: Path,
        color: Color,
    },
    Stroke {
        path: Path,
        color: Color,
        width: f32,
    },
    Link {
        /// Left, top, width, height.
        area: [f32; 4],
        url: String,
    },
}

#[derive(Default)]
pub struct Page {
    pub items: Vec<Item>,
}

impl Page {
    /// One line inside a box that begins at `top`. `x` is the left edge, the centre or the right edge.
    pub fn text(&mut self, x: f32, top: f32, align: Align, text: Text) {
        let left = match align {
            Align::Left => x,
            Align::Center => x - text.width() / 2.0,
            Align::Right => x - text.width(),
        };
        let baseline = top + text.style.size * BASELINE;
        let item = Item::Text {
            x: left,
            baseline,
            text,
        };
        self.items.push(item);
    }

    /// Lines below each other. Returns the end of the last one.
    pub fn lines(&mut self, x: f32, mut top: f32, align: Align, lines: Vec<Text>) -> f32 {
        for line in lines {
            let height = line.line_height();
            self.text(x, top, align, line);
            top += height;
        }
        top
    }

    pub fn fill(&mut self, path: Path, color: Color) {
        self.items.push(Item::Fill { path, color });
    }

    pub fn stroke(&mut self, path: Path, color: Color, width: f32) {
        self.items.push(Item::Stroke { path, color, width });
    }

    pub fn horizontal_line(&mut self, x: f32, y: f32, width: f32, color: Color, weight: f32) {
        let mut path = Path::default();
        path.move_to(x, y);
        path.line_to(x + width, y);
        self.stroke(path, color, weight);
    }

    pub fn link(&mut self, x: f32, y: f32, width: f32, height: f32, url: &str) {
        self.items.push(Item::Link {
            area: [x, y, width, height],
            url: url.to_owned(),
        });
    }
}
