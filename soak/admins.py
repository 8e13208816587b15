"""Simulated admins: they restock, change prices, hide and show products, ship orders and delete orders. Every restocking
has a unique amount, so that the checker can count how often it was applied."""

from soak.customers import PRODUCT_IDS, SimulatedUser
from soak.run_context import VISIBILITY_PROBE_PRODUCT
from soak.shop import ADMIN


class Admin(SimulatedUser):
    amounts = iter(range(10_001, 1_000_000))

    def __init__(self, context, base, name):
        super().__init__(context, base, name)
        self.email = ADMIN

    async def do_one_task(self):
        tasks = [self.restock, self.restock, self.reprice, self.hide_or_show, self.ship, self.ship, self.ship, self.read_reports, self.delete]
        await self.rng.choice(tasks)()

    async def write(self, method, path, body, kind, **facts):
        """Sends a change. Records it before the request, because without a response the outcome is unknown, and again after
        a successful response."""
        self.context.record(f"{kind} requested", **facts)
        response = await self.request(method, path, body)
        if response.ok:
            self.context.record(kind, **facts)
        return response

    async def random_product(self):
        response = await self.request("GET", "/api/admin/products?limit=100")
        found = {product["_id"]: product for product in response.json().get("products", [])}
        return found.get(self.rng.choice(PRODUCT_IDS))

    async def restock(self):
        if product := await self.random_product():
            grams, p50, p100 = next(self.amounts), self.rng.randint(0, 9), self.rng.randint(0, 9)
            body = {"version": product["version"], "stock_change": grams, "packaging_50gms_change": p50, "packaging_100gms_change": p100}
            await self.write("PUT", f"/api/admin/updateProduct/{product['_id']}", body, "restock",
                             product=product["_id"], grams=grams, p50=p50, p100=p100)

    async def reprice(self):
        if product := await self.random_product():
            small = self.rng.randint(60, 120)
            mrp = [small, small * 2 - 10]
            await self.write("PUT", f"/api/admin/updateProduct/{product['_id']}", {"version": product["version"], "mrp": mrp},
                             "price", product=product["_id"], mrp=[rupees * 100 for rupees in mrp])

    async def hide_or_show(self):
        product = self.rng.choice([product for product in PRODUCT_IDS if product != VISIBILITY_PROBE_PRODUCT])
        response = await self.write("PUT", f"/api/admin/products/{product}/toggle-visibility", {}, "toggle", product=product)
        if response.ok and not response.json()["isVisible"]:
            # Shown again at once: while products are hidden, customers cannot order them.
            await self.write("PUT", f"/api/admin/products/{product}/toggle-visibility", {}, "toggle", product=product)

    async def ship(self):
        from_status, to_status = self.rng.choice([("confirmed", "shipped"), ("confirmed", "shipped"), ("shipped", "delivered")])
        response = await self.request("GET", f"/api/admin/orders?status={from_status}&limit=30")
        orders = response.json().get("orders", [])
        if orders:
            order = self.rng.choice(orders)["_id"]
            await self.write("PUT", f"/api/admin/orders/{order}/status", {"orderStatus": to_status}, "status", order=order, to=to_status)

    async def read_reports(self):
        await self.request("GET", self.rng.choice(["/api/admin/orders/export.csv", "/api/admin/users", "/api/admin/concerns"]))

    async def delete(self):
        if self.rng.random() < 0.8:
            return
        response = await self.request("GET", "/api/admin/orders?limit=50")
        orders = response.json().get("orders", [])
        if orders:
            order = self.rng.choice(orders)["_id"]
            await self.write("DELETE", f"/api/admin/orders/{order}", None, "delete", order=order)
