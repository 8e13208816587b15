//! The end of an invoice: tax by goods code and rate, totals, the amount in words, and the signature.

use mirasa_domain::invoice::{Invoice, InvoiceKind, Registration};
use mirasa_domain::money::Paise;
use mirasa_domain::tax::{TaxAmounts, TaxRate};

use crate::canvas::{Align, Page, Style, Text, color};
use crate::flow::{CONTENT_WIDTH, Flow, MARGIN, RIGHT};
use crate::fonts::Face;
use crate::letterhead::LABEL;
use crate::path::rounded_rectangle;
use crate::table::{Cell, Column, Table, TableInput};
use crate::tax_columns::{SMALL, TaxColumns};
use crate::words::{amount, amount_in_words, date};

const TOTALS_WIDTH: f32 = 186.0;
const LEFT_WIDTH: f32 = CONTENT_WIDTH - TOTALS_WIDTH - 22.0;
/// More groups than this get a table of their own, over the whole width and several pages.
const MAX_GROUPS_BESIDE_TOTALS: usize = 8;
const GAP: f32 = 14.0;

const WORDS: Style = Style::new(Face::Bold, 8.8, color::INK);
const TOTAL_LABEL: Style = Style::new(Face::Regular, 8.6, color::INK_SOFT);
const TOTAL_VALUE: Style = Style::new(Face::Regular, 8.6, color::INK);
const GRAND_LABEL: Style = Style::new(Face::Display, 13.0, color::CHILLI);
const GRAND_VALUE: Style = Style::new(Face::Bold, 14.5, color::INK);
const CELL: Style = Style::new(Face::Regular, 7.6, color::INK);
const NOTE: Style = Style::new(Face::Regular, 7.6, color::INK_SOFT);

pub struct TaxGroup {
    hsn: String,
    rate: TaxRate,
    amounts: TaxAmounts,
}

/// The lines by goods code and rate. Empty without tax.
pub fn tax_summary(invoice: &Invoice, tax: TaxColumns) -> Vec<TaxGroup> {
    let mut groups: Vec<TaxGroup> = Vec::new();
    if tax == TaxColumns::None {
        return groups;
    }
    for line in &invoice.lines {
        let hsn = invoice.shown_hsn(line);
        let same = |group: &&mut TaxGroup| group.hsn == hsn && group.rate == line.rate;
        match groups.iter_mut().find(same) {
            Some(group) => group.amounts = group.amounts + line.amounts,
            None => groups.push(TaxGroup {
                hsn: hsn.to_owned(),
                rate: line.rate,
                amounts: line.amounts,
            }),
        }
    }
    groups.sort_by(|a, b| (&a.hsn, a.rate).cmp(&(&b.hsn, b.rate)));
    groups
}

fn summary_table(groups: &[TaxGroup], tax: TaxColumns) -> TableInput {
    let right = Column::Narrow(Align::Right);
    let mut columns = vec![
        ("HSN", Column::Flexible),
        ("Rate", right),
        ("Taxable value", right),
    ];
    match tax {
        TaxColumns::Halves { second } => columns.extend([("CGST", right), (second, right)]),
        TaxColumns::Integrated => columns.push(("IGST", right)),
        TaxColumns::None => {}
    }
    columns.push(("Total tax", right));
    let row = |group: &TaxGroup| {
        let amounts = group.amounts;
        let hsn = if group.hsn.is_empty() {
            "–"
        } else {
            &group.hsn
        };
        let taxes = match tax {
            TaxColumns::Halves { .. } => vec![amounts.cgst, amounts.sgst],
            TaxColumns::Integrated => vec![amounts.igst],
            TaxColumns::None => vec![],
        };
        let mut cells = vec![
            Cell::new(hsn, CELL),
            Cell::new(group.rate.to_string(), CELL),
            Cell::new(amount(amounts.taxable), CELL),
        ];
        let taxes = taxes.into_iter().chain([amounts.tax()]);
        cells.extend(taxes.map(|tax| Cell::new(amount(tax), CELL)));
        cells
    };
    TableInput {
        columns: columns
            .into_iter()
            .map(|(header, column)| (header.to_owned(), column))
            .collect(),
        rows: groups.iter().map(row).collect(),
        total: None,
    }
}

/// The table of lines, and below its last row everything else, on one page.
pub fn draw_closing(
    flow: &mut Flow,
    invoice: &Invoice,
    tax: TaxColumns,
    lines: Table,
    groups: Vec<TaxGroup>,
) {
    let is_beside = groups.len() <= MAX_GROUPS_BESIDE_TOTALS;
    let beside = (is_beside && !groups.is_empty())
        .then(|| summary_table(&groups, tax).lay_out(MARGIN, LEFT_WIDTH));
    let closing = Closing::new(invoice, tax, beside);
    if is_beside {
        flow.draw_table(lines, closing.height + GAP);
    } else {
        flow.draw_table(lines, 0.0);
        flow.y += GAP;
        let summary = summary_table(&groups, tax).lay_out(MARGIN, CONTENT_WIDTH);
        flow.draw_table(summary, closing.height + GAP);
    }
    flow.y += GAP;
    let y = flow.y;
    flow.y = closing.draw(flow.page(), y);
}

/// Everything below the tables. It has a height before it is drawn.
struct Closing {
    words: Vec<Text>,
    summary: Option<Table>,
    totals: Vec<(String, String)>,
    grand_total: Paise,
    notes: Vec<Text>,
    signature_for: Vec<Text>,
    height: f32,
}

const WORDS_TOP: f32 = 11.0;
const TOTALS_LINE: f32 = 14.0;
const TOTALS_PADDING: f32 = 10.0;
const GRAND_HEIGHT: f32 = 30.0;
/// The room above the total, for the line below the other amounts.
const GRAND_TOP: f32 = 10.0;
const SIGNATURE_SPACE: f32 = 34.0;

impl Closing {
    fn new(invoice: &Invoice, tax: TaxColumns, summary: Option<Table>) -> Closing {
        let words = WORDS.wrap(&amount_in_words(invoice.total()), LEFT_WIDTH);
        let seller = format!("For {}", invoice.seller.legal_name);
        let mut closing = Closing {
            words,
            summary,
            totals: totals(invoice, tax),
            grand_total: invoice.total(),
            notes: NOTE.wrap(&notes(invoice, tax), LEFT_WIDTH),
            signature_for: WORDS.wrap(&seller, TOTALS_WIDTH),
            height: 0.0,
        };
        closing.height = closing.left_height().max(closing.right_height());
        closing
    }

    fn left_height(&self) -> f32 {
        let summary = self
            .summary
            .as_ref()
            .map_or(0.0, |table| table.height() + GAP);
        WORDS_TOP + height_of(&self.words) + GAP + summary + height_of(&self.notes)
    }

    fn totals_height(&self) -> f32 {
        #[allow(clippy::cast_precision_loss)] // a handful
        let lines = self.totals.len() as f32 * TOTALS_LINE;
        let above = if self.totals.is_empty() {
            GRAND_TOP
        } else {
            0.0
        };
        lines + GRAND_HEIGHT + 2.0 * TOTALS_PADDING - above
    }

    fn right_height(&self) -> f32 {
        let signature = height_of(&self.signature_for) + SIGNATURE_SPACE + 16.0;
        self.totals_height() + GAP + signature
    }

    fn draw(self, page: &mut Page, y: f32) -> f32 {
        let end = y + self.height;
        let totals_height = self.totals_height();
        page.text(MARGIN, y, Align::Left, LABEL.shape("Amount in words"));
        let mut left_y = page.lines(MARGIN, y + WORDS_TOP, Align::Left, self.words) + GAP;
        if let Some(summary) = self.summary {
            left_y = summary.draw(page, left_y) + GAP;
        }
        page.lines(MARGIN, left_y, Align::Left, self.notes);

        let left = RIGHT - TOTALS_WIDTH;
        let frame = rounded_rectangle(left, y, TOTALS_WIDTH, totals_height, 6.0);
        page.fill(frame, color::PAPER);
        let (inner_left, inner_right) = (left + TOTALS_PADDING, RIGHT - TOTALS_PADDING);
        let mut right_y = y + TOTALS_PADDING;
        let has_lines = !self.totals.is_empty();
        for (label, value) in self.totals {
            page.text(inner_left, right_y, Align::Left, TOTAL_LABEL.shape(&label));
            page.text(
                inner_right,
                right_y,
                Align::Right,
                TOTAL_VALUE.shape(&value),
            );
            right_y += TOTALS_LINE;
        }
        let inner = inner_right - inner_left;
        if has_lines {
            page.horizontal_line(inner_left, right_y + 3.0, inner, color::LINE_STRONG, 0.8);
        } else {
            right_y -= GRAND_TOP;
        }
        let label = GRAND_LABEL.shape("Total");
        let label_width = label.width();
        page.text(inner_left, right_y + 10.0, Align::Left, label);
        let text = format!("₹{}", amount(self.grand_total));
        let value = GRAND_VALUE.shape(&text);
        let size =
            (GRAND_VALUE.size * (inner - label_width - 8.0) / value.width()).min(GRAND_VALUE.size);
        let value = Style {
            size,
            ..GRAND_VALUE
        }
        .shape(&text);
        page.text(inner_right, right_y + 23.5 - size, Align::Right, value);

        let signature_top = (y + totals_height + GAP)
            .max(end - SIGNATURE_SPACE - 16.0 - height_of(&self.signature_for));
        let line_y =
            page.lines(left, signature_top, Align::Left, self.signature_for) + SIGNATURE_SPACE;
        page.horizontal_line(left, line_y, TOTALS_WIDTH, color::LINE_STRONG, 0.6);
        page.text(
            left,
            line_y + 4.0,
            Align::Left,
            SMALL.shape("Authorised signatory"),
        );
        end
    }
}

fn height_of(lines: &[Text]) -> f32 {
    lines.iter().map(Text::line_height).sum()
}

fn totals(invoice: &Invoice, tax: TaxColumns) -> Vec<(String, String)> {
    let amounts = invoice.amounts();
    let mut totals = Vec::new();
    let mut add = |label: &str, value: Paise| totals.push((label.to_owned(), amount(value)));
    let discount: Paise = invoice.lines.iter().map(|line| line.discount).sum();
    if discount > Paise::ZERO {
        let gross: Paise = invoice.lines.iter().map(|line| line.gross).sum();
        let label = match tax {
            TaxColumns::None => "Price of goods",
            _ => "Price of goods, incl. tax",
        };
        add(label, gross);
        totals.push(("Discount".to_owned(), format!("−{}", amount(discount))));
    }
    let mut add = |label: &str, value: Paise| totals.push((label.to_owned(), amount(value)));
    match tax {
        TaxColumns::Halves { second } => {
            add("Taxable value", amounts.taxable);
            add("CGST", amounts.cgst);
            add(second, amounts.sgst);
        }
        TaxColumns::Integrated => {
            add("Taxable value", amounts.taxable);
            add("IGST", amounts.igst);
        }
        TaxColumns::None => {}
    }
    totals
}

fn notes(invoice: &Invoice, tax: TaxColumns) -> String {
    let mut notes = Vec::new();
    if let Some(original) = &invoice.refers_to {
        notes.push(format!(
            "This note reduces invoice {} of {} by the amounts above.",
            original.number,
            date(original.issued_at_ms)
        ));
    }
    let is_unregistered = invoice.seller.registration == Registration::Unregistered;
    let amounts = "All amounts are in Indian rupees.";
    notes.push(match (invoice.kind, tax) {
        (InvoiceKind::TaxInvoice, _) => format!("Prices include all taxes. {amounts}"),
        (_, TaxColumns::None) if is_unregistered => {
            format!("The seller is not registered under GST. No tax is charged. {amounts}")
        }
        _ => amounts.to_owned(),
    });
    notes.join("\n")
}
