"""Shoppers: they browse, sign in, fill carts, check out, pay, fail to pay, walk away, pay on an old page, use two
tabs, and write down what the shop has promised them."""

import asyncio

from soak.web import NoAnswer, Visitor, once
from soak.world import GOODS

PRODUCTS = [name.lower().replace(" ", "-") for name, *_ in GOODS]
PAGES = ["/", "/products", "/product/goda-masala", "/product/falafel-mix", "/api/products/api/productInfo",
         "/api/products/api/trending", "/api/products/api/filters", "/api/api/products/search?q=masala", "/api/shop"]
HOME = {"addressName": "Home", "name": "Asha Kulkarni", "phone": "9876543210", "addressLine1": "12 Laxmi Road",
        "addressLine2": "Flat 4", "city": "Pune", "state": "Maharashtra", "pincode": "411030"}


class Person:
    """Somebody with a browser, who notices when the shop answers as it never should."""

    def __init__(self, world, base, name):
        self.world, self.dice = world, world.dice(name)
        self.email = f"{name}@soak.example"
        self.visitor = Visitor(base)
        self.signed_in = False

    async def live(self, pace):
        await asyncio.sleep(self.dice.uniform(0, pace))
        while not self.world.stopping:
            try:
                if not self.signed_in:
                    self.signed_in = await self.visitor.sign_in(self.email)
                    self.world.count("signed in" if self.signed_in else "could not sign in")
                if self.signed_in:
                    await self.errand()
            except NoAnswer:
                self.world.count("no answer")
                await asyncio.sleep(self.dice.uniform(0.1, 0.6))
            await asyncio.sleep(self.dice.uniform(0, pace))

    async def call(self, method, path, body=None, visitor=None, **more):
        """One call. Anything but an answer of the shop's own kind is trouble."""
        answer = await (visitor or self.visitor).ask(method, path, body, **more)
        self.world.count(f"answered {answer.status}")
        if answer.status == 401:
            self.signed_in = False
        elif answer.status == 503:
            if "retry-after" not in answer.headers:
                self.world.trouble(f"{method} {path}: 503 without Retry-After")
            if path.startswith("/api/") and not answer.json().get("error"):
                self.world.trouble(f"{method} {path}: 503 that does not say why: {answer}")
        elif answer.status >= 500 and answer.status != 502:
            self.world.trouble(f"{method} {path}: {answer}")
        return answer


class Buyer(Person):
    def __init__(self, world, base, name):
        super().__init__(world, base, name)
        self.address = None
        self.tries = 0

    async def errand(self):
        for _ in range(self.dice.randint(1, 3)):
            await self.call("GET", self.dice.choice(PAGES))
        what = self.dice.random()
        if what < 0.05:
            self.signed_in = False
            await self.visitor.get("/api/auth/logout")
        elif what < 0.1:
            await self.write_to_the_shop()
        elif what < 0.2:
            await self.pay_again()
        else:
            await self.shop()

    async def write_to_the_shop(self):
        text = f"{self.email} asks {self.dice.getrandbits(64):x}"
        answer = await self.call("POST", "/api/api/queries", {"name": "Asha", "email": self.email, "message": text})
        if answer.ok:
            self.world.note("message", text=text)

    async def fill_cart(self):
        for product in self.dice.sample(PRODUCTS, self.dice.randint(1, 3)):
            packs = {"productId": product, "qty_50g": self.dice.randint(0, 2), "qty_100g": self.dice.randint(0, 2)}
            if packs["qty_50g"] + packs["qty_100g"]:
                await self.call("POST", "/api/cart/add-to-cart", packs)

    async def has_address(self):
        if self.address is None:
            answer = await self.call("POST", "/api/addresses", HOME)
            if answer.ok:
                self.address = answer.json()["address"]["_id"]
                self.world.note("address", id=self.address, email=self.email)
        return self.address is not None

    async def shop(self):
        if self.dice.random() < 0.3:
            await self.call("DELETE", "/api/cart/api/cart/clear")
        await self.fill_cart()
        if not await self.has_address():
            return
        if self.dice.random() < 0.1:
            return await self.two_tabs()
        bill = await self.check_out()
        if bill is None:
            return
        what = self.dice.random()
        if what < 0.62:
            await self.pay(bill, "pay")
        elif what < 0.75:
            await self.pay(bill, "fail")
        elif what < 0.87:
            self.world.count("walked away")
        else:
            await self.change_of_mind(bill)

    async def check_out(self, visitor=None):
        """The same key until there is an answer, as the page does it. (page, number) or None."""
        self.tries += 1
        key = f"{self.email}-{self.tries}"
        cart = (await self.call("GET", "/api/cart/cart", visitor=visitor)).json().get("cart")
        if not cart or not cart["items"]:
            return None
        body = {"addressId": self.address, "expectedTotal": cart["totalAmount"]}
        for _ in range(6):
            try:
                answer = await self.call("POST", "/api/cart/checkout", body, visitor, headers={"Idempotency-Key": key}, timeout=35)
            except NoAnswer:
                self.world.count("checkout without an answer")
            else:
                if answer.ok:
                    return self.billed(answer, key, cart["totalAmount"])
                self.world.count(f"checkout refused {answer.status}")
                if answer.status == 409 and self.dice.random() < 0.7:
                    await self.call("DELETE", "/api/cart/api/cart/clear", visitor=visitor)
                if answer.status not in (502, 503):
                    return None
            if self.world.stopping:
                return None
            await asyncio.sleep(self.dice.uniform(0.2, 1.0))
        return None

    def billed(self, answer, key, total):
        told = answer.json()
        self.world.note("checkout", email=self.email, key=key, number=told["merchantOrderId"],
                        total=None if total is None else round(total * 100))
        return told["redirectUrl"], told["merchantOrderId"]

    async def pay(self, bill, outcome):
        """On the gateway's page, and back to the shop's, which asks until it knows."""
        page, number = bill
        try:
            answer = await once(page, "POST", form={"outcome": outcome}, timeout=8)
            self.world.count(f"page {outcome}: {answer.status}")
        except NoAnswer:
            self.world.count("payment page without an answer")
        if self.dice.random() < 0.2:
            return self.world.count("closed the browser after paying")
        for _ in range(self.dice.randint(1, 6)):
            answer = await self.call("GET", f"/api/payment/order/db/{number}")
            status = answer.json().get("order", {}).get("paymentStatus") if answer.ok else None
            if status == "completed":
                return self.world.note("seen paid", number=number)
            if status == "failed":
                return self.world.note("seen failed", number=number)
            await asyncio.sleep(self.dice.uniform(0.2, 0.8))

    async def change_of_mind(self, first):
        """Another checkout replaces the first; then the old page is paid, and perhaps the new one too."""
        self.world.count("paid on an old page")
        await self.fill_cart()
        second = await self.check_out()
        await self.pay(first, "pay")
        if second and second[1] != first[1] and self.dice.random() < 0.5:
            self.world.count("paid on both pages")
            await self.pay(second, "pay")

    async def two_tabs(self):
        self.world.count("two tabs at once")
        twin = self.visitor.twin()
        try:
            bills = await asyncio.gather(self.check_out(), self.check_out(twin), return_exceptions=True)
        finally:
            twin.close()
        bills = {bill for bill in bills if isinstance(bill, tuple)}
        await asyncio.gather(*(self.pay(bill, "pay") for bill in bills))

    async def pay_again(self):
        answer = await self.call("GET", "/api/user/orders")
        failed = [order["_id"] for order in answer.json().get("orders", []) if order["paymentStatus"] == "failed"]
        if failed:
            answer = await self.call("POST", f"/api/user/orders/{self.dice.choice(failed)}/pay-again", {}, timeout=35)
            if answer.ok:
                await self.pay(self.billed(answer, None, None), "pay")
