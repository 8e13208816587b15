// Names for the types of the API. The types are generated from the server's OpenAPI description (`npm run gen:api` writes
// schema.gen.ts from api/openapi.json); only this file names its components.
import type { components } from './schema.gen';

type Schemas = components['schemas'];

export type Product = Schemas['Product'];
export type Image = Schemas['Picture'];
export type ProductListResponse = Schemas['ShelfAnswer'];
export type Filters = Schemas['FiltersAnswer'];
export type SearchResult = Schemas['SearchResult'];
export type PincodeResponse = Schemas['PincodeAnswer'];
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
export type OrderIssue = Schemas['Concern'];
export type Reservation = Schemas['Reservation'];
export type ReservedStock = Schemas['ReservedStockAnswer'];
export type AuditEntry = Schemas['AuditEntry'];
export type CheckoutResponse = Schemas['CheckoutAnswer'];
export type WishlistResponse = Schemas['WishlistAnswer'];
export type UserResponse = Schemas['UserAnswer'];
export type UploadResponse = Schemas['FilesAnswer'];
export type AddressInput = Schemas['AddressBody'];
export type ProductInput = Schemas['ProductBody'];
export type ContactMessage = Schemas['QueryBody'];

/** The shop's own data, from its configuration. */
export type Shop = Schemas['Shop'];
