// Replaces pages-lazy.ts in the server bundle: rendering is synchronous, so every page is imported up front.
import type { ComponentType } from 'react';
import type { PageKey } from './page-keys';
import About from './pages/about-page';
import Admin from './pages/admin-page';
import Cancellation from './pages/cancellation-page';
import Category from './pages/category-page';
import Checkout from './pages/checkout-page';
import Contact from './pages/contact-page';
import Cuisine from './pages/cuisine-page';
import Home from './pages/home-page';
import NotFound from './pages/not-found-page';
import Orders from './pages/orders-page';
import PaymentResult from './pages/payment-result-page';
import Privacy from './pages/privacy-page';
import Product from './pages/product-page';
import Profile from './pages/profile-page';
import Review from './pages/review-page';
import Search from './pages/search-page';
import Shipping from './pages/shipping-page';
import SimpleProducts from './pages/simple-products-page';
import StopEmails from './pages/stop-emails-page';
import SubProducts from './pages/sub-products-page';
import Terms from './pages/terms-page';
import Wishlist from './pages/wishlist-page';

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
