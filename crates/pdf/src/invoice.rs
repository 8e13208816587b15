//! Tax invoices, bills of supply and credit notes.

use mirasa_domain::invoice::{Invoice, InvoiceKind, InvoiceLine, Registration};
use mirasa_domain::money::Paise;
use mirasa_domain::order::short_id;
use mirasa_domain::tax::{State, TaxRate};

use crate::OrderDetails;
use crate::canvas::{Align, Page, Style, Text, color};
use crate::codes::draw_qr_code;
use crate::flow::{CONTENT_WIDTH, Flow, MARGIN, RIGHT};
use crate::fonts::Face;
use crate::letterhead::{LABEL, draw_facts, draw_letterhead};
use crate::ornament::draw_arch;
use crate::summary::{draw_closing, tax_summary};
use crate::table::{Cell, Column, TableInput};
use crate::tax_columns::{SMALL, TaxColumns};
use crate::words::{amount, date, phone};

pub const NORMAL: Style = Style::new(Face::Regular, 8.4, color::INK);
pub const STRONG: Style = Style::new(Face::Bold, 8.4, color::INK);
const PARTY_NAME: Style = Style::new(Face::Bold, 10.0, color::INK);
const PARTY: Style = Style::new(Face::Regular, 8.6, color::INK_SOFT);
const REGISTRATION: Style = Style::new(Face::Bold, 8.0, color::INK);

const ARCH_WIDTH: f32 = 84.0;
const ARCH_HEIGHT: f32 = 106.0;
const QR_SIZE: f32 = 58.0;

pub fn half_of(rate: TaxRate) -> String {
    let points = rate.basis_points();
    if points.is_multiple_of(2) {
        return TaxRate::from_basis_points(points / 2).to_string();
    }
    // A quarter per cent has halves with three decimals.
    let thousandths = points * 5;
    format!("{}.{:03}%", thousandths / 1_000, thousandths % 1_000)
}

pub fn lay_out(invoice: &Invoice, order: &OrderDetails) -> Vec<Page> {
    let seller = &invoice.seller;
    let title = invoice.kind.title();
    let running_title = format!("{} · {title} {}", seller.shop_name, invoice.number);
    let mut flow = Flow::new(running_title, footer(invoice));
    let subtitle = match invoice.kind {
        InvoiceKind::CreditNote => "",
        // The rules require these words at the top of the bill.
        InvoiceKind::BillOfSupply if seller.registration == Registration::Composition => {
            "Composition taxable person, not eligible to collect tax on supplies"
        }
        _ => "Original for recipient",
    };
    draw_letterhead(&mut flow, &seller.shop_name, title, subtitle);
    draw_facts(&mut flow, &facts(invoice, order));
    flow.y += 14.0;
    draw_parties(&mut flow, invoice, order);
    flow.y += 14.0;
    if !order.reason.is_empty() {
        draw_reason(&mut flow, order.reason);
        flow.y += 14.0;
    }
    let columns = TaxColumns::of(invoice);
    let lines = line_table(invoice, columns).lay_out(MARGIN, CONTENT_WIDTH);
    let summary = tax_summary(invoice, columns);
    draw_closing(&mut flow, invoice, columns, lines, summary);
    flow.finish()
}

fn footer(invoice: &Invoice) -> String {
    let seller = &invoice.seller;
    let mut parts = vec![seller.legal_name.clone()];
    if !seller.fssai.is_empty() {
        parts.push(format!("FSSAI Lic. No. {}", seller.fssai));
    }
    let contacts = [&seller.phone, &seller.email];
    parts.extend(contacts.into_iter().filter(|one| !one.is_empty()).cloned());
    parts.join("  ·  ")
}

fn facts(invoice: &Invoice, order: &OrderDetails) -> Vec<(&'static str, String, f32)> {
    let number = match invoice.kind {
        InvoiceKind::TaxInvoice => "Invoice no.",
        InvoiceKind::BillOfSupply => "Bill no.",
        InvoiceKind::CreditNote => "Credit note no.",
    };
    let mut facts = vec![
        (number, invoice.number.clone(), 98.0),
        ("Date", date(invoice.issued_at_ms), 66.0),
    ];
    if let Some(original) = &invoice.refers_to {
        let text = format!("{}\n{}", original.number, date(original.issued_at_ms));
        facts.push(("Against invoice", text, 98.0));
        facts.push(("Order", short_id(&invoice.order_id), 66.0));
    } else {
        facts.push(("Order", short_id(&invoice.order_id), 66.0));
        facts.push(("Ordered on", date(order.placed_at_ms), 66.0));
    }
    facts.push(("Place of supply", invoice.place_of_supply.label(), 116.0));
    facts.push(("Reverse charge", "No".to_owned(), 62.0));
    facts
}

/// The seller, the buyer, and a code that opens the order.
fn draw_parties(flow: &mut Flow, invoice: &Invoice, order: &OrderDetails) {
    let width = (CONTENT_WIDTH - ARCH_WIDTH) / 2.0 - 18.0;
    let top = flow.y;
    let page = flow.page();
    let buyer_left = MARGIN + width + 18.0;
    page.text(MARGIN, top, Align::Left, LABEL.shape("Sold by"));
    let seller_end = page.lines(
        MARGIN,
        top + 12.0,
        Align::Left,
        seller_lines(invoice, width),
    );
    let to = match invoice.kind {
        InvoiceKind::CreditNote => "Issued to",
        _ => "Billed and delivered to",
    };
    page.text(buyer_left, top, Align::Left, LABEL.shape(to));
    let buyer_end = page.lines(
        buyer_left,
        top + 12.0,
        Align::Left,
        buyer_lines(invoice, width),
    );
    let mut arch_end = top;
    if !order.url.is_empty() {
        let left = RIGHT - ARCH_WIDTH;
        draw_arch(page, left, top, ARCH_WIDTH, ARCH_HEIGHT);
        let qr_top = top + 27.0;
        let qr_left = left + (ARCH_WIDTH - QR_SIZE) / 2.0;
        draw_qr_code(page, qr_left, qr_top, QR_SIZE, order.url);
        let caption =
            Style::new(Face::Regular, 6.6, color::INK_SOFT).shape("Scan to open the order");
        page.text(
            left + ARCH_WIDTH / 2.0,
            qr_top + QR_SIZE + 5.0,
            Align::Center,
            caption,
        );
        page.link(left, top, ARCH_WIDTH, ARCH_HEIGHT, order.url);
        arch_end = top + ARCH_HEIGHT;
    }
    flow.y = seller_end.max(buyer_end).max(arch_end);
}

fn draw_reason(flow: &mut Flow, reason: &str) {
    let top = flow.y;
    let page = flow.page();
    page.text(MARGIN, top, Align::Left, LABEL.shape("Reason"));
    let lines = PARTY.wrap(reason, CONTENT_WIDTH);
    flow.y = page.lines(MARGIN, top + 12.0, Align::Left, lines);
}

fn seller_lines(invoice: &Invoice, width: f32) -> Vec<Text> {
    let seller = &invoice.seller;
    let mut lines = PARTY_NAME.wrap(&seller.legal_name, width);
    lines.extend(PARTY.wrap(&seller.address, width));
    if let Some(state) = State::from_code(seller.state_code) {
        let text = format!("State: {} (code {:02})", state.name(), state.code());
        lines.extend(PARTY.wrap(&text, width));
    }
    if !seller.gstin.is_empty() {
        lines.extend(REGISTRATION.wrap(&format!("GSTIN {}", seller.gstin), width));
    }
    if !seller.fssai.is_empty() {
        let text = format!("FSSAI Lic. No. {}", seller.fssai);
        lines.extend(REGISTRATION.wrap(&text, width));
    }
    lines
}

fn buyer_lines(invoice: &Invoice, width: f32) -> Vec<Text> {
    let buyer = &invoice.buyer;
    let mut lines = PARTY_NAME.wrap(&buyer.name, width);
    for text in [&buyer.line1, &buyer.line2] {
        lines.extend(PARTY.wrap(text, width));
    }
    lines.extend(PARTY.wrap(&format!("{} {}", buyer.city, buyer.pincode), width));
    let place = invoice.place_of_supply;
    let state = if State::from_name(&buyer.state) == Some(place) {
        format!("State: {} (code {:02})", place.name(), place.code())
    } else {
        format!("State: {}", buyer.state)
    };
    lines.extend(PARTY.wrap(&state, width));
    lines.extend(PARTY.wrap(&phone(&buyer.phone), width));
    lines
}

/// A credit note is about amounts and not about prices, and may be for no packs at all.
fn line_table(invoice: &Invoice, tax: TaxColumns) -> TableInput {
    let lines = &invoice.lines;
    let is_note = invoice.kind == InvoiceKind::CreditNote;
    let has_hsn = lines.iter().any(|line| !line.hsn.is_empty());
    let has_discount = lines.iter().any(|line| line.discount > Paise::ZERO);
    // One rate for all lines is in the header; otherwise each line has its own.
    let rate = lines.first().map(|line| line.rate);
    let rate = rate.filter(|rate| lines.iter().all(|line| line.rate == *rate));
    let amounts = invoice.amounts();
    let right = Column::Narrow(Align::Right);

    let mut columns = vec![
        ("#".to_owned(), right),
        ("Description of goods".to_owned(), Column::Flexible),
    ];
    let mut sums = vec![Cell::empty(), Cell::new("Total", STRONG)];
    let mut add = |header: &str, column: Column, sum: Option<String>| {
        columns.push((header.to_owned(), column));
        sums.push(sum.map_or_else(Cell::empty, |sum| Cell::new(sum, STRONG)));
    };
    if has_hsn {
        add("HSN", Column::Narrow(Align::Left), None);
    }
    let packs: u64 = lines.iter().map(|line| u64::from(line.quantity)).sum();
    let packs = (packs > 0).then(|| packs.to_string());
    add("Quantity\nPAC", right, packs);
    if !is_note {
        let header = match tax {
            TaxColumns::None => "Price",
            _ => "Price\nincl. tax",
        };
        add(header, right, None);
    }
    if has_discount {
        let discount = lines.iter().map(|line| line.discount).sum();
        add("Discount", right, Some(amount(discount)));
    }
    if tax != TaxColumns::None {
        add("Taxable\nvalue", right, Some(amount(amounts.taxable)));
    }
    let with_rate = |name: &str, rate: Option<String>| match rate {
        Some(rate) => format!("{name}\n{rate}"),
        None => name.to_owned(),
    };
    match tax {
        TaxColumns::Halves { second } => {
            let half = rate.map(half_of);
            let cgst = with_rate("CGST", half.clone());
            add(&cgst, right, Some(amount(amounts.cgst)));
            add(&with_rate(second, half), right, Some(amount(amounts.sgst)));
        }
        TaxColumns::Integrated => {
            let header = with_rate("IGST", rate.map(|rate| rate.to_string()));
            add(&header, right, Some(amount(amounts.igst)));
        }
        TaxColumns::None => {}
    }
    let header = match tax {
        TaxColumns::None => "Value",
        _ => "Total",
    };
    add(header, right, Some(amount(amounts.total())));

    let row = |(at, line): (usize, &InvoiceLine)| {
        let mut cells = vec![
            Cell::new((at + 1).to_string(), SMALL),
            Cell::new(item_name(line), NORMAL),
        ];
        if has_hsn {
            cells.push(Cell::new(invoice.shown_hsn(line), NORMAL));
        }
        cells.push(match line.quantity {
            0 => Cell::new("–", NORMAL),
            quantity => Cell::new(quantity.to_string(), NORMAL),
        });
        if !is_note {
            cells.push(Cell::new(unit_price(line), NORMAL));
        }
        if has_discount {
            cells.push(Cell::new(amount(line.discount), NORMAL));
        }
        cells.extend(tax_cells(line, tax, rate.is_none()));
        cells.push(Cell::new(amount(line.amounts.total()), STRONG));
        cells
    };
    let rows = lines.iter().enumerate().map(row).collect();
    TableInput {
        columns,
        rows,
        total: Some(sums),
    }
}

/// `Goda Masala (100 g)`
fn item_name(line: &InvoiceLine) -> String {
    let size = line.size.to_string().replace(' ', "\u{a0}");
    format!("{} ({size})", line.description)
}

/// Without a price if the amount is not a multiple of the packs.
fn unit_price(line: &InvoiceLine) -> String {
    let (gross, packs) = (line.gross.get(), i64::from(line.quantity));
    if packs > 0 && gross % packs == 0 {
        amount(Paise::new(gross / packs))
    } else {
        "–".to_owned()
    }
}

fn tax_cells(line: &InvoiceLine, tax: TaxColumns, shows_rate: bool) -> Vec<Cell> {
    let amounts = line.amounts;
    let taxed = |tax, rate: String| {
        let cell = Cell::new(amount(tax), NORMAL);
        if shows_rate {
            cell.with(rate, SMALL)
        } else {
            cell
        }
    };
    let taxable = Cell::new(amount(amounts.taxable), NORMAL);
    match tax {
        TaxColumns::Halves { .. } => vec![
            taxable,
            taxed(amounts.cgst, half_of(line.rate)),
            taxed(amounts.sgst, half_of(line.rate)),
        ],
        TaxColumns::Integrated => vec![taxable, taxed(amounts.igst, line.rate.to_string())],
        TaxColumns::None => vec![],
    }
}
