// What the stories of a signed-in shopper share: a fresh person for every story, their cart and addresses through the
// program's own calls, orders to show where the story is about the page and not about the program.
import assert from 'node:assert/strict';
import { base, desktop, eventually, phone, scenario, signIn } from './shop.mjs';

/** A story about what is said and done, which no width changes: told once, where there is least room. */
export const onAPhone = (name, act, options = {}) => scenario(name, act, { viewport: phone, ...options });

/** A story whose page is laid out differently on a phone and on a desk. */
export function story(name, act, options = {}) {
  scenario(`${name} (phone)`, act, { viewport: phone, ...options });
  scenario(`${name} (desktop)`, act, { viewport: desktop, ...options });
}

let people = 0;
export const newEmail = (name) => `${name}.${process.pid}.${Date.now()}.${people++}@example.com`;

export async function newShopper(page, path = '') {
  const email = newEmail('asha');
  await signIn(page, email, path);
  return email;
}

/** A call of the program, by whoever is signed in in this browser. */
export async function send(page, method, path, data) {
  const answer = await page.request.fetch(path, { method, data, headers: { origin: base } });
  assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

export const putIntoCart = (page, productId, qty_50g, qty_100g) =>
  send(page, 'POST', '/api/cart/add-to-cart', { productId, qty_50g, qty_100g });

export const home = {
  addressName: 'Home',
  name: 'Asha Kulkarni',
  phone: '9876543210',
  addressLine1: '12 Laxmi Road',
  addressLine2: 'Sadashiv Peth',
  city: 'Pune',
  state: 'Maharashtra',
  pincode: '411030',
  isDefault: true,
};

export async function saveAddress(page, changes = {}) {
  return (await send(page, 'POST', '/api/addresses', { ...home, ...changes })).address;
}

const cartButton = (page) => page.getByRole('banner').getByRole('button', { name: /^Cart/ });
/** What the cart button in the header says: 'Cart', 'Cart, 1 pack', … */
export const cartSays = (page, words) => eventually(() => cartButton(page).getAttribute('aria-label'), words);

/** Orders as the program would answer them. */
export function order(changes = {}) {
  // One for each pack size.
  const items = (productId, productName, qty_50g, qty_100g) =>
    [
      { quantity: qty_50g, price: 65, qty_50g, qty_100g: 0 },
      { quantity: qty_100g, price: 120, qty_50g: 0, qty_100g },
    ]
      .filter(({ quantity }) => quantity > 0)
      .map((item) => ({
        productId,
        productName,
        image: `${productId} pouch.webp`,
        ...item,
        lineTotal: item.quantity * item.price,
      }));
  return {
    _id: '0199f1c4-aaaa-7bbb-8ccc-12340a1b2c3d',
    merchantOrderId: 'MIR-STORY-1',
    userId: 'asha',
    createdAt: '2026-11-14T06:35:00Z',
    updatedAt: '2026-11-14T06:36:00Z',
    totalAmount: 620,
    paymentStatus: 'completed',
    orderStatus: 'confirmed',
    items: [
      ...items('goda-masala', 'Goda Masala', 2, 1),
      ...items('chai-masala', 'Chai Masala', 1, 0),
      ...items('rasam-powder', 'Rasam Powder', 1, 2),
    ],
    deliveryAddress: {
      name: home.name,
      phone: '+919876543210',
      addressLine1: home.addressLine1,
      addressLine2: home.addressLine2,
      city: home.city,
      state: home.state,
      pincode: home.pincode,
    },
    paymentDetails: { errorMessage: null },
    ...changes,
  };
}
