//! Tables that continue on the next page with their header. Columns are as wide as their contents; one takes the rest.

use crate::canvas::{Align, BASELINE, Page, Style, Text, color};
use crate::fonts::Face;
use crate::ornament::draw_check_box;
use crate::path::rectangle;

const CELL_PADDING: f32 = 5.0;
const ROW_PADDING: f32 = 4.5;
const HEADER_PADDING: f32 = 4.5;
const CHECK_BOX_SIZE: f32 = 11.0;
/// What a long name needs to stay readable, even if the other columns are wide.
const MIN_FLEXIBLE_WIDTH: f32 = 70.0;

const HEADER: Style = Style::new(Face::Bold, 7.2, color::INK_SOFT);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    Narrow(Align),
    /// Takes the remaining width and wraps. One in a table.
    Flexible,
}

impl Column {
    fn align(self) -> Align {
        match self {
            Column::Narrow(align) => align,
            Column::Flexible => Align::Left,
        }
    }
}

/// How the cells of a row are placed beside each other.
#[derive(Clone, Copy)]
enum Vertical {
    Baseline,
    Bottom,
}

#[derive(Debug, Clone)]
pub enum Cell {
    /// Lines below each other, each in its own style.
    Lines(Vec<(String, Style)>),
    CheckBox,
}

impl Cell {
    pub fn new(text: impl Into<String>, style: Style) -> Cell {
        Cell::Lines(vec![(text.into(), style)])
    }

    pub fn empty() -> Cell {
        Cell::Lines(Vec::new())
    }

    /// With a second line.
    pub fn with(self, text: impl Into<String>, style: Style) -> Cell {
        match self {
            Cell::Lines(mut lines) => {
                lines.push((text.into(), style));
                Cell::Lines(lines)
            }
            Cell::CheckBox => Cell::CheckBox,
        }
    }

    /// The width without wrapping.
    fn width(&self) -> f32 {
        match self {
            Cell::Lines(lines) => {
                let widths = lines.iter().map(|(text, style)| style.shape(text).width());
                widths.fold(0.0, f32::max)
            }
            Cell::CheckBox => CHECK_BOX_SIZE,
        }
    }
}

#[derive(Clone)]
enum LaidCell {
    Lines(Vec<Text>),
    CheckBox,
}

impl LaidCell {
    fn height(&self) -> f32 {
        match self {
            LaidCell::Lines(lines) => lines.iter().map(Text::line_height).sum(),
            LaidCell::CheckBox => CHECK_BOX_SIZE,
        }
    }

    /// The size of the first line: the first lines of all cells are on one baseline.
    fn first_size(&self) -> f32 {
        match self {
            LaidCell::Lines(lines) => lines.first().map_or(0.0, |line| line.style.size),
            LaidCell::CheckBox => 0.0,
        }
    }
}

#[derive(Clone)]
pub struct Row {
    cells: Vec<LaidCell>,
    pub height: f32,
}

pub struct Table {
    x: f32,
    width: f32,
    columns: Vec<Column>,
    widths: Vec<f32>,
    header: Row,
    pub rows: Vec<Row>,
    pub total: Option<Row>,
}

/// The contents of a table before its columns have widths.
pub struct TableInput {
    /// A header may have two lines, separated by a line feed.
    pub columns: Vec<(String, Column)>,
    pub rows: Vec<Vec<Cell>>,
    pub total: Option<Vec<Cell>>,
}

impl TableInput {
    pub fn lay_out(self, x: f32, width: f32) -> Table {
        let header: Vec<Cell> = self
            .columns
            .iter()
            .map(|(text, _)| Cell::Lines(text.lines().map(|line| (line.into(), HEADER)).collect()))
            .collect();
        let columns: Vec<Column> = self.columns.iter().map(|(_, column)| *column).collect();
        let mut widths = vec![0.0_f32; columns.len()];
        let all_rows = self.rows.iter().chain(&self.total);
        for row in all_rows.chain([&header]) {
            for ((cell, column), width) in row.iter().zip(&columns).zip(&mut widths) {
                if *column != Column::Flexible {
                    *width = width.max(cell.width() + 2.0 * CELL_PADDING);
                }
            }
        }
        let narrow: f32 = widths.iter().sum();
        let rest = (width - narrow).max(MIN_FLEXIBLE_WIDTH);
        // Amounts of crores in every column do not fit: then all columns shrink, and their cells wrap.
        let shrink = ((width - rest) / narrow).min(1.0);
        for (column, width) in columns.iter().zip(&mut widths) {
            *width = if *column == Column::Flexible {
                rest
            } else {
                *width * shrink
            };
        }
        let lay_out_row = |cells: Vec<Cell>, padding: f32| {
            let cells: Vec<LaidCell> = cells
                .into_iter()
                .zip(&widths)
                .map(|(cell, width)| match cell {
                    Cell::CheckBox => LaidCell::CheckBox,
                    Cell::Lines(lines) => {
                        // A little more than measured, against rounding.
                        let room = width - 2.0 * CELL_PADDING + 0.1;
                        let wrap = |(text, style): (String, Style)| style.wrap(&text, room);
                        LaidCell::Lines(lines.into_iter().flat_map(wrap).collect())
                    }
                })
                .collect();
            let largest = cells.iter().map(LaidCell::first_size).fold(0.0, f32::max);
            let heights = cells
                .iter()
                .map(|cell| cell.height() + baseline_offset(largest, cell));
            let tallest = heights.fold(0.0, f32::max);
            Row {
                cells,
                height: tallest + 2.0 * padding,
            }
        };
        Table {
            x,
            width,
            header: lay_out_row(header, HEADER_PADDING),
            rows: self
                .rows
                .into_iter()
                .map(|cells| lay_out_row(cells, ROW_PADDING))
                .collect(),
            total: self.total.map(|cells| lay_out_row(cells, ROW_PADDING)),
            columns,
            widths,
        }
    }
}

impl Table {
    pub fn header_height(&self) -> f32 {
        self.header.height
    }

    /// The height of everything on one page.
    pub fn height(&self) -> f32 {
        let rows = self.rows.iter().chain(&self.total);
        self.header.height + rows.map(|row| row.height).sum::<f32>()
    }

    pub fn draw_header(&self, page: &mut Page, y: f32) -> f32 {
        page.fill(
            rectangle(self.x, y, self.width, self.header.height),
            color::PAPER,
        );
        page.horizontal_line(
            self.x,
            y + self.header.height,
            self.width,
            color::LINE_STRONG,
            0.8,
        );
        self.draw_cells(
            page,
            y,
            self.header.clone(),
            HEADER_PADDING,
            Vertical::Bottom,
        )
    }

    /// The next row, with a thin line below it.
    pub fn draw_row(&self, page: &mut Page, y: f32, row: Row) -> f32 {
        let end = self.draw_cells(page, y, row, ROW_PADDING, Vertical::Baseline);
        page.horizontal_line(self.x, end, self.width, color::LINE, 0.5);
        end
    }

    pub fn draw_total(&self, page: &mut Page, y: f32, row: Row) -> f32 {
        page.horizontal_line(self.x, y, self.width, color::LINE_STRONG, 0.8);
        self.draw_cells(page, y, row, ROW_PADDING, Vertical::Baseline)
    }

    /// All of it on one page.
    pub fn draw(mut self, page: &mut Page, y: f32) -> f32 {
        let mut y = self.draw_header(page, y);
        for row in std::mem::take(&mut self.rows) {
            y = self.draw_row(page, y, row);
        }
        if let Some(total) = self.total.take() {
            y = self.draw_total(page, y, total);
        }
        y
    }

    fn draw_cells(
        &self,
        page: &mut Page,
        y: f32,
        row: Row,
        padding: f32,
        vertical: Vertical,
    ) -> f32 {
        let mut left = self.x;
        let sizes = row.cells.iter().map(LaidCell::first_size);
        let largest = sizes.fold(0.0, f32::max);
        for ((cell, column), width) in row.cells.into_iter().zip(&self.columns).zip(&self.widths) {
            let align = column.align();
            let offset = match vertical {
                Vertical::Baseline => baseline_offset(largest, &cell),
                Vertical::Bottom => row.height - 2.0 * padding - cell.height(),
            };
            match cell {
                LaidCell::CheckBox => {
                    let top = y + (row.height - CHECK_BOX_SIZE) / 2.0;
                    draw_check_box(page, left + CELL_PADDING, top, CHECK_BOX_SIZE);
                }
                LaidCell::Lines(lines) => {
                    let x = match align {
                        Align::Left => left + CELL_PADDING,
                        Align::Center => left + width / 2.0,
                        Align::Right => left + width - CELL_PADDING,
                    };
                    page.lines(x, y + padding + offset, align, lines);
                }
            }
            left += width;
        }
        y + row.height
    }
}

fn baseline_offset(largest: f32, cell: &LaidCell) -> f32 {
    match cell {
        LaidCell::Lines(lines) if !lines.is_empty() => (largest - cell.first_size()) * BASELINE,
        _ => 0.0,
    }
}
