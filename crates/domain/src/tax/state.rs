//! The states and union territories of India by their tax codes. The state of the delivery address decides the tax.

/// A state or union territory, by its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(u8);

const STATES: [(u8, &str); 36] = [
    (1, "Jammu and Kashmir"),
    (2, "Himachal Pradesh"),
    (3, "Punjab"),
    (4, "Chandigarh"),
    (5, "Uttarakhand"),
    (6, "Haryana"),
    (7, "Delhi"),
    (8, "Rajasthan"),
    (9, "Uttar Pradesh"),
    (10, "Bihar"),
    (11, "Sikkim"),
    (12, "Arunachal Pradesh"),
    (13, "Nagaland"),
    (14, "Manipur"),
    (15, "Mizoram"),
    (16, "Tripura"),
    (17, "Meghalaya"),
    (18, "Assam"),
    (19, "West Bengal"),
    (20, "Jharkhand"),
    (21, "Odisha"),
    (22, "Chhattisgarh"),
    (23, "Madhya Pradesh"),
    (24, "Gujarat"),
    (26, "Dadra and Nagar Haveli and Daman and Diu"),
    (27, "Maharashtra"),
    (29, "Karnataka"),
    (30, "Goa"),
    (31, "Lakshadweep"),
    (32, "Kerala"),
    (33, "Tamil Nadu"),
    (34, "Puducherry"),
    (35, "Andaman and Nicobar Islands"),
    (36, "Telangana"),
    (37, "Andhra Pradesh"),
    (38, "Ladakh"),
];

/// Other spellings that customers and the post office use.
const OTHER_NAMES: [(&str, u8); 13] = [
    ("jammuandkashmir", 1),
    ("jammukashmir", 1),
    ("uttaranchal", 5),
    ("nctofdelhi", 7),
    ("newdelhi", 7),
    ("delhinct", 7),
    ("orissa", 21),
    ("chattisgarh", 22),
    ("dadraandnagarhaveli", 26),
    ("damananddiu", 26),
    ("pondicherry", 34),
    ("andamanandnicobar", 35),
    ("tamilnad", 33),
];

/// Union territories without a legislature: the second half of the tax is called UTGST.
const WITHOUT_LEGISLATURE: [u8; 5] = [4, 26, 31, 35, 38];

impl State {
    pub fn all() -> impl Iterator<Item = State> {
        STATES.iter().map(|(code, _)| State(*code))
    }

    pub fn from_code(code: u8) -> Option<State> {
        State::all().find(|state| state.0 == code)
    }

    /// Case, spaces and `&` do not matter.
    pub fn from_name(name: &str) -> Option<State> {
        let wanted = simplify(name);
        let official = STATES.iter().find(|(_, name)| simplify(name) == wanted);
        let code = official.map(|(code, _)| *code);
        let other = || OTHER_NAMES.iter().find(|(name, _)| *name == wanted);
        code.or_else(|| other().map(|(_, code)| *code)).map(State)
    }

    pub fn code(self) -> u8 {
        self.0
    }

    pub fn name(self) -> &'static str {
        let found = STATES.iter().find(|(code, _)| *code == self.0);
        found.map_or("", |(_, name)| name)
    }

    /// `27-Maharashtra`, as a place of supply is written.
    pub fn label(self) -> String {
        format!("{:02}-{}", self.0, self.name())
    }

    pub fn has_legislature(self) -> bool {
        !WITHOUT_LEGISLATURE.contains(&self.0)
    }
}

fn simplify(name: &str) -> String {
    let name = name.to_lowercase().replace('&', "and");
    name.chars().filter(|c| c.is_alphabetic()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_found_by_its_names() {
        for state in State::all() {
            assert_eq!(State::from_name(state.name()), Some(state));
            assert_eq!(State::from_code(state.code()), Some(state));
        }
        for (name, code) in [
            ("maharashtra", 27),
            (" TAMIL  NADU ", 33),
            ("Jammu & Kashmir", 1),
            ("Andaman & Nicobar Islands", 35),
            ("Orissa", 21),
            ("Pondicherry", 34),
            ("New Delhi", 7),
        ] {
            assert_eq!(
                State::from_name(name).map(State::code),
                Some(code),
                "{name}"
            );
        }
        assert_eq!(State::from_name("Atlantis"), None);
        assert_eq!(State::from_name(""), None);
        assert_eq!(State::from_code(27).unwrap().label(), "27-Maharashtra");
        assert_eq!(State::from_code(7).unwrap().label(), "07-Delhi");
    }
}
