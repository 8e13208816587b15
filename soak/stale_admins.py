"""Simulated admins whose pages are old. They keep copies of the order list for seconds to minutes and act on what these show:
set statuses, cancel, pack, ship, delete, restore, refund, repeat refunds, resolve problems and answer cancellations, sometimes
without looking at the page at all, as a script with the plain API would. Meanwhile customers and other admins have changed the
orders. They also repeat requests with the same Idempotency-Key, with the same and with another body."""

from collections import deque

from soak.admins import Admin
from soak.customers import PRODUCT_IDS

# Pages that stay open. One is loaded in every third task, so the oldest is a minute old.
MAX_PAGES = 30
# Orders that one admin looks at again and again. All of them look at the same quarter of all orders, so that they meet.
MAX_WATCHED = 40
# Targets of a status change; the more frequent ones are listed more often.
TARGETS = ["shipped"] * 5 + ["delivered"] * 3 + ["confirmed"] * 4 + ["cancelled"] * 2 + ["pending", "N/A"]
CSV_HEADERS = "id,stock,stock_at_export,packaging_50gms,packaging_50gms_at_export,packaging_100gms,packaging_100gms_at_export"


def is_watched(order):
    return order["_id"][-1] in "0123"


class StaleAdmin(Admin):
    def __init__(self, context, base, name):
        super().__init__(context, base, name)
        self.missing_codes = []
        self.pages = deque(maxlen=MAX_PAGES)
        self.watched, self.deleted = deque(maxlen=MAX_WATCHED), []
        self.name, self.keys = name, 0

    async def do_one_task(self):
        if not self.pages or self.rng.random() < 0.35:
            await self.open_page()
        tasks = [self.set_status] * 6 + [self.cancel] * 3 + [self.pack_old] * 3 + [self.ship_old] * 3 + [self.refund_old] * 5
        tasks += [self.retry] * 3 + [self.refund_order_with_issue] + [self.resolve_old] * 2 + [self.answer_cancellation] * 3
        tasks += [self.delete_or_restore, self.type_tracking_number, self.receive_twice, self.import_twice, self.confirm_issue]
        await self.rng.choice(tasks)()

    # -- pages ------------------------------------------------------------------------------------------

    async def open_page(self):
        query = self.rng.choice(["", "", "&status=confirmed", "&status=shipped", "&status=pending"])
        if self.watched and self.rng.random() < 0.6:
            query = f"&orderId={self.rng.choice(self.watched)}"
        response = await self.request("GET", f"/api/admin/orders?limit=60{query}")
        if response.ok:
            orders = [order for order in response.json()["orders"] if is_watched(order)]
            self.pages.append((self.context.now(), orders))
            self.watched.extend(order["_id"] for order in orders if order["_id"] not in self.watched)

    def orders_on_pages(self, wanted=lambda order: True):
        """[(when the page had arrived, order)] of one page."""
        if not self.pages:
            return []
        # The last one, or any earlier one.
        arrived, orders = self.pages[-1] if self.rng.random() < 0.4 else self.rng.choice(self.pages)
        return [(arrived, order) for order in orders if wanted(order)]

    def pick(self, wanted=lambda order: True):
        found = self.orders_on_pages(wanted)
        return self.rng.choice(found) if found else (None, None)

    # -- statuses ---------------------------------------------------------------------------------------

    def as_console(self, order, body):
        """The console sends what the page shows; a script with the plain API does not."""
        if self.rng.random() < 0.4:
            return body
        seen = {"seenStatus": order["orderStatus"]}
        if "version" in order:
            seen["version"] = order["version"]
        if self.rng.random() < 0.1:
            seen |= {"evenIfRefunded": True, "evenIfUnpaid": True, "evenIfRepeated": True}
        return {**seen, **body}

    async def change_status(self, order, arrived, body):
        path, body = f"/api/admin/orders/{order['_id']}/status", self.as_console(order, body)
        return await self.change_order("status", order["_id"], "PUT", path, body, seen=arrived,
                                       seen_paid=order["paymentStatus"] == "completed")

    async def set_status(self):
        arrived, order = self.pick()
        if order and (to := self.rng.choice(TARGETS)) != order["orderStatus"]:
            await self.change_status(order, arrived, {"orderStatus": to})

    async def cancel(self):
        arrived, order = self.pick(lambda order: order["orderStatus"] != "cancelled")
        if order:
            body = {"orderStatus": "cancelled", "refund": self.rng.random() < 0.6, "restock": self.rng.random() < 0.5}
            await self.change_status(order, arrived, body)

    async def answer_cancellation(self):
        arrived, order = self.pick(lambda order: order.get("cancellation") and not order["cancellation"]["decision"])
        if order:
            body = {"accept": self.rng.random() < 0.6, "restock": self.rng.random() < 0.7, "message": "Soak"}
            await self.change_order("answer", order["_id"], "PUT", f"/api/admin/orders/{order['_id']}/cancellation", body, seen=arrived)

    async def delete_or_restore(self):
        if self.deleted and self.rng.random() < 0.5:
            order = self.deleted.pop()
            await self.change_order("restore", order, "PUT", f"/api/admin/orders/{order}/restore", {})
            return
        arrived, order = self.pick()
        if order and self.rng.random() < 0.3:
            query = f"?version={order['version']}" if "version" in order and self.rng.random() < 0.5 else ""
            response = await self.change_order("delete", order["_id"], "DELETE", f"/api/admin/orders/{order['_id']}{query}", seen=arrived)
            if response.ok:
                self.deleted.append(order["_id"])

    # -- packing and parcels ----------------------------------------------------------------------------

    def even_if_refunded(self):
        return {"evenIfRefunded": True} if self.rng.random() < 0.15 else {}

    async def pack_old(self):
        found = self.orders_on_pages(lambda order: order["orderStatus"] == "confirmed" and not order["packedAt"])
        chosen = [order["_id"] for _, order in self.rng.sample(found, min(len(found), self.rng.randint(1, 3)))]
        if chosen:
            await self.change_orders("pack", chosen, "PUT", "/api/admin/orders/packed", {"orders": chosen, **self.even_if_refunded()})

    async def ship_old(self):
        found = self.orders_on_pages(lambda order: order["packedAt"])
        chosen = [order["_id"] for _, order in self.rng.sample(found, min(len(found), self.rng.randint(1, 2)))]
        if chosen:
            await self.change_orders("parcel", chosen, "POST", "/api/admin/shipments", {"orders": chosen, **self.even_if_refunded()})

    async def type_tracking_number(self):
        arrived, order = self.pick(lambda order: order["packedAt"] and not order["shipment"])
        if order:
            body = {"courier": "By hand", "trackingNumber": f"HAND-{order['_id'][-8:]}", **self.even_if_refunded()}
            await self.change_order("tracking", order["_id"], "PUT", f"/api/admin/orders/{order['_id']}/tracking", body, seen=arrived)

    # -- refunds and problems ---------------------------------------------------------------------------

    def refund_body(self, order):
        """Some packs, an amount, or everything; also for orders whose payment failed: their packs are back in stock."""
        body = {"reason": "Soak, an old page", "restock": self.rng.random() < 0.5}
        choice = self.rng.random()
        if choice < 0.5 and order["items"]:
            item = self.rng.choice(order["items"])
            size = "qty_50g" if item["qty_50g"] else "qty_100g"
            body["lines"] = [{"productId": item["productId"], size: self.rng.randint(1, item[size])}]
        elif choice < 0.7:
            body |= {"amount": self.rng.randint(1, max(1, int(order["totalAmount"]))), "restock": False}
        return body

    async def refund_old(self):
        arrived, order = self.pick(lambda order: order["paymentStatus"] != "pending")
        if not order:
            return
        body, path = self.refund_body(order), f"/api/admin/orders/{order['_id']}/refunds"
        if "version" in order and self.rng.random() < 0.3:
            body["version"] = order["version"]
        headers = {"Idempotency-Key": self.new_key()} if self.rng.random() < 0.5 else None
        response = await self.change_order("refund", order["_id"], "POST", path, body, headers=headers, seen=arrived)
        self.record_refund(response)
        if headers and response.ok:
            again = await self.change_order("refund", order["_id"], "POST", path, body, headers=headers)
            is_same = again.ok and again.json()["refund"]["_id"] == response.json()["refund"]["_id"]
            # 404: the order was deleted in between.
            if not is_same and again.status not in (401, 404, 502, 503):
                self.context.fail(f"a repeated request for a refund of order {order['_id']} returns {again}")
            await self.reuse_key("refund", "POST", path, {**body, "reason": "Another one"}, headers)

    async def retry(self):
        arrived, order = self.pick(lambda order: any(refund["state"] == "failed" for refund in order["refunds"]))
        if order:
            failed = self.rng.choice([refund for refund in order["refunds"] if refund["state"] == "failed"])
            if failed["lines"] and self.rng.random() < 0.5:
                # Somebody else has refunded the same packs in the meantime.
                lines = [{"productId": line["productId"], "qty_50g": line["qty_50g"], "qty_100g": line["qty_100g"]} for line in failed["lines"]]
                body, path = {"reason": "Soak, instead of a failed one", "lines": lines}, f"/api/admin/orders/{order['_id']}/refunds"
                self.record_refund(await self.change_order("refund", order["_id"], "POST", path, body))
            path = f"/api/admin/refunds/{failed['_id']}/retry"
            self.record_refund(await self.change_order("refund", order["_id"], "POST", path, {}, seen=arrived))

    async def resolve_old(self):
        arrived, order = self.pick(lambda order: any(problem["state"] == "open" for problem in order["problems"]))
        if order:
            problem = self.rng.choice([problem["_id"] for problem in order["problems"] if problem["state"] == "open"])
            body = {"action": self.rng.choice(["replace", "replace", "refund", "refund", "decline"]), "message": "Soak"}
            if self.rng.random() < 0.15:
                body["evenIfRepeated"] = True
            await self.change_order("problem", order["_id"], "PUT", f"/api/admin/problems/{problem}", body, seen=arrived)

    async def refund_order_with_issue(self):
        """Also one whose payment had a wrong amount: it has released its packs, so none can come back."""
        response = await self.request("GET", "/api/admin/concerns")
        issues = [issue for issue in response.json().get("concerns", []) if issue["kind"] in ("amount mismatch", "late payment", "refund failed")]
        if issues:
            order = self.rng.choice(issues)["orderId"]
            body = {"reason": "Soak, an issue", "restock": True}
            self.record_refund(await self.change_order("refund", order, "POST", f"/api/admin/orders/{order}/refunds", body))

    async def confirm_issue(self):
        """The owner keeps the money of a cancelled order, or has seen that a refunded one was sent."""
        response = await self.request("GET", "/api/admin/concerns")
        if issues := response.json().get("concerns", []):
            issue = self.rng.choice(issues)
            await self.request("PUT", f"/api/admin/concerns/{issue['_id']}/settle", {"reason": "Soak, agreed with the customer"})

    # -- repeated requests ------------------------------------------------------------------------------

    def new_key(self):
        self.keys += 1
        return f"{self.name}-{self.keys}"

    async def reuse_key(self, what, method, path, body, headers, **options):
        """The same key with another body must be rejected, as the checkout does."""
        response = await self.request(method, path, body, headers=headers, **options)
        self.context.record("key used again", what=what, status=response.status, code=response.json().get("code"))

    async def receive_twice(self):
        product, grams = self.rng.choice(PRODUCT_IDS), next(self.amounts)
        body = {"kind": "receive", "grams": grams, "pouches50g": 1, "pouches100g": 0}
        path, headers = f"/api/admin/stock/{product}/movements", {"Idempotency-Key": self.new_key()}
        facts = {"product": product, "grams": grams, "p50": 1, "p100": 0}
        self.context.record("restock requested", **facts)
        for _ in range(self.rng.randint(1, 3)):
            response = await self.request("POST", path, body, headers=headers)
        if response.ok:
            self.context.record("restock", **facts)
            await self.reuse_key("stock", "POST", path, {**body, "grams": next(self.amounts)}, headers)

    async def import_twice(self):
        """A file that adds to the stock, imported again after a timeout or by a second click."""
        product = await self.random_product()
        if not product:
            return
        name, grams, key = product["_id"], next(self.amounts), self.new_key()
        facts = {"product": name, "grams": grams, "p50": 0, "p100": 2}
        self.context.record("restock requested", is_import=True, **facts)
        for _ in range(self.rng.randint(1, 3)):
            response = await self.import_file(product, grams, key)
        if response.ok and response.json().get("applied"):
            self.context.record("restock", **facts)
            other = await self.import_file(product, next(self.amounts), key)
            self.context.record("key used again", what="import", status=other.status, code=other.json().get("code"))

    async def import_file(self, product, grams, key):
        stock, small, large = product["stock"], product["packaging_50gms"], product["packaging_100gms"]
        file = f"{CSV_HEADERS}\r\n{product['_id']},{stock + grams},{stock},{small},{small},{large + 2},{large}\r\n"
        form = f'--soak\r\nContent-Disposition: form-data; name="file"; filename="products.csv"\r\nContent-Type: text/csv\r\n\r\n{file}\r\n--soak--\r\n'
        headers = {"Content-Type": "multipart/form-data; boundary=soak", "Idempotency-Key": key}
        return await self.request("POST", "/api/admin/products/import", raw=form.encode(), headers=headers)
