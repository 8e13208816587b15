"""The owner's people: they restock, change prices, hide and show products, ship parcels and tidy up. Every
restocking has an amount of its own, so that it can be found again: once, never, or twice."""

from soak.people import PRODUCTS, Person
from soak.shop import ADMIN
from soak.world import NOT_FOR_ADMINS_TO_HIDE


class Admin(Person):
    amounts = iter(range(10_001, 1_000_000))

    def __init__(self, world, base, name):
        super().__init__(world, base, name)
        self.email = ADMIN

    async def errand(self):
        deeds = [self.restock, self.restock, self.reprice, self.hide_or_show, self.ship, self.ship, self.ship, self.look, self.delete]
        await self.dice.choice(deeds)()

    async def write(self, method, path, body, kind, **facts):
        """Noted before it is asked, because without an answer nobody knows; and noted again when answered."""
        self.world.note(f"{kind} asked", **facts)
        answer = await self.call(method, path, body)
        if answer.ok:
            self.world.note(kind, **facts)
        return answer

    async def product(self):
        answer = await self.call("GET", "/api/admin/products?limit=100")
        found = {product["_id"]: product for product in answer.json().get("products", [])}
        return found.get(self.dice.choice(PRODUCTS))

    async def restock(self):
        if product := await self.product():
            grams, p50, p100 = next(self.amounts), self.dice.randint(0, 9), self.dice.randint(0, 9)
            body = {"version": product["version"], "stock_change": grams, "packaging_50gms_change": p50, "packaging_100gms_change": p100}
            await self.write("PUT", f"/api/admin/updateProduct/{product['_id']}", body, "restock",
                             product=product["_id"], grams=grams, p50=p50, p100=p100)

    async def reprice(self):
        if product := await self.product():
            small = self.dice.randint(60, 120)
            mrp = [small, small * 2 - 10]
            await self.write("PUT", f"/api/admin/updateProduct/{product['_id']}", {"version": product["version"], "mrp": mrp},
                             "price", product=product["_id"], mrp=[rupees * 100 for rupees in mrp])

    async def hide_or_show(self):
        product = self.dice.choice([product for product in PRODUCTS if product != NOT_FOR_ADMINS_TO_HIDE])
        answer = await self.write("PUT", f"/api/admin/products/{product}/toggle-visibility", {}, "toggle", product=product)
        if answer.ok and not answer.json()["isVisible"]:
            # Not for long: a shop with everything hidden sells nothing.
            await self.write("PUT", f"/api/admin/products/{product}/toggle-visibility", {}, "toggle", product=product)

    async def ship(self):
        was, to = self.dice.choice([("confirmed", "shipped"), ("confirmed", "shipped"), ("shipped", "delivered")])
        answer = await self.call("GET", f"/api/admin/orders?status={was}&limit=30")
        orders = answer.json().get("orders", [])
        if orders:
            order = self.dice.choice(orders)["_id"]
            await self.write("PUT", f"/api/admin/orders/{order}/status", {"orderStatus": to}, "status", order=order, to=to)

    async def look(self):
        await self.call("GET", self.dice.choice(["/api/admin/orders/export.csv", "/api/admin/users", "/api/admin/concerns"]))

    async def delete(self):
        if self.dice.random() < 0.8:
            return
        answer = await self.call("GET", "/api/admin/orders?limit=50")
        orders = answer.json().get("orders", [])
        if orders:
            order = self.dice.choice(orders)["_id"]
            await self.write("DELETE", f"/api/admin/orders/{order}", None, "delete", order=order)
