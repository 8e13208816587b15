//! Writes sample invoices to look at: cargo run -p mirasa-pdf --example samples -- FOLDER

#[path = "../tests/it/samples.rs"]
#[allow(dead_code, clippy::unwrap_used)]
mod samples;

use std::path::PathBuf;
use std::time::Instant;

use mirasa_pdf::{OrderDetails, render_invoice, render_packing_run};

#[allow(clippy::print_stdout)] // a command line tool
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: samples FOLDER")?);
    let order = OrderDetails {
        placed_at_ms: samples::NOW_MS - 86_400_000,
        url: samples::URL,
        reason: "",
    };
    for (name, invoice) in [
        ("invoice", samples::within_state(3)),
        ("invoice-10-lines", samples::between_states(10)),
        ("invoice-200-lines", samples::within_state(200)),
        ("invoice-discount", samples::discounted()),
        ("bill-of-supply", samples::bill_of_supply("")),
        (
            "bill-of-supply-composition",
            samples::bill_of_supply("27AAAAM0000M1Z1"),
        ),
        ("credit-note", samples::credit_note()),
        ("devanagari", samples::devanagari()),
        ("long-texts", samples::long_texts()),
    ] {
        let began = Instant::now();
        let pdf = render_invoice(&invoice, &order)?;
        println!(
            "{:8.2} ms {:7} bytes {name}",
            began.elapsed().as_secs_f64() * 1e3,
            pdf.len()
        );
        std::fs::write(folder.join(format!("{name}.pdf")), pdf)?;
    }
    let began = Instant::now();
    let pdf = render_packing_run(&samples::packing_run(5, 4))?;
    println!(
        "{:8.2} ms {:7} bytes packing-run",
        began.elapsed().as_secs_f64() * 1e3,
        pdf.len()
    );
    std::fs::write(folder.join("packing-run.pdf"), pdf)?;
    Ok(())
}
