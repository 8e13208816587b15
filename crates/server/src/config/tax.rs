//! The section `[tax]`: what invoices say about the shop.

use mirasa_app::invoices::TaxSettings;
use mirasa_domain::invoice::{Registration, Seller, SeriesPrefix};
use mirasa_domain::ist;
use mirasa_domain::tax::{Gstin, RatePeriod, State, TaxRate};

use super::{Config, ConfigError, TaxRegistration, config_error};

/// The number of the default configuration. No taxpayer has it.
pub(super) const DEMO_GSTIN: &str = "27AAAAM0000M1Z1";

impl Config {
    pub fn tax_settings(&self) -> Result<TaxSettings, ConfigError> {
        let tax = &self.tax;
        let registration = match tax.registration {
            TaxRegistration::Registered => Registration::Regular,
            TaxRegistration::Composition => Registration::Composition,
            TaxRegistration::Unregistered => Registration::Unregistered,
        };
        let state = State::from_name(&tax.state)
            .ok_or_else(|| config_error("tax.state", "is not a state of India"))?;
        let gstin = match registration {
            Registration::Unregistered => String::new(),
            Registration::Regular | Registration::Composition => {
                let gstin =
                    Gstin::parse(&tax.gstin).map_err(|why| config_error("tax.gstin", why))?;
                if gstin.state() != Some(state) {
                    let why = format!("belongs to another state than tax.state, {}", state.name());
                    return Err(config_error("tax.gstin", why));
                }
                gstin.as_str().to_owned()
            }
        };
        if ![4, 6, 8].contains(&tax.hsn_digits) {
            return Err(config_error("tax.hsn_digits", "must be 4, 6 or 8"));
        }
        let prefix =
            |key, text: &str| SeriesPrefix::parse(text).map_err(|why| config_error(key, why));
        let invoice_prefix = prefix("tax.invoice_prefix", &tax.invoice_prefix)?;
        let bill_of_supply_prefix =
            prefix("tax.bill_of_supply_prefix", &tax.bill_of_supply_prefix)?;
        let credit_note_prefix = prefix("tax.credit_note_prefix", &tax.credit_note_prefix)?;
        if bill_of_supply_prefix == invoice_prefix {
            let why = "must differ from tax.invoice_prefix";
            return Err(config_error("tax.bill_of_supply_prefix", why));
        }
        if [&invoice_prefix, &bill_of_supply_prefix].contains(&&credit_note_prefix) {
            let why = "must differ from the other prefixes";
            return Err(config_error("tax.credit_note_prefix", why));
        }
        let rate = |text: &String| {
            parse_rate(text).ok_or_else(|| {
                let why = format!("{text:?} is not like \"2103 5% from 2025-09-22\"");
                config_error("tax.rates", why)
            })
        };
        let rates = tax.rates.iter().map(rate).collect::<Result<_, _>>()?;
        let or_shop =
            |text: &String, shop: &String| if text.is_empty() { shop } else { text }.clone();
        Ok(TaxSettings {
            seller: Seller {
                registration,
                shop_name: self.shop.name.clone(),
                legal_name: or_shop(&tax.legal_name, &self.shop.legal_name),
                address: or_shop(&tax.address, &self.shop.address),
                gstin,
                state_code: state.code(),
                fssai: self.shop.fssai.clone(),
                phone: self.shop.support_phone.clone(),
                email: self.shop.support_email.clone(),
                hsn_digits: tax.hsn_digits,
            },
            state,
            rates,
            invoice_prefix,
            bill_of_supply_prefix,
            credit_note_prefix,
        })
    }
}

/// `2103 5% from 2025-09-22`: an HSN code or its beginning, the rate, and the first day on which it holds.
fn parse_rate(text: &str) -> Option<RatePeriod> {
    let words: Vec<_> = text.split_whitespace().collect();
    let [hsn, percent, "from", day] = words[..] else {
        return None;
    };
    let is_hsn = (2..=8).contains(&hsn.len()) && hsn.bytes().all(|byte| byte.is_ascii_digit());
    let percent: f64 = percent.strip_suffix('%')?.parse().ok()?;
    let is_rate = (0.0..=100.0).contains(&percent);
    (is_hsn && is_rate).then_some(RatePeriod {
        hsn_prefix: hsn.to_owned(),
        rate: TaxRate::from_percent(percent),
        valid_from_ms: ist::day_start_ms(ist::parse_day(day)?),
    })
}
