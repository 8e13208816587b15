// The tiles of the two collection carousels. Each has its own page (path), but a click opens the product list filtered
// by the label.

export type Tile = { label: string; devanagari: string; path: string; image: string; colour: string };

export const topCategories: Tile[] = [
  { label: 'Veg', devanagari: 'शाकाहारी', path: '/categories/veg', image: 'tile-veg.webp', colour: '#7e6727' },
  {
    label: 'Non-Veg',
    devanagari: 'मांसाहारी',
    path: '/categories/nonveg',
    image: 'tile-non-veg.webp',
    colour: '#341f0b',
  },
  {
    label: 'Maharashtrian',
    devanagari: 'महाराष्ट्रीय',
    path: '/categories/maharashtrian',
    image: 'tile-maharashtrian.webp',
    colour: '#8a4418',
  },
  {
    label: 'Beverages',
    devanagari: 'पेय',
    path: '/categories/beverages',
    image: 'tile-beverages.webp',
    colour: '#5b5f3a',
  },
  { label: 'Snacks', devanagari: 'नाश्ता', path: '/categories/snacks', image: 'tile-snacks.webp', colour: '#aa6c10' },
  { label: 'Soups', devanagari: 'सूप', path: '/categories/soups', image: 'tile-soups.webp', colour: '#b1764e' },
  {
    label: 'Rice Mixes',
    devanagari: 'भात',
    path: '/categories/biryani',
    image: 'tile-rice-mixes.webp',
    colour: '#6a3d3d',
  },
  {
    label: 'South Indian',
    devanagari: 'दक्षिण भारतीय',
    path: '/categories/southindian',
    image: 'tile-south-indian.webp',
    colour: '#3a4c2c',
  },
];

export const cuisines: Tile[] = [
  { label: 'Chinese', devanagari: 'चाइनीज़', path: '/cuisines/chinese', image: 'tile-chinese.webp', colour: '#85301b' },
  { label: 'Mexican', devanagari: 'मेक्सिकन', path: '/cuisines/mexican', image: 'tile-mexican.webp', colour: '#2b5e4d' },
  { label: 'Italian', devanagari: 'इटालियन', path: '/cuisines/italian', image: 'tile-italian.webp', colour: '#a27439' },
  { label: 'Lebanese', devanagari: 'लेबनीज़', path: '/cuisines/other', image: 'tile-lebanese.webp', colour: '#b09a7a' },
  {
    label: 'Malaysian',
    devanagari: 'मलेशियन',
    path: '/cuisines/other',
    image: 'tile-malaysian.webp',
    colour: '#684215',
  },
];
