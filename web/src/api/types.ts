// What the program's calls answer, by the names the web app uses. The shapes come from the program's own description
// (`npm run gen:api` writes schema.gen.ts from api/openapi.json).
import type { components } from './schema.gen';

type Schemas = components['schemas'];

export type Product = Schemas['Product'];
export type ImageDetail = Schemas['Picture'];
export type Filters = Schemas['FiltersAnswer'];
export type SearchResult = Schemas['SearchResult'];
export type PincodeAnswer = Schemas['PincodeAnswer'];
export type User = Schemas['User'];
export type Cart = Schemas['Cart'];
export type CartItem = Schemas['CartItem'];
export type WishlistItem = Schemas['Wish'];
export type Address = Schemas['Address'];

/** Who the shop is, as its configuration says. */
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
