//! The sandbox's couriers, their prices and days.

use mirasa_domain::ist;
use serde_json::{Value, json};

use super::times::named_date;

/// No courier goes to the Andaman and Nicobar Islands.
const NOT_SERVED_PREFIX: &str = "744";

pub(super) struct Company {
    pub(super) id: i64,
    pub(super) name: &'static str,
    rupees_per_slab: f64,
    days: i64,
    is_surface: bool,
}

const COMPANIES: [Company; 3] = [
    Company {
        id: 10,
        name: "Delhivery Surface",
        rupees_per_slab: 52.4,
        days: 4,
        is_surface: true,
    },
    Company {
        id: 24,
        name: "Xpressbees Surface",
        rupees_per_slab: 47.0,
        days: 5,
        is_surface: true,
    },
    Company {
        id: 1,
        name: "Blue Dart Air",
        rupees_per_slab: 91.5,
        days: 2,
        is_surface: false,
    },
];

/// A company's offer for a parcel.
pub(super) struct Offer {
    pub(super) company: &'static Company,
    pub(super) rate: f64,
    pub(super) days: i64,
    pub(super) etd: i64,
}

pub(super) fn offers(from: &str, to: &str, weight_kg: f64, now_ms: i64) -> Vec<Offer> {
    if to.starts_with(NOT_SERVED_PREFIX) {
        return Vec::new();
    }
    // Parcels are charged in steps of half a kilogram. A parcel within the region is cheaper and faster.
    let slabs = (weight_kg / 0.5).ceil().max(1.0);
    let is_near = from.get(..2) == to.get(..2);
    COMPANIES
        .iter()
        .map(|company| {
            let rate = company.rupees_per_slab * slabs * if is_near { 0.7 } else { 1.0 };
            let days = (company.days - i64::from(is_near) * 2).max(1);
            Offer {
                company,
                rate: (rate * 100.0).round() / 100.0,
                days,
                etd: ist::day_end_ms(now_ms + days * ist::DAY_MS),
            }
        })
        .collect()
}

/// As the API shows it: some numbers are texts.
pub(super) fn offer_json(offer: &Offer, to: &str) -> Value {
    let Offer {
        company,
        rate,
        days,
        etd,
    } = offer;
    json!({
        "courier_company_id": company.id,
        "courier_name": company.name,
        "rate": rate,
        "freight_charge": rate,
        "cod": 0,
        "cod_charges": 0,
        "rto_charges": (rate * 0.9 * 100.0).round() / 100.0,
        "estimated_delivery_days": days.to_string(),
        "etd": named_date(*etd),
        "etd_hours": days * 24,
        "is_surface": company.is_surface,
        "mode": i64::from(!company.is_surface),
        "courier_type": "0",
        "rating": 4.2,
        "min_weight": 0.5,
        "blocked": 0,
        "postcode": to,
    })
}
