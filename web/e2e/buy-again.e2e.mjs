// Buy it again, on the real server: what is available goes into the cart, and what is missing or costs more is said.
import { buy, details, testAfterSale } from './after-sale-fixtures.mjs';
import { expectNoViolations } from './axe.mjs';
import { expectCartLabel, send } from './customer-fixtures.mjs';
import { open } from './fixtures.mjs';

testAfterSale('Buy it again: from the card, and by the link of an email', async ({ admin, shop, product }) => {
  const order = await buy(shop, product);
  await open(shop, `/orders?buy-again=${order._id}`);
  const dialog = details(shop, order);
  await dialog.getByText('Hungry for the same?').waitFor();
  await expectCartLabel(shop, 'Cart');
  await dialog.getByRole('button', { name: /^Buy it again/ }).click();
  const cart = shop.getByRole('dialog', { name: 'Your Cart' });
  await cart.getByRole('link', { name: product.product_name }).first().waitFor();
  await cart.getByRole('button', { name: 'Close' }).click();
  await expectCartLabel(shop, 'Cart, 3 packs');
  await send(shop, 'DELETE', '/api/cart/api/cart/clear');

  const { version } = (await send(admin, 'GET', `/api/products/api/productInfo/${product._id}`)).product;
  await send(admin, 'PUT', `/api/admin/updateProduct/${product._id}`, {
    ...product,
    version,
    mrp: [72, 110],
    packaging_100gms: 0,
  });
  await open(shop, '/orders');
  await shop.getByRole('button', { name: /^Buy it again/ }).click();
  await cart.getByText('Not everything is as you ordered it').waitFor();
  await cart.getByText(`${product.product_name} (100 g) is sold out.`).waitFor();
  await cart.getByText(`${product.product_name} (50 g) costs ₹72 now, ₹60 before.`).waitFor();
  await expectNoViolations(shop, 'cart with a note');
  await cart.getByRole('button', { name: 'Close' }).click();
  await expectCartLabel(shop, 'Cart, 2 packs');
});
