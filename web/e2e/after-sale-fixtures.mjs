// Fixtures of the tests about what follows a sale, on the real server. Every test has a product and a customer of its own.
import { newCustomer, placeOrder, send } from './customer-fixtures.mjs';
import { base, open, signIn, test, withVisitor } from './fixtures.mjs';

const ADMIN = 'admin@mirasa.example';
export const short = (order) => order._id.slice(-8).toUpperCase();

let productCount = 0;

async function addProduct(admin) {
  const body = {
    product_name: `After Masala ${process.pid} ${Date.now()} ${productCount++}`,
    category: ['Snacks'],
    ingredients: ['Cumin'],
    mrp: [60, 110],
    net_wt: [
      { value: 50, unit: 'g' },
      { value: 100, unit: 'g' },
    ],
    images: ['goda-masala pouch.webp'],
    stock: 5000,
    packaging_50gms: 50,
    packaging_100gms: 50,
  };
  return (await send(admin, 'POST', '/api/admin/addProduct', body)).product;
}

/** A test with a customer in one browser and an admin in another. */
export function testAfterSale(name, act, { viewport, ...options } = {}) {
  test(
    name,
    async ({ page: admin }) => {
      await signIn(admin, ADMIN);
      const product = await addProduct(admin);
      try {
        await withVisitor({ viewport }, async (shop) => {
          const email = await newCustomer(shop);
          await act({ admin, shop, product, email });
        });
      } finally {
        await admin.request.delete(`/api/admin/deleteProduct/${product._id}`, { headers: { origin: base } });
      }
    },
    options,
  );
}

/** Two packs of 50 g and one of 100 g, ₹230, paid unless `outcome` says otherwise. */
export const buy = (shop, product, outcome) => placeOrder(shop, product._id, 2, 1, outcome);

export const setStatus = (admin, order, orderStatus) =>
  send(admin, 'PUT', `/api/admin/orders/${order._id}/status`, { orderStatus });

export const stockOf = async (admin, product) => {
  const { products } = await send(admin, 'GET', `/api/admin/products?search=${product._id}`);
  const { stock, packaging_50gms, packaging_100gms } = products.find(({ _id }) => _id === product._id);
  return [stock, packaging_50gms, packaging_100gms];
};

/** Opens the order in the admin area, with its details. */
export async function openOrder(admin, order) {
  await open(admin, `/admins?section=orders&orderId=${order._id}`);
  await admin.getByRole('button', { name: `Show details of order ${short(order)}` }).click();
  return admin.getByRole('region', { name: 'Refunds' });
}

export const details = (shop, order) => shop.getByRole('dialog', { name: `Order #${short(order)}` });
