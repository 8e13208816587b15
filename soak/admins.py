"""Simulated admins: they add discount codes, restock, change prices, hide and show products, pack, ship, refund and delete orders, repeat
failed refunds and resolve problems. Every restocking has a unique amount, so that the checker can count how often it was
applied."""

import asyncio
import time

from soak.customers import PRODUCT_IDS, SimulatedUser
from soak.run_context import VISIBILITY_PROBE_PRODUCT
from soak.shop import ADMIN


# Each kind of limit. Customers try all of them.
CODES = [
    {"code": "SOAK-TEN", "kind": "percent", "value": 10},
    {"code": "SOAK-ODD", "kind": "percent", "value": 14.29, "products": ["goda-masala", "chai-masala"]},
    {"code": "SOAK-FEW", "kind": "amount", "value": 33.33, "maxUses": 12},
    {"code": "SOAK-ONCE", "kind": "percent", "value": 25, "oncePerCustomer": True, "minTotal": 150},
    {"code": "SOAK-FIRST", "kind": "amount", "value": 50, "firstOrderOnly": True},
    {"code": "SOAK-FREE", "kind": "percent", "value": 100, "maxUses": 8, "oncePerCustomer": True},
]


# Changes of orders with another name in the record of the run.
CHANGES = {"ended": "status"}


class Admin(SimulatedUser):
    amounts = iter(range(10_001, 1_000_000))

    def __init__(self, context, base, name, receives_batches=True):
        super().__init__(context, base, name)
        self.email = ADMIN
        self.receives_batches = receives_batches
        self.missing_codes = list(CODES)

    async def do_one_task(self):
        if self.missing_codes:
            # 409: the other admin has added it.
            response = await self.request("POST", "/api/admin/discounts", self.missing_codes[0])
            if response.ok or response.status == 409:
                self.missing_codes.pop(0)
        tasks = [self.restock, self.restock, self.reprice, self.hide_or_show, self.ship, self.ship, self.pack, self.pack, self.read_reports,
                 self.delete, self.refund, self.resolve_problem, self.ship_parcels, self.ship_parcels, self.ship_parcels, self.handle_parcels]
        await self.rng.choice(tasks)()

    async def write(self, method, path, body, kind, **facts):
        """Sends a change. Records it before the request, because without a response the outcome is unknown, and again after
        a successful response."""
        self.context.record(f"{kind} requested", **facts)
        if "order" in facts:
            response = await self.change_order(CHANGES.get(kind, kind), facts["order"], method, path, body)
        else:
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
            name, grams, p50, p100 = product["_id"], next(self.amounts), self.rng.randint(0, 9), self.rng.randint(0, 9)
            received = {"grams": grams, "pouches50g": p50, "pouches100g": p100}
            ways = [
                ("PUT", f"/api/admin/updateProduct/{name}",
                 {"version": product["version"], "stock_change": grams, "packaging_50gms_change": p50, "packaging_100gms_change": p100}),
                ("POST", f"/api/admin/stock/{name}/movements", {"kind": "receive", **received}),
                ("POST", "/api/admin/batches",
                 {"productId": name, "number": f"S-{grams}", "bestBefore": f"2099-0{self.rng.randint(1, 9)}-01", **received}),
            ]
            method, path, body = self.rng.choice(ways if self.receives_batches else ways[:2])
            await self.write(method, path, body, "restock", product=name, grams=grams, p50=p50, p100=p100)

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

    async def pack(self):
        """Some confirmed orders in one request. Another admin may cancel one of them; then none is packed."""
        response = await self.request("GET", "/api/admin/orders?status=confirmed&limit=30")
        orders = [order["_id"] for order in response.json().get("orders", []) if not order["packedAt"]]
        if orders:
            chosen = self.rng.sample(orders, min(len(orders), self.rng.randint(1, 4)))
            response = await self.change_orders("pack", chosen, "PUT", "/api/admin/orders/packed", {"orders": chosen})
            for order in response.json().get("orders", []) if response.ok else []:
                if order["invoice"]:
                    self.context.record("packed", order=order["_id"])

    async def ship_parcels(self):
        """Some packed orders with the delivery partner, sometimes twice at once."""
        response = await self.request("GET", "/api/admin/shipments?limit=1")
        orders = [order["orderId"] for order in response.json().get("toShip", [])]
        if not orders:
            return
        body = {"orders": self.rng.sample(orders, min(len(orders), self.rng.randint(1, 4))), "rule": self.rng.choice(["cheapest", "fastest"])}
        second = self.visitor.new_tab()
        try:
            tabs = [self.visitor, second] if self.rng.random() < 0.3 else [self.visitor]
            requests = [self.change_orders("parcel", body["orders"], "POST", "/api/admin/shipments", body, tab) for tab in tabs]
            for response in await asyncio.gather(*requests):
                for parcel in response.json()["shipments"] if response.ok else []:
                    self.context.record("parcel", id=parcel["_id"], order=parcel["orderId"])
        finally:
            second.close()

    async def handle_parcels(self):
        """Decides about parcels that came back, cancels one, or prints labels."""
        response = await self.request("GET", "/api/admin/shipments?limit=50")
        parcels = response.json().get("shipments", [])
        if labels := [parcel["_id"] for parcel in parcels if parcel["hasLabel"]][:5]:
            await self.request("GET", "/api/admin/labels.pdf?shipments=" + ",".join(labels))
        if undecided := [parcel for parcel in parcels if parcel["needsDecision"]]:
            parcel = self.rng.choice(undecided)
            if parcel["status"] == "returned" and self.rng.random() < 0.5:
                body = {"orders": [parcel["orderId"]]}
                await self.change_orders("parcel", body["orders"], "POST", "/api/admin/shipments", body)
            else:
                body = {"orderStatus": "cancelled", "refund": True, "restock": parcel["status"] == "returned"}
                await self.write("PUT", f"/api/admin/orders/{parcel['orderId']}/status", body, "ended", order=parcel["orderId"])
        elif cancellable := [parcel["_id"] for parcel in parcels if parcel["isCancellable"]]:
            if self.rng.random() < 0.2:
                await self.request("POST", f"/api/admin/shipments/{self.rng.choice(cancellable)}/cancel", {})

    async def refund(self):
        """An amount, some packs or everything, sometimes twice at once; or a failed refund again."""
        response = await self.request("GET", "/api/admin/orders?limit=30")
        orders = [order for order in response.json().get("orders", []) if order["refundableAmount"] >= 1]
        if not orders:
            return
        order = self.rng.choice(orders)
        retried = {refund["retryOf"] for refund in order["refunds"]}
        failed = [refund["_id"] for refund in order["refunds"] if refund["state"] == "failed" and refund["_id"] not in retried]
        if failed and self.rng.random() < 0.7:
            return self.record_refund(await self.change_order("refund", order["_id"], "POST", f"/api/admin/refunds/{failed[0]}/retry", {}))
        body = {"reason": "Soak", "restock": False}
        choice = self.rng.random()
        if choice < 0.4:
            body["amount"] = self.rng.randint(1, int(order["refundableAmount"]))
        elif choice < 0.8:
            item = self.rng.choice(order["items"])
            size = "qty_50g" if item["qty_50g"] else "qty_100g"
            body |= {"lines": [{"productId": item["productId"], size: 1}], "restock": self.rng.random() < 0.5}
        else:
            body["restock"] = self.rng.random() < 0.5
        path = f"/api/admin/orders/{order['_id']}/refunds"
        second = self.visitor.new_tab()
        try:
            tabs = [self.visitor, second] if self.rng.random() < 0.3 else [self.visitor]
            requests = [self.change_order("refund", order["_id"], "POST", path, body, visitor=tab) for tab in tabs]
            for response in await asyncio.gather(*requests):
                self.record_refund(response)
        finally:
            second.close()

    def record_refund(self, response):
        if response.ok:
            refund = response.json()["refund"]
            self.context.record("refund", id=refund["_id"], amount=round(refund["amount"] * 100))

    async def resolve_problem(self):
        response = await self.request("GET", "/api/admin/problems?state=open&limit=20")
        if problems := response.json().get("problems", []):
            problem = self.rng.choice(problems)
            body = {"action": self.rng.choice(["replace", "refund", "decline"]), "message": "Soak"}
            await self.change_order("problem", problem["orderId"], "PUT", f"/api/admin/problems/{problem['_id']}", body)

    async def read_reports(self):
        await self.request("GET", self.rng.choice(["/api/admin/orders/export.csv", "/api/admin/users", "/api/admin/concerns", "/api/admin/discounts",
                                                    f"/api/admin/invoices?month={time.strftime('%Y-%m')}"]))

    async def delete(self):
        if self.rng.random() < 0.8:
            return
        response = await self.request("GET", "/api/admin/orders?limit=50")
        orders = response.json().get("orders", [])
        if orders:
            order = self.rng.choice(orders)["_id"]
            await self.write("DELETE", f"/api/admin/orders/{order}", None, "delete", order=order)
