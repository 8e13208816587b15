//! The section `[tax]`.

use super::load;
use crate::cli::Flags;
use crate::config::tax::DEMO_GSTIN;

#[test]
fn tax_settings_are_checked_at_the_start() {
    let settings = |environment: &[(&str, &str)]| {
        let config = load(Flags::default(), environment)?;
        config.tax_settings().map_err(|error| error.to_string())
    };
    let defaults = settings(&[]).unwrap();
    assert_eq!(defaults.seller.gstin, DEMO_GSTIN);
    assert_eq!(defaults.seller.legal_name, "Mirasa Foods Pvt. Ltd.");
    for (name, value, key) in [
        ("MIRASA_TAX_GSTIN", "", "tax.gstin"),
        ("MIRASA_TAX_GSTIN", "27AAPFU0939F1Z", "tax.gstin"),
        ("MIRASA_TAX_GSTIN", "27AAPFU0939F1ZW", "tax.gstin"),
        ("MIRASA_TAX_GSTIN", "29AAGCB7383J1Z4", "tax.gstin"),
        ("MIRASA_TAX_STATE", "Karnataka", "tax.gstin"),
        ("MIRASA_TAX_STATE", "Atlantis", "tax.state"),
        ("MIRASA_TAX_REGISTRATION", "perhaps", "tax.registration"),
        ("MIRASA_TAX_HSN_DIGITS", "5", "tax.hsn_digits"),
        ("MIRASA_TAX_INVOICE_PREFIX", "MIRA", "tax.invoice_prefix"),
        ("MIRASA_TAX_INVOICE_PREFIX", "", "tax.invoice_prefix"),
        (
            "MIRASA_TAX_BILL_OF_SUPPLY_PREFIX",
            "mir",
            "tax.bill_of_supply_prefix",
        ),
        (
            "MIRASA_TAX_CREDIT_NOTE_PREFIX",
            "MIR",
            "tax.credit_note_prefix",
        ),
        ("MIRASA_TAX_RATES", "2103 5%", "tax.rates"),
        ("MIRASA_TAX_RATES", "2103 5% from 2025-02-30", "tax.rates"),
        ("MIRASA_TAX_RATES", "x 5% from 2025-02-20", "tax.rates"),
        ("MIRASA_TAX_RATES", "2103 105% from 2025-02-20", "tax.rates"),
    ] {
        let error = settings(&[(name, value)]).unwrap_err();
        assert!(error.contains(&format!("key {key}:")), "{value}: {error}");
    }
    let own = settings(&[
        ("MIRASA_TAX_GSTIN", "29aagcb7383j1z4"),
        ("MIRASA_TAX_STATE", "karnataka"),
        ("MIRASA_TAX_LEGAL_NAME", "Asha Foods"),
        (
            "MIRASA_TAX_RATES",
            "21 2.5% from 2026-01-01, 0910 0% from 2026-01-01",
        ),
    ])
    .unwrap();
    assert_eq!(own.seller.gstin, "29AAGCB7383J1Z4");
    assert_eq!(
        (own.state.code(), own.seller.legal_name.as_str()),
        (29, "Asha Foods")
    );
    assert_eq!(own.rates.len(), 2);
    assert_eq!(own.rates[0].rate.basis_points(), 250);
    let none = settings(&[
        ("MIRASA_TAX_REGISTRATION", "unregistered"),
        ("MIRASA_TAX_GSTIN", ""),
    ]);
    assert_eq!(none.unwrap().seller.gstin, "", "without a number");
}
