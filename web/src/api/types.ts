// Names for the types of the API. The types are generated from the server's OpenAPI description (`npm run gen:api` writes
// schema.gen.ts from api/openapi.json); only this file names its components.
import type { components } from './schema.gen';

type Schemas = components['schemas'];

export type Product = Schemas['Product'];
export type Image = Schemas['Image'];
export type ProductListResponse = Schemas['ProductListResponse'];
export type Filters = Schemas['FiltersResponse'];
export type SearchResult = Schemas['SearchResult'];
export type PincodeResponse = Schemas['PincodeResponse'];
export type User = Schemas['User'];
export type Cart = Schemas['Cart'];
export type CartItem = Schemas['CartItem'];
export type WishlistItem = Schemas['WishlistItem'];
export type Address = Schemas['Address'];
export type Order = Schemas['Order'];
export type OrderItem = Schemas['OrderItem'];
export type OrderStatus = Schemas['OrderStatus'];
export type PaymentStatus = Schemas['PaymentStatus'];
export type OrderPage = Schemas['OrderPageResponse'];
export type OrderEvent = Schemas['OrderEvent'];
export type Invoice = Schemas['Invoice'];
export type InvoicesOfMonth = Schemas['InvoicesResponse'];
export type Discount = Schemas['Discount'];
export type DiscountInput = Schemas['DiscountRequest'];
export type Overview = Schemas['OverviewResponse'];
export type OverviewFigures = Schemas['OverviewFigures'];
export type ProductSales = Schemas['ProductSales'];
export type Refund = Schemas['Refund'];
export type RefundState = Schemas['RefundState'];
export type RefundInput = Schemas['RefundRequest'];
export type Problem = Schemas['Problem'];
export type ProblemLine = Schemas['ProblemLine'];
export type ProblemState = Schemas['ProblemState'];
export type ProblemAction = Schemas['ProblemAction'];
export type ListedProblem = Schemas['ListedProblem'];
export type ProblemPage = Schemas['ProblemPageResponse'];
export type ProductImport = Schemas['ProductImportResponse'];
export type BuyAgainResponse = Schemas['BuyAgainResponse'];
export type ChangedItem = Schemas['ChangedItem'];
export type ProductPage = Schemas['ProductPageResponse'];
export type OrderIssue = Schemas['OrderIssue'];
export type Message = Schemas['ContactMessage'];
export type MessagePage = Schemas['ContactMessagePageResponse'];
export type Rating = Schemas['Rating'];
export type Review = Schemas['Review'];
export type ReviewPage = Schemas['ReviewPage'];
export type OwnReview = Schemas['OwnReview'];
export type OwnReviews = Schemas['OwnReviewsResponse'];
export type RequestedReviews = Schemas['RequestedReviewsResponse'];
export type RequestedProduct = Schemas['RequestedProduct'];
export type ListedReview = Schemas['ListedReview'];
export type ListedReviewPage = Schemas['AdminReviewPageResponse'];
export type Shipment = Schemas['Shipment'];
export type ShipmentStatus = Schemas['ShipmentStatus'];
export type OrderShipment = Schemas['OrderShipment'];
export type ShipmentPage = Schemas['ShipmentPageResponse'];
export type ShipmentSummary = Schemas['ShipmentSummary'];
export type OrderToShip = Schemas['OrderToShip'];
export type ShipInput = Schemas['ShipRequest'];
export type CourierQuote = Schemas['CourierQuote'];
export type TrackingInput = Schemas['TrackingRequest'];
export type Reservation = Schemas['Reservation'];
export type ReservedStock = Schemas['ReservedStockResponse'];
export type AuditEntry = Schemas['AuditEntry'];
export type CheckoutResponse = Schemas['CheckoutResponse'];
export type WishlistResponse = Schemas['WishlistResponse'];
export type UserResponse = Schemas['UserResponse'];
/** What went wrong; docs/errors.md has the meanings. */
export type ErrorCode = Schemas['ErrorCode'];
export type AddressInput = Schemas['AddressRequest'];
export type ProductInput = Schemas['ProductRequest'];
export type ContactMessage = Schemas['ContactRequest'];

/** The shop's own data, from its configuration. */
export type Shop = Schemas['Shop'];
