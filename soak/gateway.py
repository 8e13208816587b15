"""A simulated payment gateway, run as a separate process. It implements the merchant side of PhonePe's Standard Checkout v2,
appends every event to a file before it responds, and injects faults: late, wrong or missing responses.

Its record is the truth about payments; its responses need not be.
"""

import argparse
import asyncio
import json
import random
import time
import uuid

from soak.gateway_webhooks import Webhooks
from soak.http_server import CutConnection, serve

CLIENT = {"client_id": "SOAK", "client_version": "1", "client_secret": "soak-secret", "grant_type": "client_credentials"}
JSON = {"Content-Type": "application/json"}
# A stale status is reported at most this long after the payment.
MAX_STALE_S = 8
# The share of refunds that the gateway accepts and fails later, while there are faults.
FAILING_REFUNDS = 0.3

# The faults of each operation. A fault that is listed several times is more frequent.
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
        self.rng = random.Random(f"{arguments.seed}/gateway")
        self.rate, self.is_closed = arguments.faults, False
        self.base = f"http://127.0.0.1:{arguments.port}"
        self.record_file = open(arguments.record, "a", buffering=1)
        self.tokens, self.orders, self.numbers, self.refunds = set(), {}, {}, {}
        self.webhooks = Webhooks(self, arguments.shop, arguments.user, arguments.password)

    def record(self, event, **facts):
        self.record_file.write(json.dumps({"at": time.time(), "event": event, **facts}) + "\n")

    # -- requests and faults ----------------------------------------------------------------------------

    async def handle(self, request):
        operation, handler = self.route(request)
        if handler is None:
            return error_response(404, "NOT_FOUND", "no such operation")
        if operation in FAULTS and operation != "token" and not self.has_token(request):
            return error_response(401, "UNAUTHORIZED", "invalid token")
        fault = None
        if operation in FAULTS and self.rng.random() < self.rate:
            fault = self.rng.choice(FAULTS[operation])
            # A wrong amount prevents the settlement of the order, so it is rarer than the others.
            if fault == "wrong amount" and self.rng.random() < 0.7:
                fault = "stale"
        if fault is None:
            return await handler(request, None)
        if fault != "stale":
            self.record("fault", call=operation, fault=fault)
        if fault == "slow":
            await asyncio.sleep(self.rng.uniform(0.3, 1.5))
        elif fault == "hang":
            await asyncio.sleep(15)
        elif fault == "500":
            return 500, {}, b""
        elif fault == "429":
            return error_response(429, "TOO_MANY_REQUESTS", "try again later")
        elif fault == "bare 404":
            return 404, {"Content-Type": "text/html"}, b"<h1>Not Found</h1>"
        elif fault == "nonsense":
            return 200, JSON, b'{"state": "COMPL'
        elif fault == "old token":
            self.tokens.clear()
            return error_response(401, "UNAUTHORIZED", "this token has expired")
        response = await handler(request, fault)
        if fault == "500 after":
            return 500, {}, b""
        if fault == "cut after":
            raise CutConnection
        if fault == "hang after":
            await asyncio.sleep(15)
        return response

    def route(self, request):
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

    # -- protocol ---------------------------------------------------------------------------------------

    async def token(self, request, fault):
        if request.form() != CLIENT:
            return error_response(401, "UNAUTHORIZED", "unknown client")
        token = uuid.UUID(int=self.rng.getrandbits(128)).hex
        self.tokens.add(token)
        now = int(time.time())
        return json_response({"access_token": token, "token_type": "O-Bearer", "issued_at": now, "expires_at": now + 3600})

    async def pay(self, request, fault):
        body = request.json() or {}
        number, amount = body.get("merchantOrderId", ""), body.get("amount", 0)
        if not number or not isinstance(amount, int) or amount < 100 or not 300 <= body.get("expireAfter", 0) <= 3600:
            return error_response(400, "BAD_REQUEST", "invalid payment request")
        if number in self.numbers:
            return error_response(400, "BAD_REQUEST", "this merchant order id was used before")
        order = {
            "number": number, "amount": amount, "id": f"OMO{len(self.orders):08d}", "state": "PENDING", "paid_at": None,
            "expire_at": int((time.time() + body["expireAfter"]) * 1000),
            "redirect_url": body["paymentFlow"]["merchantUrls"]["redirectUrl"],
        }
        self.orders[order["id"]] = self.numbers[number] = order
        self.record("order", number=number, amount=amount, id=order["id"])
        return json_response({"orderId": order["id"], "state": "PENDING", "expireAt": order["expire_at"],
                              "redirectUrl": f"{self.base}/page/{order['id']}"})

    async def status(self, number, fault):
        order = self.numbers.get(number)
        if order is None:
            return error_response(404, "INVALID_MERCHANT_ORDER_ID", "No entry found for given merchant order id")
        payload = payment_json(order)
        paid = order["state"] == "COMPLETED"
        if fault == "stale" and order["state"] != "PENDING" and time.time() < order["paid_at"] + MAX_STALE_S:
            self.record("fault", call="status", fault="stale")
            payload = payment_json({**order, "state": "PENDING"})
        elif fault == "wrong amount" and paid:
            self.record("wrong amount", number=number, reported=order["amount"] // 2)
            payload = payment_json({**order, "amount": order["amount"] // 2})
        elif fault == "other order":
            payload["merchantOrderId"] = "M-another-order"
        elif fault == "unknown state" and not paid:
            payload["state"] = "UNDOCUMENTED_STATE"
        return json_response(payload)

    async def refund(self, request, fault):
        body = request.json() or {}
        number, order = body.get("merchantRefundId"), self.numbers.get(body.get("originalMerchantOrderId"))
        if known := self.refunds.get(number):
            return json_response(refund_json(known))
        if order is None or order["state"] != "COMPLETED":
            return error_response(400, "BAD_REQUEST", "the order is not paid")
        refunded = sum(refund["amount"] for refund in self.refunds.values() if refund["of"] == order["number"] and refund["state"] != "FAILED")
        if refunded + body["amount"] > order["amount"]:
            return error_response(400, "BAD_REQUEST", "the refund exceeds the payment")
        refund = {"number": number, "of": order["number"], "amount": body["amount"], "id": f"OMR{len(self.refunds):08d}", "state": "PENDING"}
        self.refunds[number] = refund
        self.record("refund", number=number, of=refund["of"], amount=refund["amount"])
        fails = self.rate > 0 and self.rng.random() < FAILING_REFUNDS
        asyncio.create_task(self.end_refund(refund, "FAILED" if fails else "COMPLETED"))
        return json_response(refund_json(refund))

    async def end_refund(self, refund, state):
        await asyncio.sleep(self.rng.uniform(0, 1.5))
        refund["state"] = state
        self.record("refund ended", number=refund["number"], state=state)
        await self.webhooks.notify_refund(refund_json(refund), state)

    async def refund_status(self, number):
        refund = self.refunds.get(number)
        if refund is None:
            return error_response(404, "INVALID_MERCHANT_REFUND_ID", "No entry found for given merchant refund id")
        return json_response(refund_json(refund))

    # -- the customer's page ----------------------------------------------------------------------------

    async def page(self, order_id, request):
        order = self.orders.get(order_id)
        if order is None:
            return error_response(404, "NOT_FOUND", "no such page")
        if request.method == "GET":
            return 200, {"Content-Type": "text/html"}, f"<h1>Pay {order['amount']} paise</h1>".encode()
        if order["state"] != "PENDING" or self.is_closed:
            return error_response(409, "DONE", "this payment is no longer pending")
        outcome = request.form().get("outcome")
        order["state"] = "COMPLETED" if outcome == "pay" else "FAILED"
        order["paid_at"] = time.time()
        self.record("captured" if outcome == "pay" else "declined", number=order["number"], amount=order["amount"])
        await self.webhooks.notify_order(order, payment_json(order))
        return 303, {"Location": order["redirect_url"]}, b""

    async def control(self, request, fault):
        """No more faults. Ends the run too, unless the body says otherwise: no more payments are accepted."""
        self.rate, self.is_closed = 0, (request.json() or {}).get("close", True)
        return json_response({"closed": self.is_closed})


def payment_json(order):
    detail = {"transactionId": f"T{order['id']}", "paymentMode": "UPI_QR", "amount": order["amount"], "state": order["state"]}
    ended = order["state"] != "PENDING"
    return {
        "merchantOrderId": order["number"], "orderId": order["id"], "state": order["state"], "amount": order["amount"],
        "expireAt": order["expire_at"], "errorCode": "TXN_CANCELLED" if order["state"] == "FAILED" else None,
        "metaInfo": {}, "paymentDetails": [detail] if ended else [], "undocumentedField": {"must": "be ignored"},
    }


def refund_json(refund):
    return {"merchantRefundId": refund["number"], "originalMerchantOrderId": refund["of"], "refundId": refund["id"],
            "amount": refund["amount"], "state": refund["state"]}


def json_response(body):
    return 200, JSON, json.dumps(body).encode()


def error_response(status, code, message):
    return status, JSON, json.dumps({"code": code, "message": message, "data": {}}).encode()


async def run(arguments):
    server = await serve(Gateway(arguments).handle, arguments.port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--record", required=True)
    parser.add_argument("--shop", required=True, help="base URL of the server that receives the webhooks")
    parser.add_argument("--user", required=True)
    parser.add_argument("--password", required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--faults", type=float, default=0.0, help="share of the requests with a fault, from 0 to 1")
    try:
        asyncio.run(run(parser.parse_args()))
    except KeyboardInterrupt:
        pass
