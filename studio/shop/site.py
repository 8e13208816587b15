"""The site's own pictures: front-page heroes, tiles, portraits, the sharing picture; and every alt text."""

HERO_SIZE, PHONE_SIZE, TILE_SIZE, PRODUCT_SIZE = (3200, 1500), (1200, 1500), (1200, 1200), (2000, 2000)

HERO_ALTS = {
    "maharashtrian": "Three Mirasa pouches on a terracotta table in low sun, with a brass bowl of goda masala, dried chillies, coconut slivers and stone flower",
    "vegetarian": "A copper bowl of paneer butter masala with cream and coriander between two Mirasa pouches, tomatoes and green chillies beside it",
    "peri-peri": "A dark bowl of fries dusted with peri-peri next to its pouch, with red chillies, lemon and garlic on slate",
    "falafel": "Crisp falafel piled on a plate with hummus, parsley and lemon, beside the Falafel Mix pouch on linen",
    "manchurian": "Glazed Manchurian balls with spring onion and sesame in a black bowl, the Manchurian Mix pouch behind, in warm evening light",
    "tacos": "Three tacos filled with spiced mince, tomato and coriander on a walnut board, lime and chillies around the Mexican Taco Mix pouch",
    "misal": "A steel bowl of red misal topped with farsan, onion and coriander, with soft pav and the Kolhapuri Misal Masala pouch",
    "garlic-bread": "Toasted garlic bread with herbs on a wooden board, garlic, basil and tomatoes beside the Italian Garlic Bread Mix pouch",
    "chettinad": "An iron kadhai of dark Chettinad curry with curry leaves, star anise and black pepper, the Chicken Chettinad Masala pouch behind",
}
TILE_ALTS = {
    "veg": "Paneer curry seen from above with peas, tomatoes, green chillies and coriander leaves",
    "non-veg": "Dark Chettinad curry in an iron kadhai seen from above, with curry leaves, star anise and coconut",
    "maharashtrian": "Goda masala in a brass bowl seen from above, ringed by coconut, stone flower, chillies and sesame",
    "beverages": "Two clay cups of masala chai seen from above, with ginger, cinnamon, cardamom and tea leaves",
    "snacks": "A bowl of seasoned fries seen from above, with lemon, chillies, mint and rock salt",
    "soups": "A bowl of tomato soup with a swirl of cream seen from above, with basil, garlic and tomatoes",
    "rice-mixes": "Saffron-stained biryani rice in a copper bowl seen from above, with cashews, fried onion and whole spices",
    "south-indian": "Sambar masala in a brass bowl seen from above, with curry leaves, red chillies, lentils and mustard seed",
    "chinese": "Hakka noodles in a black bowl seen from above, with spring onion, chillies, garlic and ginger",
    "mexican": "Three filled tacos seen from above, with lime, chillies, tomato and coriander",
    "italian": "Garlic bread seen from above on oak boards, with basil, garlic and tomatoes",
    "lebanese": "Falafel and a bowl of hummus on marble seen from above, with parsley, mint and lemon",
    "malaysian": "Golden Malaysian curry in a blue bowl seen from above, with lemongrass, star anise, coconut and lime",
}
