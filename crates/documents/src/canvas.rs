//! What is drawn on a page, in points from the top left corner. Pages are laid out first and painted afterwards, because the
//! first page shows the number of pages.

use krilla::Document;
use krilla::action::LinkAction;
use krilla::annotation::{Annotation, LinkAnnotation, Target};
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect, Transform};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};

use crate::fonts::{self, Face, Shaped};

pub const PAGE_WIDTH: f32 = 595.28;
pub const PAGE_HEIGHT: f32 = 841.89;

/// From the top of a line to its baseline, in units of the font size.
pub const BASELINE: f32 = 1.02;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

/// The light theme of the web app (`web/src/ui/tokens.css`), on white paper.
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
        let lines = fonts::wrap(self.face, text, max_width / self.size);
        let text = |shaped| Text {
            style: self,
            shaped,
        };
        lines.into_iter().map(text).collect()
    }
}

/// A line of text in one style.
#[derive(Debug, Clone)]
pub struct Text {
    pub style: Style,
    shaped: Shaped,
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

enum Item {
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
        rect: Rect,
        url: String,
    },
}

#[derive(Default)]
pub struct Page {
    items: Vec<Item>,
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

    pub fn fill(&mut self, path: Option<Path>, color: Color) {
        self.items
            .extend(path.map(|path| Item::Fill { path, color }));
    }

    pub fn stroke(&mut self, path: Option<Path>, color: Color, width: f32) {
        let item = path.map(|path| Item::Stroke { path, color, width });
        self.items.extend(item);
    }

    pub fn horizontal_line(&mut self, x: f32, y: f32, width: f32, color: Color, weight: f32) {
        let mut path = PathBuilder::new();
        path.move_to(x, y);
        path.line_to(x + width, y);
        self.stroke(path.finish(), color, weight);
    }

    pub fn link(&mut self, x: f32, y: f32, width: f32, height: f32, url: &str) {
        let rect = Rect::from_xywh(x, y, width, height);
        self.items.extend(rect.map(|rect| Item::Link {
            rect,
            url: url.to_owned(),
        }));
    }

    pub fn paint(self, document: &mut Document) {
        let Some(settings) = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT) else {
            return;
        };
        let mut page = document.start_page_with(settings);
        let mut links = Vec::new();
        let mut surface = page.surface();
        for item in self.items {
            match item {
                Item::Text { x, baseline, text } => {
                    surface.set_fill(Some(fill(text.style.color)));
                    surface.set_stroke(None);
                    let (size, mut x) = (text.style.size, x);
                    for run in text.shaped.runs {
                        let start = Point::from_xy(x, baseline);
                        let run_size = size * run.scale;
                        surface.draw_glyphs(
                            start,
                            &run.glyphs,
                            run.font,
                            &run.text,
                            run_size,
                            false,
                        );
                        x += run.width * size;
                    }
                }
                Item::Fill { path, color } => {
                    surface.set_fill(Some(fill(color)));
                    surface.set_stroke(None);
                    surface.draw_path(&path);
                }
                Item::Stroke { path, color, width } => {
                    surface.set_fill(None);
                    surface.set_stroke(Some(Stroke {
                        paint: paint(color).into(),
                        width,
                        ..Stroke::default()
                    }));
                    surface.draw_path(&path);
                }
                Item::Link { rect, url } => links.push((rect, url)),
            }
        }
        surface.finish();
        for (rect, url) in links {
            let target = Target::Action(LinkAction::new(url).into());
            let link = LinkAnnotation::new(rect, target);
            page.add_annotation(Annotation::new_link(link, None));
        }
        page.finish();
    }
}

fn paint(color: Color) -> rgb::Color {
    rgb::Color::new(color.0, color.1, color.2)
}

fn fill(color: Color) -> Fill {
    Fill {
        paint: paint(color).into(),
        ..Fill::default()
    }
}

pub fn rectangle(x: f32, y: f32, width: f32, height: f32) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.push_rect(Rect::from_xywh(x, y, width, height)?);
    path.finish()
}

pub fn rounded_rectangle(x: f32, y: f32, width: f32, height: f32, radius: f32) -> Option<Path> {
    // The distance of control points that draws nearly a quarter of a circle.
    let k = radius * 0.448;
    let (right, bottom) = (x + width, y + height);
    let mut path = PathBuilder::new();
    path.move_to(x + radius, y);
    path.line_to(right - radius, y);
    path.cubic_to(right - k, y, right, y + k, right, y + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(right, bottom - k, right - k, bottom, right - radius, bottom);
    path.line_to(x + radius, bottom);
    path.cubic_to(x + k, bottom, x, bottom - k, x, bottom - radius);
    path.line_to(x, y + radius);
    path.cubic_to(x, y + k, x + k, y, x + radius, y);
    path.close();
    path.finish()
}

/// A path in the notation of SVG, with the absolute commands M, L, C, Q and Z, scaled and moved.
pub fn svg_path(data: &str, x: f32, y: f32, scale_x: f32, scale_y: f32) -> Option<Path> {
    let mut path = PathBuilder::new();
    let spaced: String = data.chars().fold(String::new(), |mut text, c| {
        if c.is_ascii_alphabetic() {
            text.extend([' ', c, ' ']);
        } else {
            text.push(c);
        }
        text
    });
    let mut tokens = spaced.split_whitespace().peekable();
    let mut command = "M";
    while let Some(token) = tokens.peek() {
        if token.starts_with(|c: char| c.is_ascii_alphabetic()) {
            command = token;
            tokens.next();
            if command == "Z" {
                path.close();
                continue;
            }
        }
        let mut number = || tokens.next()?.parse::<f32>().ok();
        match command {
            "M" => path.move_to(number()?, number()?),
            "L" => path.line_to(number()?, number()?),
            "Q" => path.quad_to(number()?, number()?, number()?, number()?),
            "C" => path.cubic_to(
                number()?,
                number()?,
                number()?,
                number()?,
                number()?,
                number()?,
            ),
            _ => return None,
        }
    }
    let place = Transform::from_row(scale_x, 0.0, 0.0, scale_y, x, y);
    path.finish()?.transform(place)
}
