//! Pages in a row: the place where the next part goes, and the parts that all pages have.

use crate::canvas::{Align, PAGE_HEIGHT, PAGE_WIDTH, Page, Style, color};
use crate::fonts::Face;
use crate::table::Table;

pub const MARGIN: f32 = 40.0;
pub const CONTENT_WIDTH: f32 = PAGE_WIDTH - 2.0 * MARGIN;
pub const RIGHT: f32 = PAGE_WIDTH - MARGIN;
const TOP: f32 = 34.0;
const FOOTER_TOP: f32 = PAGE_HEIGHT - 42.0;
const BOTTOM: f32 = FOOTER_TOP - 10.0;

const CONTINUED: Style = Style::new(Face::Bold, 8.5, color::INK_SOFT);
const FOOTER: Style = Style::new(Face::Regular, 7.2, color::INK_FAINT);

/// The pages of one document.
pub struct Flow {
    pages: Vec<Page>,
    page: Page,
    pub y: f32,
    /// At the top of every page but the first.
    running_title: String,
    footer: String,
}

impl Flow {
    pub fn new(running_title: String, footer: String) -> Flow {
        Flow {
            pages: Vec::new(),
            page: Page::default(),
            y: TOP,
            running_title,
            footer,
        }
    }

    pub fn page(&mut self) -> &mut Page {
        &mut self.page
    }

    fn room(&self) -> f32 {
        BOTTOM - self.y
    }

    fn start_page(&mut self) {
        self.pages.push(std::mem::take(&mut self.page));
        let title = CONTINUED.shape(&self.running_title);
        self.page.text(MARGIN, TOP, Align::Left, title);
        let continued = FOOTER.shape("continued");
        self.page.text(RIGHT, TOP + 1.0, Align::Right, continued);
        self.y = TOP + 18.0;
    }

    /// Continues on a new page if less than this height is left.
    pub fn ensure(&mut self, height: f32) {
        if self.room() < height {
            self.start_page();
        }
    }

    /// Draws the table over as many pages as it needs. `reserve` is the height of what must be on the page of the last row.
    pub fn draw_table(&mut self, mut table: Table, reserve: f32) {
        let total = table.total.take();
        let total_height = total.as_ref().map_or(0.0, |row| row.height);
        let rows = std::mem::take(&mut table.rows);
        let count = rows.len();
        let mut first_height = rows.first().map_or(total_height, |row| row.height);
        if count == 1 {
            first_height += total_height + reserve;
        }
        self.ensure(table.header_height() + first_height);
        self.y = table.draw_header(&mut self.page, self.y);
        for (at, row) in rows.into_iter().enumerate() {
            let is_last = at + 1 == count;
            let needed = if is_last {
                row.height + total_height + reserve
            } else {
                row.height
            };
            if self.room() < needed {
                self.start_page();
                self.y = table.draw_header(&mut self.page, self.y);
            }
            self.y = table.draw_row(&mut self.page, self.y, row);
        }
        if let Some(total) = total {
            self.y = table.draw_total(&mut self.page, self.y, total);
        }
    }

    /// The finished pages, with their numbers.
    pub fn finish(mut self) -> Vec<Page> {
        self.pages.push(self.page);
        let count = self.pages.len();
        for (at, page) in self.pages.iter_mut().enumerate() {
            page.horizontal_line(MARGIN, FOOTER_TOP, CONTENT_WIDTH, color::LINE, 0.6);
            let number = FOOTER.shape(&format!("Page {} of {count}", at + 1));
            let room = CONTENT_WIDTH - number.width() - 20.0;
            page.text(RIGHT, FOOTER_TOP + 6.0, Align::Right, number);
            let lines = FOOTER.wrap(&self.footer, room);
            let lines = lines.into_iter().take(2).collect();
            page.lines(MARGIN, FOOTER_TOP + 6.0, Align::Left, lines);
        }
        self.pages
    }
}
