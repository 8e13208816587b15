use mirasa_pdf::render_packing_run;

use crate::samples;
use crate::tools::{codes, render};

#[test]
fn qr_code_of_an_invoice_opens_the_order() {
    let pdf = render(&samples::within_state(3));
    assert_eq!(codes(&pdf, 1), [format!("QR-Code:{}", samples::URL)]);
}

#[test]
fn barcode_of_a_packing_slip_is_the_order_number() {
    let run = samples::packing_run(2, 2);
    let pdf = render_packing_run(&run).unwrap();
    for (at, order) in run.orders.iter().enumerate() {
        let number = order.id.as_str()[28..].to_uppercase();
        assert_eq!(codes(&pdf, at + 2), [format!("CODE-128:{number}")]);
    }
}
