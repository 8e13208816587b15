// Replaces pages-lazy.ts in the server bundle: rendering is synchronous, so every page is imported up front.
import type { ComponentType } from 'react';
import About from '../pages/about-page';
import Checkout from '../pages/account/checkout-page';
import Orders from '../pages/account/orders-page';
import PaymentResult from '../pages/account/payment-result-page';
import Profile from '../pages/account/profile-page';
import Review from '../pages/account/review-page';
import StopEmails from '../pages/account/stop-emails-page';
import Wishlist from '../pages/account/wishlist-page';
import Admin from '../pages/admin-page';
import Category from '../pages/catalogue/category-page';
import Cuisine from '../pages/catalogue/cuisine-page';
import Product from '../pages/catalogue/product-page';
import Search from '../pages/catalogue/search-page';
import SimpleProducts from '../pages/catalogue/simple-products-page';
import SubProducts from '../pages/catalogue/sub-products-page';
import Contact from '../pages/contact-page';
import Home from '../pages/home-page';
import NotFound from '../pages/not-found-page';
import Cancellation from '../pages/policies/cancellation-page';
import Privacy from '../pages/policies/privacy-page';
import Shipping from '../pages/policies/shipping-page';
import Terms from '../pages/policies/terms-page';
import type { PageKey } from './page-keys';

const pages: Record<PageKey, ComponentType> = {
  home: Home,
  'sub-products': SubProducts,
  'simple-products': SimpleProducts,
  product: Product,
  search: Search,
  category: Category,
  cuisine: Cuisine,
  wishlist: Wishlist,
  review: Review,
  checkout: Checkout,
  'payment-result': PaymentResult,
  profile: Profile,
  orders: Orders,
  admin: Admin,
  about: About,
  contact: Contact,
  cancellation: Cancellation,
  privacy: Privacy,
  shipping: Shipping,
  terms: Terms,
  'stop-emails': StopEmails,
  'not-found': NotFound,
};

export async function loadPage(_key: PageKey): Promise<void> {}

export function pageComponent(key: PageKey): ComponentType {
  return pages[key];
}
