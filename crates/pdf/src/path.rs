//! Outlines made of lines and curves.

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Segment {
    Move(f32, f32),
    Line(f32, f32),
    /// Two control points and the end.
    Cubic([f32; 6]),
    Close,
    /// Left, top, width, height.
    Rectangle([f32; 4]),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Path {
    pub segments: Vec<Segment>,
}

impl Path {
    pub fn move_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::Move(x, y));
    }

    pub fn line_to(&mut self, x: f32, y: f32) {
        self.segments.push(Segment::Line(x, y));
    }

    pub fn cubic_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.segments.push(Segment::Cubic([x1, y1, x2, y2, x, y]));
    }

    pub fn close(&mut self) {
        self.segments.push(Segment::Close);
    }

    pub fn push_rectangle(&mut self, x: f32, y: f32, width: f32, height: f32) {
        self.segments
            .push(Segment::Rectangle([x, y, width, height]));
    }
}

pub fn rectangle(x: f32, y: f32, width: f32, height: f32) -> Path {
    let mut path = Path::default();
    path.push_rectangle(x, y, width, height);
    path
}

pub fn rounded_rectangle(x: f32, y: f32, width: f32, height: f32, radius: f32) -> Path {
    // The distance of control points that draws nearly a quarter of a circle.
    let k = radius * 0.448;
    let (right, bottom) = (x + width, y + height);
    let mut path = Path::default();
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
    path
}

/// A path in the notation of SVG, with the absolute commands M, L, C and Z, scaled and moved. It ends at the first error; a
/// test reads all that we have.
pub fn svg_path(data: &str, x: f32, y: f32, scale_x: f32, scale_y: f32) -> Path {
    let mut path = Path::default();
    let starts: Vec<usize> = data
        .char_indices()
        .filter(|(_, c)| c.is_ascii_alphabetic())
        .map(|(at, _)| at)
        .collect();
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(data.len());
        let numbers: Vec<f32> = data[start + 1..end]
            .split_whitespace()
            .filter_map(|number| number.parse().ok())
            .enumerate()
            .map(|(at, number): (usize, f32)| {
                if at % 2 == 0 {
                    x + number * scale_x
                } else {
                    y + number * scale_y
                }
            })
            .collect();
        match (&data[*start..=*start], numbers.as_slice()) {
            ("M", [x, y]) => path.move_to(*x, *y),
            ("L", [x, y]) => path.line_to(*x, *y),
            ("C", curves) => {
                for curve in curves.chunks_exact(6) {
                    path.cubic_to(curve[0], curve[1], curve[2], curve[3], curve[4], curve[5]);
                }
            }
            ("Z", []) => path.close(),
            _ => return path,
        }
    }
    path
}
