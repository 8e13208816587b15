// The nine slides of the hero. Each theme has a wide image and one for phones, and links to one product.
import { siteImage } from '~/shared/product/images/image-url';

export const HERO_WIDE_WIDTHS = [960, 1280, 1920, 2560] as const;
export const HERO_PHONE_WIDTHS = [480, 640, 768, 960, 1280] as const;

export type HeroSlide = {
  theme: string;
  align: 'left' | 'right';
  devanagari: string;
  heading: string;
  subheading: string;
  button: string;
  product: string;
  /** The dark tone of the image: behind it while it loads, and under the text beside it. */
  colour: string;
};

export const heroSlides: HeroSlide[] = [
  {
    theme: 'maharashtrian',
    align: 'left',
    devanagari: 'महाराष्ट्राची चव',
    heading: 'Goda masala, the way Pune roasts it',
    subheading: 'Stone flower, dry coconut and sesame, darkened slowly until the whole lane knows it is lunch.',
    button: 'Shop Now',
    product: 'goda-masala',
    colour: '#54200d',
  },
  {
    theme: 'vegetarian',
    align: 'right',
    devanagari: 'शाकाहारी दावत',
    heading: 'Paneer butter, Sunday soft',
    subheading: 'Kasuri methi, Kashmiri chilli and a little sweetness. Bring the paneer, we have done the rest.',
    button: 'Shop Now',
    product: 'paneer-butter-masala',
    colour: '#1d3820',
  },
  {
    theme: 'peri-peri',
    align: 'left',
    devanagari: 'पेरी पेरी',
    heading: 'Peri-peri that bites back',
    subheading: 'Bird’s-eye heat, lemon and garlic. Shake it over fries, corn, paneer, or your own good sense.',
    button: 'Get Peri-Peri Mix',
    product: 'peri-peri-mix',
    colour: '#38110a',
  },
  {
    theme: 'falafel',
    align: 'right',
    devanagari: 'फलाफल',
    heading: 'Beirut’s falafel, in your kadhai',
    subheading: 'Cumin, coriander and parsley in balance. Soak the chickpeas tonight, crunch tomorrow.',
    button: 'Shop Falafel Mix',
    product: 'falafel-mix',
    colour: '#443010',
  },
  {
    theme: 'manchurian',
    align: 'left',
    devanagari: 'मंचूरियन',
    heading: 'Street-side Manchurian, at home',
    subheading: 'Ginger, garlic, soy and a proper wok temper. Ready before the delivery boy finds your gate.',
    button: 'Shop Manchurian Mix',
    product: 'manchurian-mix',
    colour: '#360c0b',
  },
  {
    theme: 'tacos',
    align: 'right',
    devanagari: 'टाको',
    heading: 'Taco night, smoky and loud',
    subheading: 'Smoked chilli, cumin and oregano for beans, mince or mushrooms. Lime is on you.',
    button: 'Shop Now',
    product: 'mexican-taco-mix',
    colour: '#562107',
  },
  {
    theme: 'misal',
    align: 'left',
    devanagari: 'कोल्हापुरी मिसळ',
    heading: 'Misal pav with a Kolhapuri temper',
    subheading: 'A red kat, sprouted matki, farsan on top. Keep the pav close and the water closer.',
    button: 'Shop Misal Masala',
    product: 'kolhapuri-misal-masala',
    colour: '#520f09',
  },
  {
    theme: 'garlic-bread',
    align: 'right',
    devanagari: 'गार्लिक ब्रेड',
    heading: 'Garlic bread, the trattoria kind',
    subheading: 'Oregano, basil, garlic and a pinch of chilli. Butter, bread, seven minutes.',
    button: 'Get Italian Mix',
    product: 'italian-garlic-bread-mix',
    colour: '#222f17',
  },
  {
    theme: 'chettinad',
    align: 'left',
    devanagari: 'चेट्टिनाड चिकन',
    heading: 'Chicken Chettinad, black-pepper bold',
    subheading: 'Kalpasi, star anise, fennel and pepper, ground for the curry that made Karaikudi famous.',
    button: 'Shop Now',
    product: 'chicken-chettinad-masala',
    colour: '#0c2b25',
  },
];

export function heroImages({ theme, colour }: HeroSlide) {
  return {
    wide: siteImage(`hero-${theme}.webp`, '', 1600, 750, colour),
    phone: siteImage(`hero-${theme}-phone.webp`, '', 600, 750, colour),
  };
}
