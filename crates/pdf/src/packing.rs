//! A packing run: a pick list with the sums of all orders, then one packing slip for each order.

use std::collections::BTreeMap;

use mirasa_domain::order::short_id;

use crate::canvas::{Align, Page, Style, color};
use crate::codes::draw_code_128;
use crate::flow::{CONTENT_WIDTH, Flow, MARGIN, RIGHT};
use crate::fonts::Face;
use crate::letterhead::{LABEL, draw_facts, draw_letterhead};
use crate::table::{Cell, Column, TableInput};
use crate::words::{date, phone};
use crate::{PackingOrder, PackingRun};

const ITEM: Style = Style::new(Face::Bold, 10.5, color::INK);
const SIZE: Style = Style::new(Face::Regular, 10.5, color::INK);
const BATCH: Style = Style::new(Face::Regular, 8.6, color::INK);
const COUNT: Style = Style::new(Face::Bold, 12.0, color::INK);
const ORDER: Style = Style::new(Face::Regular, 8.6, color::INK);
const NAME: Style = Style::new(Face::Bold, 15.0, color::INK);
const ADDRESS: Style = Style::new(Face::Regular, 11.5, color::INK);
const ORDER_NUMBER: Style = Style::new(Face::Bold, 13.0, color::INK);
const SIGNATURE: Style = Style::new(Face::Regular, 7.6, color::INK_FAINT);

const MAX_UNBROKEN_HEIGHT: f32 = 700.0;
const BARCODE_MODULE: f32 = 1.3;
const BARCODE_HEIGHT: f32 = 42.0;
const BARCODE_WIDTH: f32 = 190.0;

pub fn lay_out(run: &PackingRun) -> Vec<Page> {
    let mut pages = pick_list(run);
    for order in &run.orders {
        pages.extend(packing_slip(run, order));
    }
    pages
}

pub fn pick_list(run: &PackingRun) -> Vec<Page> {
    let prepared = date(run.prepared_at_ms);
    let title = format!("{} · Pick list of {prepared}", run.shop_name);
    let mut flow = Flow::new(title, format!("Pick list of {prepared}"));
    draw_letterhead(&mut flow, &run.shop_name, "Pick List", "");
    let items = run.orders.iter().flat_map(|order| &order.items);
    let mut sums: BTreeMap<(&str, u32, &str), u64> = BTreeMap::new();
    for item in items {
        let key = (item.name.as_str(), item.size.grams(), item.batch.as_str());
        *sums.entry(key).or_default() += u64::from(item.quantity);
    }
    let packs: u64 = sums.values().sum();
    let grams: u64 = sums
        .iter()
        .map(|((_, size, _), packs)| u64::from(*size) * packs)
        .sum();
    let facts = [
        ("Prepared on", prepared, 1.0),
        ("Orders", run.orders.len().to_string(), 1.0),
        ("Packs", packs.to_string(), 1.0),
        ("Net weight", weight(grams), 1.0),
    ];
    draw_facts(&mut flow, &facts);
    flow.y += 14.0;
    let rows = sums
        .into_iter()
        .map(|((name, size, batch), packs)| {
            vec![
                Cell::CheckBox,
                item_cell(name, batch),
                Cell::new(format!("{size} g"), SIZE),
                Cell::new(packs.to_string(), COUNT),
            ]
        })
        .collect();
    let table = TableInput {
        columns: item_columns(),
        rows,
        total: None,
    };
    flow.draw_table(table.lay_out(MARGIN, CONTENT_WIDTH), 0.0);
    flow.y += 18.0;
    let orders = orders_table(run).lay_out(MARGIN, CONTENT_WIDTH);
    // Not broken over two pages if one is enough.
    flow.ensure(orders.height().min(MAX_UNBROKEN_HEIGHT));
    flow.draw_table(orders, 0.0);
    flow.finish()
}

fn item_cell(name: &str, batch: &str) -> Cell {
    let cell = Cell::new(name, ITEM);
    if batch.is_empty() {
        cell
    } else {
        cell.with(batch, BATCH)
    }
}

fn item_columns() -> Vec<(String, Column)> {
    [
        ("", Column::Narrow(Align::Left)),
        ("Product", Column::Flexible),
        ("Pack size", Column::Narrow(Align::Right)),
        ("Packs", Column::Narrow(Align::Right)),
    ]
    .map(|(header, column)| (header.to_owned(), column))
    .into()
}

fn orders_table(run: &PackingRun) -> TableInput {
    let row = |order: &PackingOrder| {
        let packs: u64 = order
            .items
            .iter()
            .map(|item| u64::from(item.quantity))
            .sum();
        vec![
            Cell::CheckBox,
            Cell::new(
                short_id(&order.id),
                Style {
                    face: Face::Bold,
                    ..ORDER
                },
            ),
            Cell::new(&order.address.name, ORDER),
            Cell::new(
                format!("{} {}", order.address.city, order.address.pincode),
                ORDER,
            ),
            Cell::new(packs.to_string(), ORDER),
        ]
    };
    TableInput {
        columns: [
            ("", Column::Narrow(Align::Left)),
            ("Order", Column::Narrow(Align::Left)),
            ("Customer", Column::Flexible),
            ("Place", Column::Narrow(Align::Left)),
            ("Packs", Column::Narrow(Align::Right)),
        ]
        .map(|(header, column)| (header.to_owned(), column))
        .into(),
        rows: run.orders.iter().map(row).collect(),
        total: None,
    }
}

pub fn packing_slip(run: &PackingRun, order: &PackingOrder) -> Vec<Page> {
    let number = short_id(&order.id);
    let title = format!("{} · Packing slip of order {number}", run.shop_name);
    let mut flow = Flow::new(title, format!("Order {number}"));
    draw_letterhead(&mut flow, &run.shop_name, "Packing Slip", "");
    let packs: u64 = order
        .items
        .iter()
        .map(|item| u64::from(item.quantity))
        .sum();
    let grams: u64 = order
        .items
        .iter()
        .map(|item| u64::from(item.size.grams()) * u64::from(item.quantity))
        .sum();
    let mut facts = vec![
        ("Order", number.clone(), 1.0),
        ("Ordered on", date(order.placed_at_ms), 1.0),
        ("Packs", packs.to_string(), 1.0),
        ("Net weight", weight(grams), 1.0),
    ];
    if !order.discount.is_empty() {
        facts.push(("Discount", order.discount.clone(), 1.0));
    }
    if order.items.is_empty() {
        let why = "Do not send: refunded or back in stock".to_owned();
        facts.push(("Nothing to send", why, 2.0));
    }
    draw_facts(&mut flow, &facts);
    flow.y += 16.0;
    draw_address_and_barcode(&mut flow, order, &number);
    flow.y += 18.0;
    let rows = order
        .items
        .iter()
        .map(|item| {
            vec![
                Cell::CheckBox,
                item_cell(&item.name, &item.batch),
                Cell::new(item.size.to_string(), SIZE),
                Cell::new(item.quantity.to_string(), COUNT),
            ]
        })
        .collect();
    let table = TableInput {
        columns: item_columns(),
        rows,
        total: None,
    };
    const SIGNATURES_HEIGHT: f32 = 60.0;
    flow.draw_table(table.lay_out(MARGIN, CONTENT_WIDTH), SIGNATURES_HEIGHT);
    flow.y += 44.0;
    let (y, width) = (flow.y, 150.0);
    let page = flow.page();
    for (x, label) in [(MARGIN, "Packed by"), (MARGIN + width + 24.0, "Checked by")] {
        page.horizontal_line(x, y, width, color::LINE_STRONG, 0.6);
        page.text(x, y + 3.0, Align::Left, SIGNATURE.shape(label));
    }
    flow.finish()
}

fn draw_address_and_barcode(flow: &mut Flow, order: &PackingOrder, number: &str) {
    let top = flow.y;
    let width = CONTENT_WIDTH - BARCODE_WIDTH - 24.0;
    let address = &order.address;
    let page = flow.page();
    page.text(MARGIN, top, Align::Left, LABEL.shape("Deliver to"));
    let mut lines = NAME.wrap(&address.name, width);
    for text in [&address.line1, &address.line2] {
        lines.extend(ADDRESS.wrap(text, width));
    }
    let place = format!("{} {}", address.city, address.pincode);
    lines.extend(
        Style {
            face: Face::Bold,
            ..ADDRESS
        }
        .wrap(&place, width),
    );
    lines.extend(ADDRESS.wrap(&address.state, width));
    lines.extend(ADDRESS.wrap(&phone(&address.phone), width));
    let address_end = page.lines(MARGIN, top + 12.0, Align::Left, lines);
    let top = top + 6.0;
    let width = draw_code_128(page, RIGHT, top, BARCODE_MODULE, BARCODE_HEIGHT, number);
    let number_top = top + BARCODE_HEIGHT + 5.0;
    let center = RIGHT - width / 2.0;
    page.text(
        center,
        number_top,
        Align::Center,
        ORDER_NUMBER.shape(number),
    );
    flow.y = address_end.max(number_top + 18.0);
}

/// `1.75 kg` or `450 g`
fn weight(grams: u64) -> String {
    if grams < 1_000 {
        return format!("{grams} g");
    }
    let text = format!("{}.{:02}", grams / 1_000, grams % 1_000 / 10);
    format!("{} kg", text.trim_end_matches('0').trim_end_matches('.'))
}
