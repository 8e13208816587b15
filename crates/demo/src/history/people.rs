//! The made-up customers of the demo history. Their email addresses end in `demo.example`, which cannot exist.

use mirasa_domain::address::AddressInput;

const FIRST_NAMES: [&str; 24] = [
    "Aditi", "Anand", "Bhavna", "Chetan", "Deepa", "Farhan", "Gauri", "Harish", "Ishita", "Joseph",
    "Kavita", "Lakshmi", "Manish", "Nandini", "Omkar", "Pallavi", "Rahul", "Sneha", "Tanvi",
    "Uday", "Varsha", "Vikram", "Yamini", "Zoya",
];
const LAST_NAMES: [&str; 15] = [
    "Joshi",
    "Iyer",
    "Patil",
    "Sharma",
    "Fernandes",
    "Deshpande",
    "Reddy",
    "Khan",
    "Nair",
    "Gupta",
    "Bose",
    "Shah",
    "Menon",
    "Chavan",
    "Mehta",
];
const STREETS: [&str; 12] = [
    "MG Road",
    "Station Road",
    "Temple Street",
    "Lake View Road",
    "Gandhi Nagar",
    "Market Lane",
    "Ring Road",
    "Garden Street",
    "School Lane",
    "Hill Road",
    "River Side",
    "Civil Lines",
];

/// City, state, pincode, and how many of a hundred customers live there.
const CITIES: [(&str, &str, &str, usize); 16] = [
    ("Pune", "Maharashtra", "411004", 22),
    ("Mumbai", "Maharashtra", "400057", 18),
    ("Nashik", "Maharashtra", "422001", 7),
    ("Nagpur", "Maharashtra", "440010", 5),
    ("Kolhapur", "Maharashtra", "416003", 4),
    ("Bengaluru", "Karnataka", "560038", 11),
    ("Hyderabad", "Telangana", "500034", 7),
    ("Chennai", "Tamil Nadu", "600020", 5),
    ("New Delhi", "Delhi", "110016", 6),
    ("Gurugram", "Haryana", "122002", 3),
    ("Ahmedabad", "Gujarat", "380015", 4),
    ("Panaji", "Goa", "403001", 2),
    ("Kochi", "Kerala", "682016", 2),
    ("Kolkata", "West Bengal", "700019", 2),
    ("Jaipur", "Rajasthan", "302001", 1),
    ("Lucknow", "Uttar Pradesh", "226001", 1),
];

pub struct Person {
    pub name: String,
    pub email: String,
    pub address: AddressInput,
}

pub const COUNT: usize = 160;

/// The same person for the same number.
pub fn person(number: usize) -> Person {
    let first = FIRST_NAMES[number % FIRST_NAMES.len()];
    // Both lengths have no common divisor but 3, so the names of all numbers below COUNT differ.
    let last = LAST_NAMES[(number * 7 + number / FIRST_NAMES.len()) % LAST_NAMES.len()];
    let email = format!("{first}.{last}@demo.example").to_lowercase();
    let name = format!("{first} {last}");
    let address = address(number, &name);
    Person {
        name,
        email,
        address,
    }
}

pub fn address(number: usize, name: &str) -> AddressInput {
    let mut share = number * 37 % 100;
    let mut home = &CITIES[0];
    for city in &CITIES {
        home = city;
        if share < city.3 {
            break;
        }
        share -= city.3;
    }
    let (city, state, pincode, _) = home;
    AddressInput {
        address_name: "Home".into(),
        name: name.into(),
        phone: format!("90000{:05}", number * 131 % 100_000),
        line1: format!("{} {}", number % 90 + 1, STREETS[number % STREETS.len()]),
        line2: "Demo address".into(),
        city: (*city).into(),
        state: (*state).into(),
        pincode: (*pincode).into(),
    }
}

/// A message of the contact form, and the owner's reply if there is one.
pub struct Message {
    /// The number of its sender.
    pub person: usize,
    pub days_ago: i64,
    pub text: &'static str,
    pub reply: Option<&'static str>,
}

pub const MESSAGES: [Message; 9] = [
    Message {
        person: 3,
        days_ago: 87,
        text: "Is your goda masala made with coconut? My daughter is allergic to it.",
        reply: Some(
            "Yes, our goda masala contains dried coconut. The kolhapuri misal masala does too. Our sambar masala does not.",
        ),
    },
    Message {
        person: 11,
        days_ago: 79,
        text: "Can I get the biryani masala in a 500 g pack? We cook for a community kitchen.",
        reply: Some("We pack 50 g and 100 g today. For a kitchen we can send ten packs at once."),
    },
    Message {
        person: 27,
        days_ago: 63,
        text: "My parcel came a day late, but everything was well packed. Thank you!",
        reply: Some("Thank you for telling us, and enjoy your cooking."),
    },
    Message {
        person: 38,
        days_ago: 52,
        text: "How long does the chai masala keep once it is open?",
        reply: Some("Six weeks in a dry, closed jar, away from the stove."),
    },
    Message {
        person: 44,
        days_ago: 46,
        text: "Do you deliver to Port Blair?",
        reply: Some("We do. It takes a few days longer than to the mainland."),
    },
    Message {
        person: 52,
        days_ago: 38,
        text: "Please add a garam masala. I would buy it every month.",
        reply: Some("It is on our list, and we will write when it is ready."),
    },
    Message {
        person: 63,
        days_ago: 3,
        text: "Could I change the address of my order? I moved last week.",
        reply: None,
    },
    Message {
        person: 71,
        days_ago: 1,
        text: "Is the thandai mix suitable for a diabetic? How much sugar does it have?",
        reply: None,
    },
    Message {
        person: 85,
        days_ago: 0,
        text: "We run a small shop in Nashik and would like to stock your masalas. Whom can I call?",
        reply: None,
    },
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use mirasa_domain::address::Address;

    use super::*;

    #[test]
    fn people_differ_and_have_valid_addresses() {
        let people: Vec<_> = (0..COUNT).map(person).collect();
        let emails: HashSet<_> = people.iter().map(|person| &person.email).collect();
        assert_eq!(emails.len(), COUNT);
        for person in &people {
            Address::parse(&person.address).unwrap();
        }
        assert_eq!(CITIES.iter().map(|city| city.3).sum::<usize>(), 100);
    }
}
