// The tiles of the two collection carousels. Each has its own page (path), but a click opens the product list filtered
// by the label.

export type Tile = { label: string; deva: string; path: string; picture: string; colour: string };

export const topCategories: Tile[] = [
  { label: 'Veg', deva: 'शाकाहारी', path: '/categories/veg', picture: 'tile-veg.webp', colour: '#7e6727' },
  { label: 'Non-Veg', deva: 'मांसाहारी', path: '/categories/nonveg', picture: 'tile-non-veg.webp', colour: '#341f0b' },
  {
    label: 'Maharashtrian',
    deva: 'महाराष्ट्रीय',
    path: '/categories/maharashtrian',
    picture: 'tile-maharashtrian.webp',
    colour: '#8a4418',
  },
  { label: 'Beverages', deva: 'पेय', path: '/categories/beverages', picture: 'tile-beverages.webp', colour: '#5b5f3a' },
  { label: 'Snacks', deva: 'नाश्ता', path: '/categories/snacks', picture: 'tile-snacks.webp', colour: '#aa6c10' },
  { label: 'Soups', deva: 'सूप', path: '/categories/soups', picture: 'tile-soups.webp', colour: '#b1764e' },
  { label: 'Rice Mixes', deva: 'भात', path: '/categories/biryani', picture: 'tile-rice-mixes.webp', colour: '#6a3d3d' },
  {
    label: 'South Indian',
    deva: 'दक्षिण भारतीय',
    path: '/categories/southindian',
    picture: 'tile-south-indian.webp',
    colour: '#3a4c2c',
  },
];

export const cuisines: Tile[] = [
  { label: 'Chinese', deva: 'चाइनीज़', path: '/cuisines/chinese', picture: 'tile-chinese.webp', colour: '#85301b' },
  { label: 'Mexican', deva: 'मेक्सिकन', path: '/cuisines/mexican', picture: 'tile-mexican.webp', colour: '#2b5e4d' },
  { label: 'Italian', deva: 'इटालियन', path: '/cuisines/italian', picture: 'tile-italian.webp', colour: '#a27439' },
  { label: 'Lebanese', deva: 'लेबनीज़', path: '/cuisines/other', picture: 'tile-lebanese.webp', colour: '#b09a7a' },
  { label: 'Malaysian', deva: 'मलेशियन', path: '/cuisines/other', picture: 'tile-malaysian.webp', colour: '#684215' },
];
