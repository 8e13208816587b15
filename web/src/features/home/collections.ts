// The tiles of the two collection carousels. Each has its own page (path), but a click opens the product list filtered
// by the label.

export type Tile = { label: string; deva: string; path: string; picture: string; colour: string };

export const topCategories: Tile[] = [
  { label: 'Veg', deva: 'शाकाहारी', path: '/categories/veg', picture: 'tile-veg.webp', colour: '#4c6b35' },
  { label: 'Non-Veg', deva: 'मांसाहारी', path: '/categories/nonveg', picture: 'tile-non-veg.webp', colour: '#7c2a1a' },
  {
    label: 'Maharashtrian',
    deva: 'महाराष्ट्रीय',
    path: '/categories/maharashtrian',
    picture: 'tile-maharashtrian.webp',
    colour: '#8a3a1a',
  },
  { label: 'Beverages', deva: 'पेय', path: '/categories/beverages', picture: 'tile-beverages.webp', colour: '#8b5a2c' },
  { label: 'Snacks', deva: 'नाश्ता', path: '/categories/snacks', picture: 'tile-snacks.webp', colour: '#a5501b' },
  { label: 'Soups', deva: 'सूप', path: '/categories/soups', picture: 'tile-soups.webp', colour: '#9c2f1c' },
  { label: 'Rice Mixes', deva: 'भात', path: '/categories/biryani', picture: 'tile-rice-mixes.webp', colour: '#8c6a2a' },
  {
    label: 'South Indian',
    deva: 'दक्षिण भारतीय',
    path: '/categories/southindian',
    picture: 'tile-south-indian.webp',
    colour: '#5a5a2a',
  },
];

export const cuisines: Tile[] = [
  { label: 'Chinese', deva: 'चाइनीज़', path: '/cuisines/chinese', picture: 'tile-chinese.webp', colour: '#6b1a1a' },
  { label: 'Mexican', deva: 'मेक्सिकन', path: '/cuisines/mexican', picture: 'tile-mexican.webp', colour: '#8a4a14' },
  { label: 'Italian', deva: 'इटालियन', path: '/cuisines/italian', picture: 'tile-italian.webp', colour: '#4d5a24' },
  { label: 'Lebanese', deva: 'लेबनीज़', path: '/cuisines/other', picture: 'tile-lebanese.webp', colour: '#6a5a2c' },
  { label: 'Malaysian', deva: 'मलेशियन', path: '/cuisines/other', picture: 'tile-malaysian.webp', colour: '#7a3a18' },
];
