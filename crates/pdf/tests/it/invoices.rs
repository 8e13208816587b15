use mirasa_domain::invoice::{Invoice, InvoiceLine};
use mirasa_domain::money::Paise;
use mirasa_domain::tax::{State, TaxKind, TaxRate, split};
use mirasa_pdf::{OrderDetails, amount_in_words, render_invoices};

use crate::samples;
use crate::tools::{lines, pages, render, render_with_reason, words, words_as_drawn};

/// `1,234.50`, from the domain's own format.
fn amount(paise: Paise) -> String {
    let text = paise.to_string().replace('₹', "");
    if text.contains('.') {
        text
    } else {
        format!("{text}.00")
    }
}

fn amounts(values: &[Paise]) -> String {
    values
        .iter()
        .copied()
        .map(amount)
        .collect::<Vec<_>>()
        .join(" ")
}

/// What the row of a line shows, in the order of the columns.
fn row(at: usize, line: &InvoiceLine, kind: TaxKind) -> String {
    let price = Paise::new(line.gross.get() / i64::from(line.quantity));
    let taxes = match kind {
        TaxKind::WithinState => vec![line.amounts.taxable, line.amounts.cgst, line.amounts.sgst],
        TaxKind::BetweenStates => vec![line.amounts.taxable, line.amounts.igst],
        TaxKind::None => vec![],
    };
    let values = [vec![price], taxes, vec![line.amounts.total()]].concat();
    let (name, size) = (&line.description, line.size);
    format!(
        "{at} {name} ({size}) {} {} {}",
        line.hsn,
        line.quantity,
        amounts(&values)
    )
}

fn assert_rows(invoice: &Invoice, kind: TaxKind) {
    let pdf = render(invoice);
    let shown = lines(&pages(&pdf).concat());
    for (at, line) in invoice.lines.iter().enumerate() {
        let row = row(at + 1, line, kind);
        assert!(shown.contains(&row), "{row}: {shown:#?}");
    }
    let text = words_as_drawn(&pdf);
    assert!(
        text.contains(&format!("₹{}", amount(invoice.total()))),
        "{text}"
    );
    assert!(text.contains(&amount_in_words(invoice.total())), "{text}");
}

#[test]
fn rows_within_a_state_have_both_halves() {
    let invoice = samples::within_state(3);
    assert_rows(&invoice, TaxKind::WithinState);
    let page = &pages(&render(&invoice))[0];
    let total = invoice.amounts();
    let sums = amounts(&[total.taxable, total.cgst, total.sgst, total.total()]);
    assert!(lines(page).contains(&format!("Total 6 {sums}")), "{page}");
    assert!(words(page).contains("2.5% 2.5%"), "{page}");
}

#[test]
fn rows_between_states_have_one_tax() {
    let invoice = samples::between_states(10);
    assert_rows(&invoice, TaxKind::BetweenStates);
    let pages = pages(&render(&invoice));
    assert_eq!(pages.len(), 1, "ten lines fit on a page");
    assert!(!pages[0].contains("CGST"));
    for hsn in ["0910", "2103", "2104", "2106"] {
        let of_hsn = invoice.lines.iter().filter(|line| line.hsn == hsn);
        let sum: mirasa_domain::tax::TaxAmounts = of_hsn.map(|line| line.amounts).sum();
        let summary = format!("{hsn} 5% {}", amounts(&[sum.taxable, sum.igst, sum.tax()]));
        assert!(
            words(&pages[0]).contains(&summary),
            "{summary}: {}",
            pages[0]
        );
    }
}

#[test]
fn invoice_names_all_that_the_rules_require() {
    let text = words(&pages(&render(&samples::within_state(3))).concat());
    for part in [
        "Tax Invoice",
        "MIR/26-27/000123",
        "17 Nov 2026",
        "16 Nov 2026",
        "9F3C21AB",
        "27-Maharashtra",
        "Reverse charge",
        "Mirasa Foods Pvt. Ltd.",
        "Plot 14, Bhosari MIDC, Pune, Maharashtra 411026",
        "GSTIN 27AAAAM0000M1Z1",
        "FSSAI Lic. No. 10026022000417",
        "Asha Kulkarni",
        "Flat 7, Shantiban Society, 12 Laxmi Road",
        "Pune 411030",
        "State: Maharashtra (code 27)",
        "For Mirasa Foods Pvt. Ltd.",
        "Authorised signatory",
        "Page 1 of 1",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn hsn_codes_are_shortened_and_grouped_as_they_are_shown() {
    let mut invoice = samples::between_states(2);
    for (line, hsn) in invoice.lines.iter_mut().zip(["09109100", "09109929"]) {
        line.hsn = hsn.into();
    }
    let sum = invoice.amounts();
    let text = words(&pages(&render(&invoice)).concat());
    let group = format!("0910 5% {}", amounts(&[sum.taxable, sum.igst]));
    assert!(text.contains(&group), "{group}: {text}");
    assert!(!text.contains("09109"), "{text}");
    invoice.seller.hsn_digits = 8;
    let text = words(&pages(&render(&invoice)).concat());
    assert!(
        text.contains("09109100 5%") && text.contains("09109929 5%"),
        "{text}"
    );
}

#[test]
fn discount_has_a_column_and_a_total() {
    let invoice = samples::discounted();
    let text = words(&pages(&render(&invoice)).concat());
    let line = &invoice.lines[0];
    let row = amounts(&[line.gross, line.discount, line.amounts.taxable]);
    assert!(text.contains(&row), "{row}: {text}");
    let discount: Paise = invoice.lines.iter().map(|line| line.discount).sum();
    assert!(text.contains(&format!("−{}", amount(discount))), "{text}");
}

#[test]
fn lines_with_different_rates_show_their_own() {
    let mut invoice = samples::between_states(2);
    let rate = TaxRate::from_basis_points(1_800);
    invoice.lines[1].rate = rate;
    invoice.lines[1].amounts = split(invoice.lines[1].gross, rate, TaxKind::BetweenStates);
    let shown = lines(&pages(&render(&invoice)).concat());
    assert!(
        shown.contains(&"5%".to_owned()) && shown.contains(&"18%".to_owned()),
        "{shown:?}"
    );
}

#[test]
fn second_half_is_called_utgst_in_a_union_territory() {
    let mut invoice = samples::within_state(1);
    invoice.place_of_supply = State::from_code(4).unwrap();
    invoice.seller.state_code = 4;
    let text = pages(&render(&invoice)).concat();
    assert!(text.contains("UTGST") && !text.contains("SGST"), "{text}");
}

#[test]
fn bill_of_supply_has_no_tax() {
    let invoice = samples::bill_of_supply("");
    assert_rows(&invoice, TaxKind::None);
    let text = pages(&render(&invoice)).concat();
    assert!(
        text.contains("Bill of Supply") && text.contains("not registered under GST"),
        "{text}"
    );
    for absent in ["CGST", "IGST", "Taxable", "GSTIN", "Tax Invoice"] {
        assert!(!text.contains(absent), "{absent}: {text}");
    }
    let composition = pages(&render(&samples::bill_of_supply("27AAAAM0000M1Z1"))).concat();
    let declaration = "Composition taxable person, not eligible to collect tax on supplies";
    assert!(composition.contains(declaration), "{composition}");
}

#[test]
fn credit_note_refers_to_the_invoice() {
    let invoice = samples::credit_note();
    let text = words(&pages(&render(&invoice)).concat());
    assert!(
        text.contains("Credit Note") && text.contains("CRN/26-27/000007"),
        "{text}"
    );
    assert!(
        text.contains("reduces invoice MIR/26-27/000123 of 12 Nov 2026"),
        "{text}"
    );
    // A part of an amount is for no packs.
    let amounts_of_part = invoice.lines[1].amounts;
    let values = amounts(&[
        amounts_of_part.taxable,
        amounts_of_part.cgst,
        amounts_of_part.sgst,
        amounts_of_part.total(),
    ]);
    assert!(text.contains(&format!("– {values}")), "{text}");
}

#[test]
fn credit_note_of_a_bill_of_supply_has_no_tax() {
    let mut invoice = samples::bill_of_supply("");
    invoice.kind = mirasa_domain::invoice::InvoiceKind::CreditNote;
    invoice.refers_to = samples::credit_note().refers_to;
    let text = pages(&render(&invoice)).concat();
    assert!(
        text.contains("Credit Note") && !text.contains("GST "),
        "{text}"
    );
    assert!(!text.contains("Taxable"), "{text}");
}

#[test]
fn two_hundred_lines_are_all_on_the_pages_and_totals_stay_together() {
    let mut invoice = samples::within_state(200);
    for (at, line) in invoice.lines.iter_mut().enumerate() {
        line.description = format!("Masala number {at:03}");
    }
    assert_rows(&invoice, TaxKind::WithinState);
    let pages = pages(&render(&invoice));
    let all = pages.concat();
    for line in &invoice.lines {
        assert_eq!(
            all.matches(&line.description).count(),
            1,
            "{}",
            line.description
        );
    }
    for (at, page) in pages.iter().enumerate() {
        assert!(
            page.contains("Description of goods"),
            "page {at} has no header"
        );
        assert!(page.contains(&format!("Page {} of {}", at + 1, pages.len())));
        assert!(at == 0 || page.contains("Tax Invoice MIR/26-27/000123"));
    }
    let last = pages.last().unwrap();
    for part in [
        "Masala number 199",
        "Amount in words",
        "Authorised signatory",
        &amount(invoice.total()),
    ] {
        assert!(last.contains(part), "{part}: {last}");
    }
}

#[test]
fn totals_are_never_alone_on_a_page() {
    for count in 10..40 {
        let invoice = samples::within_state(count);
        let pages = pages(&render(&invoice));
        let last = pages.last().unwrap();
        let row = row(count, invoice.lines.last().unwrap(), TaxKind::WithinState);
        assert!(lines(last).contains(&row), "{count} lines: {last}");
        assert!(last.contains("Authorised signatory"));
    }
}

#[test]
fn many_rates_and_codes_are_all_in_the_summary() {
    let mut invoice = samples::within_state(90);
    for (at, line) in invoice.lines.iter_mut().enumerate() {
        line.hsn = format!("9{at:03}");
    }
    let pages = pages(&render(&invoice));
    let text = words(&pages.concat());
    for line in &invoice.lines {
        assert!(
            text.contains(&format!("{} 5% {}", line.hsn, amount(line.amounts.taxable))),
            "{}",
            line.hsn
        );
    }
    assert!(pages.last().unwrap().contains("Amount in words"));
}

#[test]
fn invoice_is_the_same_bytes_each_time() {
    let invoice = samples::devanagari();
    let first = render(&invoice);
    assert!(first.starts_with(b"%PDF-"));
    assert_eq!(first, render(&invoice));
    let other = std::thread::spawn(move || render(&invoice)).join().unwrap();
    assert_eq!(first, other);
}

#[test]
fn devanagari_is_read_back_as_it_was_written() {
    let invoice = samples::devanagari();
    // The reader guesses spaces from distances and is wrong beside some vowel signs.
    let joined = |text: &str| text.split_whitespace().collect::<String>();
    let text = joined(&words_as_drawn(&render(&invoice)));
    let names = invoice.lines.iter().map(|line| &line.description);
    let buyer = &invoice.buyer;
    for part in names.chain([&buyer.name, &buyer.line1, &buyer.line2, &buyer.city]) {
        assert!(text.contains(&joined(part)), "{part}: {text}");
    }
}

#[test]
fn long_and_unknown_texts_are_kept() {
    let invoice = samples::long_texts();
    let pages = pages(&render(&invoice));
    let text = words(&pages.concat());
    for part in [
        "Grandmother's",
        "Small Batches",
        "Thiruvananthapuram",
        "Venkatanarasimharajuvaripeta",
        "Soup",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("26-Dadra and Nagar Haveli"), "{text}");
}

#[test]
fn odd_characters_do_not_fail() {
    for name in [
        "",
        " ",
        "\u{0}\u{7}\n\t",
        "\u{301}\u{93f}\u{94d}",
        "👩‍👩‍👧‍👦🏽",
        "\u{202e}שלום مرحبا",
        "\u{10ffff}",
        "ก็\u{200d}\u{fe0f}",
        "%PDF (\\) <>",
    ] {
        let mut invoice = samples::within_state(1);
        invoice.lines[0].description = name.into();
        invoice.buyer.name = name.into();
        invoice.seller.shop_name = name.into();
        invoice.seller.legal_name = name.repeat(8);
        let text = pages(&render(&invoice)).concat();
        assert!(text.contains("Authorised signatory"), "{name:?}: {text}");
    }
}

#[test]
fn credit_note_prints_why_the_money_was_refunded() {
    let note = samples::credit_note();
    let reason = "The pouch was torn when it arrived, and the customer does not want another one. "
        .repeat(3);
    let pdf = render_with_reason(&note, reason.trim());
    assert!(words_as_drawn(&pdf).contains(&format!("Reason {}", reason.trim())));
    assert_eq!(pages(&pdf).len(), 1);
    assert!(!words_as_drawn(&render(&note)).contains("Reason"));
}

#[test]
fn several_documents_are_numbered_separately() {
    let (first, second) = (samples::within_state(30), samples::credit_note());
    let order = OrderDetails {
        placed_at_ms: samples::NOW_MS,
        url: "",
        reason: "",
    };
    let pdf = render_invoices(&[(&first, order), (&second, order)]).unwrap();
    let pages = pages(&pdf);
    assert_eq!(pages.len(), 3);
    let numbers = ["Page 1 of 2", "Page 2 of 2", "Page 1 of 1"];
    for (page, number) in pages.iter().zip(numbers) {
        assert!(page.contains(number), "{number}: {page}");
    }
    assert!(pages[2].contains("Credit Note"));
}
