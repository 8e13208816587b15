//! What the demo customers write about products, and what the owner replies.

/// By stars, one first. `{name}` is the product.
pub(super) const TEXTS: [&[&str]; 5] = [ONE, TWO, THREE, FOUR, FIVE];

const ONE: &[&str] = &[
    "Far too salty for us. I had to throw the dish away.",
    "The pouch was open inside the box and everything smelled of it.",
    "I could not taste any {name} in it, only chilli.",
];

const TWO: &[&str] = &[
    "Too mild for our house. I needed three spoons for one pot.",
    "Good smell, but it came out bitter both times. Maybe I roasted it too long?",
    "Nothing special. The one from our market costs half.",
    "Arrived two days late, and the seal of the pouch was weak.",
];

const THREE: &[&str] = &[
    "Decent, but I expected more cardamom.",
    "Good for weekdays. For guests I still grind my own.",
    "Tasty, but hotter than the label says. Start with half a spoon.",
    "It is fine. The 100 g pack would be better with a zip.",
    "Nice aroma, a little too much coriander for my taste.",
];

const FOUR: &[&str] = &[
    "Very close to what my mother makes. I add a pinch of jaggery.",
    "Fresh and well balanced. I took one star off for the small pack.",
    "{name} is now a regular in our kitchen. A bit hot for the children.",
    "Good colour, good smell, no lumps. Would buy again.",
    "Works well with the recipe on the page. I used less salt.",
    "Roast it for half a minute in ghee first, it makes all the difference.",
    "Honest spices without that artificial smell. Delivery took four days.",
    "Liked it in dal and even on roasted potatoes.",
    "Better than the big brands. Still looking for a bigger pack.",
];

const FIVE: &[&str] = &[
    "Smells as if it had been ground this morning. The whole flat knew what we were having.",
    "My mother-in-law asked for the recipe. I did not tell her that it is a packet.",
    "{name} like at home in Pune. I live in Bengaluru now and this is the closest I have found.",
    "Bought one pouch to try and three more the same week.",
    "The balance is perfect: warm first, then a slow heat. No colour added, you can see it.",
    "Even my son, who eats nothing, had a second helping.",
    "Follow the recipe on the product page once and you will not need another one.",
    "Packed very well, reached Kochi in four days, still fresh.",
    "Finally a {name} that is not mostly salt and chilli.",
    "Made it for twelve people on Sunday. Empty pots, happy faces.",
    "I can name every spice in it, and that is how it should be.",
    "The aroma when you open the pouch is worth it alone.",
    "Our cook was sceptical. Now she reminds me to order.",
    "Cleaner taste than anything from the supermarket, and it keeps well.",
    "One spoon is enough for four. Lasts longer than I thought.",
    "Gave it to friends in Delhi, they ordered the next day.",
    "No heartburn afterwards, which I cannot say of the others.",
    "Exactly the taste of the school canteen in Kolhapur. I am ten years old again.",
];

/// For one or two stars.
pub(super) const ANSWERS: &[&str] = &[
    "We are sorry that it did not taste as it should. Please write to us: we would like to replace it.",
    "Thank you for telling us. We have checked the batch and send you a new pouch.",
    "That should not happen. Our packers now test each seal twice. Please call us, we make it good.",
];

pub(super) const THANKS: &[&str] = &[
    "Thank you! That is how we hoped it would taste.",
    "We are glad that it reached you fresh. Thank you for taking the time.",
    "Thank you. A bigger pack is on our list.",
];
