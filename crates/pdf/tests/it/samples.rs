//! Invoices for the tests and the example.

use mirasa_domain::address::Address;
use mirasa_domain::invoice::{
    Buyer, Invoice, InvoiceKind, InvoiceLine, Reference, Registration, Seller,
};
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderId;
use mirasa_domain::pack::PackSize;
use mirasa_domain::product::ProductId;
use mirasa_domain::tax::{State, TaxKind, TaxRate, split};
use mirasa_pdf::{PackingItem, PackingOrder, PackingRun};

/// 17 November 2026, 11:00 in India.
pub const NOW_MS: i64 = 1_794_681_000_000 + (2 * 24 + 11) * 3_600_000;
pub const ORDER_ID: &str = "019a8f20-7c1e-7d10-9a51-3f0c9f3c21ab";
pub const URL: &str = "https://mirasa.example/orders/019a8f20-7c1e-7d10-9a51-3f0c9f3c21ab";

pub const PRODUCTS: [(&str, &str, i64); 12] = [
    ("Goda Masala", "0910", 6_500),
    ("Kolhapuri Kanda Lasun Masala", "0910", 7_250),
    ("Malvani Masala", "0910", 6_900),
    ("Chai Masala", "0910", 8_000),
    ("Tomato Soup Mix", "2104", 5_500),
    ("Peri-Peri Sprinkle", "2103", 6_250),
    ("Garam Masala", "0910", 9_500),
    ("Sambar Powder", "0910", 5_999),
    ("Thandai Mix", "2106", 14_500),
    ("Chhole Masala", "0910", 6_000),
    ("Pav Bhaji Masala", "0910", 6_400),
    ("Biryani Masala", "0910", 7_800),
];

pub fn seller() -> Seller {
    Seller {
        registration: Registration::Regular,
        shop_name: "Mirasa".into(),
        legal_name: "Mirasa Foods Pvt. Ltd.".into(),
        address: "Plot 14, Bhosari MIDC, Pune, Maharashtra 411026".into(),
        gstin: "27AAAAM0000M1Z1".into(),
        state_code: 27,
        fssai: "10026022000417".into(),
        phone: "+91 20 5550 0142".into(),
        email: "care@mirasa.example".into(),
        hsn_digits: 4,
    }
}

pub fn buyer(
    name: &str,
    line1: &str,
    line2: &str,
    city: &str,
    state: &str,
    pincode: &str,
) -> Buyer {
    Buyer {
        name: name.into(),
        phone: "+919876543210".into(),
        line1: line1.into(),
        line2: line2.into(),
        city: city.into(),
        state: state.into(),
        pincode: pincode.into(),
    }
}

pub fn line(at: usize, kind: TaxKind) -> InvoiceLine {
    let (name, hsn, price) = PRODUCTS[at % PRODUCTS.len()];
    let is_large = at % 3 == 1;
    let quantity = u32::try_from(1 + at % 4).unwrap();
    let price = if is_large { price * 2 - 500 } else { price };
    let gross = Paise::new(price) * quantity;
    let rate = TaxRate::from_basis_points(500);
    InvoiceLine {
        product: ProductId(format!("p{at}")),
        description: name.into(),
        hsn: hsn.into(),
        size: if is_large {
            PackSize::G100
        } else {
            PackSize::G50
        },
        quantity,
        gross,
        discount: Paise::ZERO,
        rate,
        amounts: split(gross, rate, kind),
    }
}

fn invoice(kind: InvoiceKind, buyer: Buyer, lines: Vec<InvoiceLine>) -> Invoice {
    Invoice {
        id: "d1".into(),
        kind,
        number: "MIR/26-27/000123".into(),
        order_id: ORDER_ID.into(),
        refund_id: None,
        refers_to: None,
        issued_at_ms: NOW_MS,
        seller: seller(),
        place_of_supply: State::from_name(&buyer.state).unwrap(),
        buyer,
        lines,
    }
}

fn pune() -> Buyer {
    buyer(
        "Asha Kulkarni",
        "Flat 7, Shantiban Society, 12 Laxmi Road",
        "Sadashiv Peth",
        "Pune",
        "Maharashtra",
        "411030",
    )
}

pub fn within_state(lines: usize) -> Invoice {
    let lines = (0..lines)
        .map(|at| line(at, TaxKind::WithinState))
        .collect();
    invoice(InvoiceKind::TaxInvoice, pune(), lines)
}

pub fn between_states(lines: usize) -> Invoice {
    let to = buyer(
        "Rohan Nair",
        "42, 3rd Cross, Indiranagar",
        "",
        "Bengaluru",
        "Karnataka",
        "560038",
    );
    let lines = (0..lines)
        .map(|at| line(at, TaxKind::BetweenStates))
        .collect();
    invoice(InvoiceKind::TaxInvoice, to, lines)
}

pub fn discounted() -> Invoice {
    let mut invoice = within_state(4);
    for line in &mut invoice.lines {
        line.discount = Paise::new(line.gross.get() / 10);
        line.amounts = split(line.gross - line.discount, line.rate, TaxKind::WithinState);
    }
    invoice
}

pub fn bill_of_supply(gstin: &str) -> Invoice {
    let lines = (0..5).map(|at| line(at, TaxKind::None)).collect();
    let mut invoice = invoice(InvoiceKind::BillOfSupply, pune(), lines);
    invoice.seller.gstin = gstin.into();
    invoice.seller.registration = match gstin {
        "" => Registration::Unregistered,
        _ => Registration::Composition,
    };
    invoice
}

pub fn credit_note() -> Invoice {
    let mut note = within_state(2);
    note.kind = InvoiceKind::CreditNote;
    note.number = "CRN/26-27/000007".into();
    note.refers_to = Some(Reference {
        id: "d1".into(),
        number: "MIR/26-27/000123".into(),
        issued_at_ms: NOW_MS - 5 * 86_400_000,
        total: note.amounts().total(),
    });
    note.lines[1].quantity = 0;
    note
}

pub fn devanagari() -> Invoice {
    let mut invoice = within_state(4);
    invoice.seller.shop_name = "मिरासा Mirasa".into();
    invoice.buyer = buyer(
        "श्रीमती ज्योत्स्ना क्षीरसागर",
        "घर क्र. १२, लक्ष्मी रस्ता, दगडूशेठ गणपतीजवळ",
        "शुक्रवार पेठ, ऑफिसर्स क्वार्टर्स",
        "पुणे",
        "Maharashtra",
        "411002",
    );
    let names = [
        "गोडा मसाला (पारंपरिक महाराष्ट्रीय)",
        "कोल्हापुरी कांदा-लसूण मसाला",
        "मालवणी मसाला Malvani Masala",
        "Śrīkhaṇḍ Elaichi – श्रीखंड इलायची",
    ];
    for (line, name) in invoice.lines.iter_mut().zip(names) {
        line.description = name.into();
    }
    invoice
}

pub fn long_texts() -> Invoice {
    let mut invoice = between_states(3);
    let long = "Grandmother's Slow-Roasted Kolhapuri Kanda Lasun Masala with Byadgi and Sankeshwari Chillies, Stone-Ground in Small Batches";
    invoice.lines[0].description = long.into();
    invoice.lines[1].description = "Unbreakable".repeat(12);
    invoice.lines[2].description = "Tomato 🍅 Soup 汤 Mix தக்காளி".into();
    invoice.lines[2].gross = Paise::new(12_345_678_900);
    invoice.lines[2].amounts = split(
        invoice.lines[2].gross,
        invoice.lines[2].rate,
        TaxKind::BetweenStates,
    );
    invoice.seller.legal_name = "Shri Mahalakshmi Agro Spices and Masala Manufacturing Cooperative Society Limited, Unit II".into();
    invoice.buyer = buyer(
        "Venkatanarasimharajuvaripeta Chandrashekhara Subramaniam Iyengar-Krishnamurthy and Family",
        &"Second Floor, Building of the Old Cotton Mill, behind the Temple of the Goddess, "
            .repeat(2)[..160],
        "NearTheVeryLongLandmarkWithoutAnySpacesThatSomeoneTypedOnAPhoneKeyboardAndDidNotCorrect",
        "Thiruvananthapuram",
        "Dadra and Nagar Haveli and Daman and Diu",
        "396230",
    );
    invoice.place_of_supply = State::from_code(26).unwrap();
    invoice
}

pub fn packing_run(orders: usize, items: usize) -> PackingRun {
    let people = [
        (
            "Asha Kulkarni",
            "Flat 7, Shantiban Society, 12 Laxmi Road",
            "Pune",
            "Maharashtra",
            "411030",
        ),
        (
            "Rohan Nair",
            "42, 3rd Cross, Indiranagar",
            "Bengaluru",
            "Karnataka",
            "560038",
        ),
        (
            "ज्योत्स्ना क्षीरसागर",
            "घर क्र. १२, लक्ष्मी रस्ता",
            "पुणे",
            "Maharashtra",
            "411002",
        ),
        (
            "Meera Iyer",
            "9/2 Besant Avenue, Adyar",
            "Chennai",
            "Tamil Nadu",
            "600020",
        ),
        (
            "Imran Qureshi",
            "14 Mohammad Ali Road",
            "Mumbai",
            "Maharashtra",
            "400003",
        ),
    ];
    let orders = (0..orders)
        .map(|at| {
            let (name, line1, city, state, pincode) = people[at % people.len()];
            PackingOrder {
                id: OrderId(format!(
                    "019a8f20-7c1e-7d10-9a51-3f0c{:08x}",
                    0x9f3c_21ab_u32 + u32::try_from(at).unwrap() * 7_919
                )),
                placed_at_ms: NOW_MS - 86_400_000,
                address: Address {
                    address_name: "Home".into(),
                    name: name.into(),
                    phone: "+919876543210".into(),
                    line1: line1.into(),
                    line2: String::new(),
                    city: city.into(),
                    state: state.into(),
                    pincode: pincode.into(),
                },
                discount: if at == 0 {
                    "DIWALI-20 (−₹50)".into()
                } else {
                    String::new()
                },
                items: (0..items)
                    .map(|item| PackingItem {
                        name: PRODUCTS[(at * 2 + item) % PRODUCTS.len()].0.into(),
                        size: if (at + item) % 2 == 0 {
                            PackSize::G50
                        } else {
                            PackSize::G100
                        },
                        quantity: u32::try_from(1 + (at + item) % 3).unwrap(),
                        batch: String::new(),
                    })
                    .collect(),
            }
        })
        .collect();
    PackingRun {
        shop_name: "Mirasa".into(),
        prepared_at_ms: NOW_MS,
        orders,
    }
}
