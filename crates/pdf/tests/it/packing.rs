use mirasa_pdf::render_packing_run;

use crate::samples;
use crate::tools::{lines, pages, words};

#[test]
fn pick_list_sums_packs_and_each_order_has_a_slip() {
    let mut run = samples::packing_run(3, 2);
    for (at, order) in run.orders.iter_mut().enumerate() {
        order.items[0].name = "Goda Masala".into();
        order.items[0].size = mirasa_domain::pack::PackSize::G100;
        order.items[0].quantity = 2;
        order.items[1].name = format!("Single {at}");
    }
    let pages = pages(&render_packing_run(&run).unwrap());
    assert_eq!(pages.len(), 4);
    let pick_list = lines(&pages[0]);
    assert!(
        pick_list.contains(&"Goda Masala 100 g 6".to_owned()),
        "{pick_list:?}"
    );
    let facts = "Prepared on Orders Packs Net weight 17 Nov 2026 3 12 1.05 kg";
    assert!(words(&pages[0]).contains(facts), "{}", pages[0]);
    for (order, page) in run.orders.iter().zip(&pages[1..]) {
        let number = order.id.as_str()[28..].to_uppercase();
        let shown = lines(page);
        for item in &order.items {
            let row = format!("{} {} {}", item.name, item.size, item.quantity);
            assert!(shown.contains(&row), "{row}: {shown:?}");
        }
        let text = words(page);
        let address = &order.address;
        for part in [&address.name, &address.line1, &address.state, &number] {
            assert!(text.contains(part.as_str()), "{part}: {text}");
        }
        assert!(text.contains(&format!("{} {}", address.city, address.pincode)));
        assert!(text.contains("Page 1 of 1"));
    }
}

#[test]
fn packing_run_is_the_same_bytes_each_time() {
    let run = samples::packing_run(5, 4);
    let first = render_packing_run(&run).unwrap();
    assert_eq!(first, render_packing_run(&run).unwrap());
}

#[test]
fn slip_with_many_items_continues_on_the_next_page() {
    let mut run = samples::packing_run(1, 60);
    for (at, item) in run.orders[0].items.iter_mut().enumerate() {
        item.name = format!("Item number {at:03}");
    }
    let pages = pages(&render_packing_run(&run).unwrap());
    let slip: Vec<_> = pages
        .iter()
        .filter(|page| page.contains("Packing Slip") || page.contains("Packing slip of"))
        .collect();
    assert!(slip.len() >= 2, "{}", slip.len());
    let all = slip
        .iter()
        .map(|page| words(page))
        .collect::<Vec<_>>()
        .join(" ");
    for item in &run.orders[0].items {
        assert_eq!(all.matches(&item.name).count(), 1, "{}", item.name);
    }
    assert!(slip[0].contains(&format!("Page 1 of {}", slip.len())));
}

#[test]
fn slip_and_pick_list_name_the_batch() {
    let mut run = samples::packing_run(2, 1);
    for (order, batch) in run.orders.iter_mut().zip(["A-1", "B-2"]) {
        order.items[0].name = "Goda Masala".into();
        order.items[0].size = mirasa_domain::pack::PackSize::G50;
        order.items[0].quantity = 3;
        order.items[0].batch = format!("Batch {batch}, best before 30 Jun 2027");
    }
    let pages = pages(&render_packing_run(&run).unwrap());
    let pick_list = words(&pages[0]);
    for (batch, page) in ["A-1", "B-2"].into_iter().zip(&pages[1..]) {
        let text = format!("Batch {batch}, best before 30 Jun 2027");
        assert!(pick_list.contains(&text), "{pick_list}");
        assert!(words(page).contains(&text), "{page}");
    }
    let rows = lines(&pages[0]);
    let of_goda = rows.iter().filter(|row| *row == "Goda Masala 50 g 3");
    assert_eq!(of_goda.count(), 2, "one row for each batch: {rows:?}");
}
