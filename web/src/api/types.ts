// What the program's calls answer, by the names the web app uses. The shapes come from the program's own description
// (`npm run gen:api` writes schema.gen.ts from api/openapi.json).
import type { components } from './schema.gen';

type Schemas = components['schemas'];

export type Product = Schemas['Product'];
export type ImageDetail = Schemas['Picture'];
export type ShelfPart = Schemas['ShelfAnswer'];
export type Filters = Schemas['FiltersAnswer'];
export type SearchResult = Schemas['SearchResult'];
export type PincodeAnswer = Schemas['PincodeAnswer'];
export type User = Schemas['User'];
export type Cart = Schemas['Cart'];
export type CartItem = Schemas['CartItem'];
export type WishlistItem = Schemas['Wish'];
export type Address = Schemas['Address'];
export type Order = Schemas['Order'];
export type OrderItem = Schemas['OrderItem'];
export type OrderStatus = Schemas['OrderStatus'];
export type PaymentStatus = Schemas['PaymentStatus'];
export type OrderPage = Schemas['OrderPageAnswer'];
export type ProductPage = Schemas['ProductPageAnswer'];
export type Concern = Schemas['Concern'];
export type Reservation = Schemas['Reservation'];
export type ReservedStock = Schemas['ReservedStockAnswer'];
export type AuditEntry = Schemas['AuditEntry'];

/** Who the shop is, as its configuration says. */
export type Shop = Schemas['Shop'];
