// Ten sample testimonials.

export type Testimonial = { name: string; company: string; text: string; rating: 1 | 2 | 3 | 4 | 5 };

export const testimonials: Testimonial[] = [
  {
    name: 'Sunita Patwardhan',
    company: 'Aai’s Dabba, Pune',
    text: 'I have ground goda masala every April for thirty years. This is the first one from a pouch that my mother-in-law did not send back.',
    rating: 5,
  },
  {
    name: 'Farhan Qureshi',
    company: 'Café Charminar, Hyderabad',
    text: 'The biryani masala lets the rice smell of rice. No shouting clove, no artificial kewra. We changed our house blend to it.',
    rating: 5,
  },
  {
    name: 'Meera Nair',
    company: 'Home cook, Kochi',
    text: 'The sambar powder has the roasted dal note I only get at my grandmother’s. I would like a bigger pack, please.',
    rating: 4,
  },
  {
    name: 'Rohit Bhosale',
    company: 'Misal Katta, Kolhapur',
    text: 'A Kolhapuri man does not praise a misal masala from Pune lightly. The kat comes out red and honest.',
    rating: 5,
  },
  {
    name: 'Ananya Sen',
    company: 'The Supper Room, Kolkata',
    text: 'Falafel for sixty guests, one packet of mix, no leftovers. The coriander is fresh enough to argue about.',
    rating: 5,
  },
  {
    name: 'Gurpreet Kaur',
    company: 'Home cook, Ludhiana',
    text: 'Chhole dark as they should be, without tea bags. My boys asked who had cooked. I took the credit.',
    rating: 5,
  },
  {
    name: 'Jonathan D’Souza',
    company: 'Beach shack, Goa',
    text: 'Peri-peri on prawns, on fries, on cashews. Hot in a clean way. We go through it faster than the lemons.',
    rating: 4,
  },
  {
    name: 'Kavitha Raman',
    company: 'Tiffin Stories, Chennai',
    text: 'Chettinad that remembers kalpasi exists. The pepper arrives late and stays, exactly as it must.',
    rating: 5,
  },
  {
    name: 'Harshad Mehta',
    company: 'Home cook, Ahmedabad',
    text: 'Ordered on Monday, chai masala in the kettle on Thursday. The rain did the rest.',
    rating: 4,
  },
  {
    name: 'Lhamo Dolma',
    company: 'Noodle Lane, Gangtok',
    text: 'Hakka and Manchurian mixes that do not taste of plain salt. My cooks now measure by the spoon, not by mood.',
    rating: 5,
  },
];
