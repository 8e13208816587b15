// What the program's calls answer, as the web app reads it. Names are the wire's own.

export type Product = {
  _id: string;
  product_name: string;
  devanagari_name: string;
  generic_name: string;
  description: string;
  diet: 'veg' | 'non-veg';
  country_of_origin: string;
  ingredients: string[];
  preservatives: string;
  nutrition_facts: NutritionFacts;
  fssai_reg_no: string;
  recipe: string[];
  manufactured_marketed_by: string;
  address: string;
  email: string;
  customer_care_no: string;
  /** Rupees; index 0 is the 50 g pack, index 1 the 100 g pack. Either may be missing. */
  mrp: number[];
  net_wt: NetWeight[];
  best_before: string;
  category: string[];
  why_you_will_love_it: string[];
  images: string[];
  image_details: ImageDetail[];
  stock: number;
  packaging_50gms: number;
  packaging_100gms: number;
  isVisible: boolean;
  trendingRank: number | null;
  hsn_code: string;
  gst_rate_percent: number;
  updatedAt: string;
  version: number;
};

export type NutritionFacts = { Energy: string; Fat: string; Protein: string; Carbohydrate: string; Sugar: string };
export type NetWeight = { value: number; unit: string };

/** Same order as `Product.images`; sizes are 0 and the version empty where the program does not know them. */
export type ImageDetail = {
  file: string;
  alt: string;
  width: number;
  height: number;
  colour: string;
  version: string;
};

export type Filters = { categories: string[]; quantities: string[] };
export type SearchResult = { _id: string; name: string; image: string };

export type PincodeAnswer = {
  Status: 'Success' | 'Error';
  Message: string;
  PostOffice: { Name: string; District: string; State: string; Country: string; Pincode: string }[] | null;
};

export type Shop = {
  name: string;
  tagline: string;
  legalName: string;
  supportPhone: string;
  supportEmail: string;
  address: string;
  fssai: string;
  grievanceOfficer: { name: string; email: string; phone: string };
  social: { instagram: string; facebook: string; youtube: string; x: string };
  whatsapp: string;
  map: { latitude: number; longitude: number; label: string };
  publicUrl: string;
  sandbox: boolean;
};

export type SessionUser = {
  _id: string;
  name: string;
  email: string;
  photo: string | null;
  role: 'customer' | 'admin';
};

export type Cart = { items: CartItem[]; totalPacks: number; totalAmount: number; version: number };
export type CartItem = {
  productId: string;
  productName: string;
  image: string;
  image_colour: string;
  qty_50g: number;
  qty_100g: number;
  price_50g: number | null;
  price_100g: number | null;
  lineTotal: number;
  max_50g: number;
  max_100g: number;
  notice: string | null;
};

export type WishlistItem = {
  _id: string;
  product_name: string;
  images: string[];
  mrp: number[];
  id: string;
  name: string;
  image: string;
  price: number;
};

export type Address = {
  _id: string;
  addressName: string;
  name: string;
  phone: string;
  addressLine1: string;
  addressLine2: string;
  city: string;
  state: string;
  pincode: string;
  isDefault: boolean;
};

export type PaymentStatus = 'completed' | 'failed' | 'pending';
export type OrderStatus = 'pending' | 'confirmed' | 'shipped' | 'delivered' | 'cancelled' | 'N/A';

export type Order = {
  _id: string;
  merchantOrderId: string;
  userId: string;
  createdAt: string;
  updatedAt: string;
  totalAmount: number;
  paymentStatus: PaymentStatus;
  orderStatus: OrderStatus;
  items: OrderItem[];
  deliveryAddress: Omit<Address, '_id' | 'addressName' | 'isDefault'> | null;
  paymentDetails: { errorMessage: string | null };
};

export type OrderItem = {
  productId: string;
  productName: string;
  image: string;
  quantity: number;
  price: number;
  qty_50g: number;
  qty_100g: number;
  price_50g: number;
  price_100g: number;
  lineTotal: number;
};
