"""Simulated customers: they browse, sign in, fill carts, check out, pay, fail to pay, abandon payments, pay on an old page,
use two tabs and discount codes, cancel, report problems and buy again. They record every response that the server must honour."""

import asyncio
import json

from soak.run_context import CATALOGUE
from soak.web import NoResponse, Visitor, fetch

PRODUCT_IDS = [name.lower().replace(" ", "-") for name, *_ in CATALOGUE]
PATHS = ["/", "/products", "/product/goda-masala", "/product/falafel-mix", "/api/products/api/productInfo",
         "/api/products/api/trending", "/api/products/api/filters", "/api/api/products/search?q=masala", "/api/shop"]
HOME_ADDRESS = {"addressName": "Home", "name": "Asha Kulkarni", "phone": "9876543210", "addressLine1": "12 Laxmi Road",
                "addressLine2": "Flat 4", "city": "Pune", "state": "Maharashtra", "pincode": "411030"}


DISCOUNT_CODES = ["SOAK-TEN", "SOAK-ODD", "SOAK-FEW", "SOAK-ONCE", "SOAK-FIRST", "SOAK-FREE", "NO-SUCH-CODE"]
# The page of the shop that shows the result of a payment. A free order has no payment page.
RESULT_PAGE = "/payment/status?"


class SimulatedUser:
    """A user with one HTTP client. Fails the run on responses that the server must never send."""

    def __init__(self, context, base, name):
        self.context, self.rng = context, context.rng(name)
        self.email = f"{name}@soak.example"
        self.visitor = Visitor(base)
        self.signed_in = False

    async def run(self, pace):
        await asyncio.sleep(self.rng.uniform(0, pace))
        while not self.context.stopping:
            try:
                if not self.signed_in:
                    self.signed_in = await self.visitor.sign_in(self.email)
                    self.context.count("signed in" if self.signed_in else "could not sign in")
                if self.signed_in:
                    await self.do_one_task()
            except NoResponse:
                self.context.count("no response")
                await asyncio.sleep(self.rng.uniform(0.1, 0.6))
            await asyncio.sleep(self.rng.uniform(0, pace))

    async def request(self, method, path, body=None, visitor=None, **options):
        """Sends one request. A 5xx other than a well-formed 503, or nginx's 502, fails the run."""
        response = await (visitor or self.visitor).request(method, path, body, **options)
        self.context.count(f"response {response.status}")
        if response.status == 401:
            self.signed_in = False
        elif response.status == 503:
            if "retry-after" not in response.headers:
                self.context.fail(f"{method} {path}: 503 without Retry-After")
            if path.startswith("/api/") and not response.json().get("error"):
                self.context.fail(f"{method} {path}: 503 without an error message: {response}")
        elif response.status >= 500 and response.status != 502:
            self.context.fail(f"{method} {path}: {response}")
        return response

    async def change_orders(self, what, orders, method, path, body=None, visitor=None, seen=None, headers=None, **facts):
        """Sends a change of orders and records when it was sent and answered: a change that was answered before another one was
        sent came first, whatever the server's clock says. Without a response nobody knows whether it took effect.
        `seen`: when the page with the order had arrived."""
        sent, status, answer = self.context.now(), None, {}
        try:
            response = await self.request(method, path, body, visitor, headers=headers)
            status, answer = response.status, response.json()
            return response
        finally:
            changed = answer.get("order") or {}
            # Some of the orders may have been left out.
            if "orders" in answer or "shipments" in answer:
                orders = [row["_id"] for row in answer.get("orders", [])] + [row["orderId"] for row in answer.get("shipments", [])]
            self.context.record("change", what=what, orders=orders, sent=sent, status=status, code=answer.get("code"), body=body or {},
                                seen=seen, **facts, is_now=changed.get("orderStatus"), version=changed.get("version"),
                                path=path, refund=(answer.get("refund") or {}).get("_id") or (answer.get("problem") or {}).get("refundId"))

    async def change_order(self, what, order, method, path, body=None, **options):
        return await self.change_orders(what, [order], method, path, body, **options)


class Customer(SimulatedUser):
    def __init__(self, context, base, name):
        super().__init__(context, base, name)
        self.address = None
        self.checkouts = 0
        # Orders on pages that are still open.
        self.cancellable = []

    async def do_one_task(self):
        for _ in range(self.rng.randint(1, 3)):
            await self.request("GET", self.rng.choice(PATHS))
        choice = self.rng.random()
        if choice < 0.05:
            self.signed_in = False
            await self.visitor.get("/api/auth/logout")
        elif choice < 0.1:
            await self.send_message()
        elif choice < 0.2:
            await self.pay_again()
        elif choice < 0.27:
            await self.cancel()
        elif choice < 0.33:
            await self.report_problem()
        elif choice < 0.35:
            await self.buy_again()
        else:
            await self.buy()

    async def send_message(self):
        text = f"{self.email} sends {self.rng.getrandbits(64):x}"
        response = await self.request("POST", "/api/api/queries", {"name": "Asha", "email": self.email, "message": text})
        if response.ok:
            self.context.record("message", text=text)

    async def fill_cart(self):
        for product in self.rng.sample(PRODUCT_IDS, self.rng.randint(1, 3)):
            packs = {"productId": product, "qty_50g": self.rng.randint(0, 2), "qty_100g": self.rng.randint(0, 2)}
            if packs["qty_50g"] + packs["qty_100g"]:
                await self.request("POST", "/api/cart/add-to-cart", packs)

    async def ensure_address(self):
        if self.address is None:
            response = await self.request("POST", "/api/addresses", HOME_ADDRESS)
            if response.ok:
                self.address = response.json()["address"]["_id"]
                self.context.record("address", id=self.address, email=self.email)
        return self.address is not None

    async def buy(self):
        if self.rng.random() < 0.3:
            await self.request("DELETE", "/api/cart/api/cart/clear")
        await self.fill_cart()
        if self.rng.random() < 0.45:
            response = await self.request("PUT", "/api/cart/discount", {"code": self.rng.choice(DISCOUNT_CODES)})
            self.context.count(f"code {response.status}")
        if not await self.ensure_address():
            return
        if self.rng.random() < 0.1:
            return await self.two_tabs()
        payment = await self.check_out()
        if payment is None:
            return
        choice = self.rng.random()
        if choice < 0.62:
            await self.pay(payment, "pay")
        elif choice < 0.75:
            await self.pay(payment, "fail")
        elif choice < 0.87:
            self.context.count("payment abandoned")
        else:
            await self.pay_replaced_order(payment)

    async def check_out(self, visitor=None):
        """Retries with the same idempotency key until there is a response, as the web app does. Returns the payment page and
        the merchant order id, or None."""
        self.checkouts += 1
        key = f"{self.email}-{self.checkouts}"
        cart = (await self.request("GET", "/api/cart/cart", visitor=visitor)).json().get("cart")
        if not cart or not cart["items"]:
            return None
        body = {"addressId": self.address, "expectedTotal": cart["totalAmount"]}
        for _ in range(6):
            try:
                response = await self.request("POST", "/api/cart/checkout", body, visitor, headers={"Idempotency-Key": key}, timeout=35)
            except NoResponse:
                self.context.count("checkout without a response")
            else:
                if response.ok:
                    return self.record_checkout(response, key, cart["totalAmount"])
                self.context.count(f"checkout rejected {response.status}")
                if response.status == 409 and response.json().get("code") == "discount_not_applicable":
                    await self.request("DELETE", "/api/cart/discount", visitor=visitor)
                elif response.status == 409 and self.rng.random() < 0.7:
                    await self.request("DELETE", "/api/cart/api/cart/clear", visitor=visitor)
                if response.status not in (502, 503):
                    return None
            if self.context.stopping:
                return None
            await asyncio.sleep(self.rng.uniform(0.2, 1.0))
        return None

    def record_checkout(self, response, key, total):
        body = response.json()
        self.context.record("checkout", email=self.email, key=key, number=body["merchantOrderId"],
                            total=None if total is None else round(total * 100))
        return body["redirectUrl"], body["merchantOrderId"]

    async def pay(self, payment, outcome):
        """Submits the gateway's page, then polls the order as the shop's return page does."""
        page, number = payment
        if RESULT_PAGE in page:
            self.context.count("order without payment")
        else:
            try:
                response = await fetch(page, "POST", form={"outcome": outcome}, timeout=8)
                self.context.count(f"page {outcome}: {response.status}")
            except NoResponse:
                self.context.count("payment page without a response")
        if self.rng.random() < 0.2:
            return self.context.count("closed the browser after paying")
        for _ in range(self.rng.randint(1, 6)):
            response = await self.request("GET", f"/api/payment/order/db/{number}")
            status = response.json().get("order", {}).get("paymentStatus") if response.ok else None
            if status == "completed":
                return self.context.record("seen paid", number=number)
            if status == "failed":
                return self.context.record("seen failed", number=number)
            await asyncio.sleep(self.rng.uniform(0.2, 0.8))

    async def pay_replaced_order(self, first):
        """A second checkout replaces the first order. Then the old page is paid, and sometimes the new one too."""
        self.context.count("paid on an old page")
        await self.fill_cart()
        second = await self.check_out()
        await self.pay(first, "pay")
        if second and second[1] != first[1] and self.rng.random() < 0.5:
            self.context.count("paid on both pages")
            await self.pay(second, "pay")

    async def two_tabs(self):
        self.context.count("concurrent checkouts in two tabs")
        second_tab = self.visitor.new_tab()
        try:
            payments = await asyncio.gather(self.check_out(), self.check_out(second_tab), return_exceptions=True)
        finally:
            second_tab.close()
        payments = {payment for payment in payments if isinstance(payment, tuple)}
        await asyncio.gather(*(self.pay(payment, "pay") for payment in payments))

    async def own_orders(self):
        response = await self.request("GET", "/api/user/orders")
        return response.json().get("orders", [])

    async def cancel(self):
        """Sometimes in two tabs at once, sometimes on a page from before the order was packed or shipped."""
        if self.cancellable and self.rng.random() < 0.6:
            order = self.cancellable.pop(self.rng.randrange(len(self.cancellable)))
        else:
            orders = [order["_id"] for order in await self.own_orders() if order["cancellableUntil"]]
            if not orders:
                return
            order = self.rng.choice(orders)
            if self.rng.random() < 0.5:
                return self.cancellable.append(order)
        tabs = [self.visitor, self.visitor.new_tab()] if self.rng.random() < 0.3 else [self.visitor]
        try:
            path = f"/api/user/orders/{order}/cancel"
            responses = await asyncio.gather(*(self.change_order("cancel", order, "POST", path, {}, visitor=tab) for tab in tabs))
        finally:
            if len(tabs) > 1:
                tabs[1].close()
        for response in responses:
            if response.ok:
                # An order that is packed is not cancelled at once: the owner decides.
                is_cancelled = response.json()["order"]["orderStatus"] == "cancelled"
                self.context.record("cancel" if is_cancelled else "cancellation asked for", order=order)

    async def report_problem(self):
        orders = [order for order in await self.own_orders() if order["reportableUntil"] and order["totalAmount"]]
        if not orders:
            return
        order = self.rng.choice(orders)
        item = self.rng.choice(order["items"])
        size = "qty_50g" if item["qty_50g"] else "qty_100g"
        lines = json.dumps([{"productId": item["productId"], size: 1}])
        part = '--soak\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
        form = part.format("message", "A pouch is torn") + part.format("lines", lines) + "--soak--\r\n"
        headers = {"Content-Type": "multipart/form-data; boundary=soak"}
        response = await self.request("POST", f"/api/user/orders/{order['_id']}/problems", raw=form.encode(), headers=headers)
        if response.ok:
            self.context.record("problem", id=response.json()["problem"]["_id"])

    async def buy_again(self):
        if orders := await self.own_orders():
            await self.request("POST", f"/api/user/orders/{self.rng.choice(orders)['_id']}/buy-again", {})

    async def pay_again(self):
        failed = [order["_id"] for order in await self.own_orders() if order["paymentStatus"] == "failed"]
        if failed:
            response = await self.request("POST", f"/api/user/orders/{self.rng.choice(failed)}/pay-again", {}, timeout=35)
            if response.ok:
                await self.pay(self.record_checkout(response, None, None), "pay")


class LeavingCustomer(Customer):
    """Deletes the account after some purchases, while emails may be on their way, and comes back with another address."""

    def __init__(self, context, base, name):
        super().__init__(context, base, name)
        self.name, self.accounts = name, 0

    async def do_one_task(self):
        if self.rng.random() > 0.12:
            return await super().do_one_task()
        email, self.signed_in, self.address, self.cancellable = self.email, False, None, []
        self.accounts += 1
        self.email = f"{self.name}-{self.accounts}@soak.example"
        # Without a response nobody knows whether the account is there.
        self.context.record("leave requested", email=email)
        response = await self.request("DELETE", "/api/user")
        if response.ok:
            self.context.record("left", email=email)
