"""A payment gateway of our own, a program apart: it speaks PhonePe's Standard Checkout v2 as far as a merchant
sees it, keeps its record in a file before it answers, and on request answers late, wrongly or not at all.

Its record is the truth about money; what it tells the shop need not be.
"""

import argparse
import asyncio
import json
import random
import time
import uuid

from soak.gateway_calls import Webhooks
from soak.http_server import CutConnection, serve

CLIENT = {"client_id": "SOAK", "client_version": "1", "client_secret": "soak-secret", "grant_type": "client_credentials"}
JSON = {"Content-Type": "application/json"}
LATEST_STALE_S = 8

# How each call may go wrong, and how often beside the others.
FAULTS = {
    "token": ["500", "slow", "hang"],
    "pay": ["500", "500 after", "slow", "hang", "hang after", "cut after", "nonsense", "429"],
    "status": ["500", "slow", "hang", "nonsense", "stale", "stale", "stale", "other order", "bare 404", "unknown state",
               "429", "old token", "wrong amount"],
    "refund": ["500", "500 after", "slow", "hang after", "cut after"],
    "refund status": ["500", "slow", "hang", "nonsense", "bare 404"],
}


class Gateway:
    def __init__(self, arguments):
        self.dice = random.Random(f"{arguments.seed}/gateway")
        self.rate, self.closed = arguments.faults, False
        self.base = f"http://127.0.0.1:{arguments.port}"
        self.record = open(arguments.record, "a", buffering=1)
        self.tokens, self.orders, self.numbers, self.refunds = set(), {}, {}, {}
        self.webhooks = Webhooks(self, arguments.shop, arguments.user, arguments.password)

    def note(self, event, **facts):
        self.record.write(json.dumps({"at": time.time(), "event": event, **facts}) + "\n")

    # -- one call, perhaps spoiled ----------------------------------------------------------------------

    async def answer(self, request):
        call, handler = self.find(request)
        if handler is None:
            return refuse(404, "NOT_FOUND", "no such call")
        if call in FAULTS and call != "token" and not self.has_token(request):
            return refuse(401, "UNAUTHORIZED", "no good token")
        fault = None
        if call in FAULTS and self.dice.random() < self.rate:
            fault = self.dice.choice(FAULTS[call])
            # A wrong amount is the one lie that costs the order, so it is told seldom.
            if fault == "wrong amount" and self.dice.random() < 0.7:
                fault = "stale"
        if fault is None:
            return await handler(request, None)
        if fault != "stale":
            self.note("fault", call=call, fault=fault)
        if fault == "slow":
            await asyncio.sleep(self.dice.uniform(0.3, 1.5))
        elif fault == "hang":
            await asyncio.sleep(15)
        elif fault == "500":
            return 500, {}, b""
        elif fault == "429":
            return refuse(429, "TOO_MANY_REQUESTS", "later")
        elif fault == "bare 404":
            return 404, {"Content-Type": "text/html"}, b"<h1>Not Found</h1>"
        elif fault == "nonsense":
            return 200, JSON, b'{"state": "COMPL'
        elif fault == "old token":
            self.tokens.clear()
            return refuse(401, "UNAUTHORIZED", "this token is over")
        answer = await handler(request, fault)
        if fault == "500 after":
            return 500, {}, b""
        if fault == "cut after":
            raise CutConnection
        if fault == "hang after":
            await asyncio.sleep(15)
        return answer

    def find(self, request):
        parts = request.path.strip("/").split("/")
        match (request.method, parts):
            case "POST", ["v1", "oauth", "token"]:
                return "token", self.token
            case "POST", ["checkout", "v2", "pay"]:
                return "pay", self.pay
            case "GET", ["checkout", "v2", "order", number, "status"]:
                return "status", lambda request, fault: self.status(number, fault)
            case "POST", ["payments", "v2", "refund"]:
                return "refund", self.refund
            case "GET", ["payments", "v2", "refund", number, "status"]:
                return "refund status", lambda request, fault: self.refund_status(number)
            case ("GET" | "POST"), ["page", order]:
                return "page", lambda request, fault: self.page(order, request)
            case "POST", ["control"]:
                return "control", self.control
        return None, None

    def has_token(self, request):
        return request.headers.get("authorization", "").removeprefix("O-Bearer ") in self.tokens

    # -- the protocol -----------------------------------------------------------------------------------

    async def token(self, request, fault):
        if request.form() != CLIENT:
            return refuse(401, "UNAUTHORIZED", "unknown client")
        token = uuid.UUID(int=self.dice.getrandbits(128)).hex
        self.tokens.add(token)
        now = int(time.time())
        return give({"access_token": token, "token_type": "O-Bearer", "issued_at": now, "expires_at": now + 3600})

    async def pay(self, request, fault):
        ask = request.json() or {}
        number, amount = ask.get("merchantOrderId", ""), ask.get("amount", 0)
        if not number or not isinstance(amount, int) or amount < 100 or not 300 <= ask.get("expireAfter", 0) <= 3600:
            return refuse(400, "BAD_REQUEST", "this payment cannot be made")
        if number in self.numbers:
            return refuse(400, "BAD_REQUEST", "this number was used before")
        order = {
            "number": number, "amount": amount, "id": f"OMO{len(self.orders):08d}", "state": "PENDING", "paid_at": None,
            "expire_at": int((time.time() + ask["expireAfter"]) * 1000),
            "back": ask["paymentFlow"]["merchantUrls"]["redirectUrl"],
        }
        self.orders[order["id"]] = self.numbers[number] = order
        self.note("order", number=number, amount=amount, id=order["id"])
        return give({"orderId": order["id"], "state": "PENDING", "expireAt": order["expire_at"],
                     "redirectUrl": f"{self.base}/page/{order['id']}"})

    async def status(self, number, fault):
        order = self.numbers.get(number)
        if order is None:
            return refuse(404, "INVALID_MERCHANT_ORDER_ID", "No entry found for given merchant order id")
        told = told_of(order)
        paid = order["state"] == "COMPLETED"
        if fault == "stale" and order["state"] != "PENDING" and time.time() < order["paid_at"] + LATEST_STALE_S:
            self.note("fault", call="status", fault="stale")
            told = told_of({**order, "state": "PENDING"})
        elif fault == "wrong amount" and paid:
            self.note("lie", number=number, told=order["amount"] // 2)
            told = told_of({**order, "amount": order["amount"] // 2})
        elif fault == "other order":
            told["merchantOrderId"] = "M-of-somebody-else"
        elif fault == "unknown state" and not paid:
            told["state"] = "BEING_THOUGHT_ABOUT"
        return give(told)

    async def refund(self, request, fault):
        ask = request.json() or {}
        number, order = ask.get("merchantRefundId"), self.numbers.get(ask.get("originalMerchantOrderId"))
        if known := self.refunds.get(number):
            return give(told_of_refund(known))
        if order is None or order["state"] != "COMPLETED":
            return refuse(400, "BAD_REQUEST", "nothing was paid for it")
        back = sum(refund["amount"] for refund in self.refunds.values() if refund["of"] == order["number"] and refund["state"] != "FAILED")
        if back + ask["amount"] > order["amount"]:
            return refuse(400, "BAD_REQUEST", "more than was paid")
        refund = {"number": number, "of": order["number"], "amount": ask["amount"], "id": f"OMR{len(self.refunds):08d}", "state": "PENDING"}
        self.refunds[number] = refund
        self.note("refund", number=number, of=refund["of"], amount=refund["amount"])
        fails = self.rate > 0 and self.dice.random() < 0.1
        asyncio.create_task(self.end_refund(refund, "FAILED" if fails else "COMPLETED"))
        return give(told_of_refund(refund))

    async def end_refund(self, refund, state):
        await asyncio.sleep(self.dice.uniform(0, 1.5))
        refund["state"] = state
        self.note("refund ended", number=refund["number"], state=state)
        await self.webhooks.tell_of_refund(told_of_refund(refund), state)

    async def refund_status(self, number):
        refund = self.refunds.get(number)
        if refund is None:
            return refuse(404, "INVALID_MERCHANT_REFUND_ID", "No entry found for given merchant refund id")
        return give(told_of_refund(refund))

    # -- the shopper's side -----------------------------------------------------------------------------

    async def page(self, order_id, request):
        order = self.orders.get(order_id)
        if order is None:
            return refuse(404, "NOT_FOUND", "no such page")
        if request.method == "GET":
            return 200, {"Content-Type": "text/html"}, f"<h1>Pay {order['amount']} paise</h1>".encode()
        if order["state"] != "PENDING" or self.closed:
            return refuse(409, "DONE", "this payment has ended")
        outcome = request.form().get("outcome")
        order["state"] = "COMPLETED" if outcome == "pay" else "FAILED"
        order["paid_at"] = time.time()
        self.note("captured" if outcome == "pay" else "declined", number=order["number"], amount=order["amount"])
        await self.webhooks.tell_of_order(order, told_of(order))
        return 303, {"Location": order["back"]}, b""

    async def control(self, request, fault):
        """The end of a run: no more faults, and nobody pays any more."""
        self.rate, self.closed = 0, True
        return give({"closed": True})


def told_of(order):
    detail = {"transactionId": f"T{order['id']}", "paymentMode": "UPI_QR", "amount": order["amount"], "state": order["state"]}
    ended = order["state"] != "PENDING"
    return {
        "merchantOrderId": order["number"], "orderId": order["id"], "state": order["state"], "amount": order["amount"],
        "expireAt": order["expire_at"], "errorCode": "TXN_CANCELLED" if order["state"] == "FAILED" else None,
        "metaInfo": {}, "paymentDetails": [detail] if ended else [], "somethingNew": {"the": "shop does not know"},
    }


def told_of_refund(refund):
    return {"merchantRefundId": refund["number"], "originalMerchantOrderId": refund["of"], "refundId": refund["id"],
            "amount": refund["amount"], "state": refund["state"]}


def give(body):
    return 200, JSON, json.dumps(body).encode()


def refuse(status, code, message):
    return status, JSON, json.dumps({"code": code, "message": message, "data": {}}).encode()


async def run(arguments):
    server = await serve(Gateway(arguments).answer, arguments.port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--record", required=True)
    parser.add_argument("--shop", required=True, help="where the shop listens for webhooks")
    parser.add_argument("--user", required=True)
    parser.add_argument("--password", required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--faults", type=float, default=0.0, help="how much of all calls goes wrong, from 0 to 1")
    try:
        asyncio.run(run(parser.parse_args()))
    except KeyboardInterrupt:
        pass
