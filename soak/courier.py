"""A simulated delivery partner, run as a separate process. It implements the seller's side of Shiprocket's API, appends every
event to a file before it responds, moves parcels through their life, and injects faults: late, wrong or missing responses,
failures with status 200, and webhooks that are lost, doubled or late.

Its record is the truth about parcels; its responses need not be.
"""

import argparse
import asyncio
import json
import random
import time

from soak.http_server import CutConnection, serve
from soak.web import NoResponse, fetch

JSON = {"Content-Type": "application/json"}
# Ten days between `iat` and `exp`.
TOKEN = "e30.eyJpYXQiOjE3MDAwMDAwMDAsImV4cCI6MTcwMDg2NDAwMH0.soak"
FAULTS = ["500", "500 after", "slow", "hang", "hang after", "cut after", "nonsense", "429", "hidden", "hidden", "old token"]
# Name, number of the shipment status, number of the order status.
LIVES = [
    (["picked up", "in transit", "out for delivery", "delivered"], 12),
    (["picked up", "in transit", "out for delivery", "undelivered", "out for delivery", "delivered"], 4),
    (["picked up", "in transit", "undelivered", "rto", "rto delivered"], 4),
    (["picked up", "lost"], 1),
]
STATUSES = {"assigned": (1, 3), "pickup scheduled": (3, 4), "picked up": (42, 51), "in transit": (18, 20), "out for delivery": (17, 19),
            "undelivered": (21, 36), "delivered": (7, 7), "rto": (9, 15), "rto delivered": (10, 16), "lost": (12, 33), "cancelled": (8, 5)}


def empty_pdf():
    """A file with one empty page."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] >>"]
    file, table = b"%PDF-1.4\n", b"xref\n0 4\n0000000000 65535 f \n"
    for number, content in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(file)
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    return file + table + b"trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(file)


PDF = empty_pdf()


class Courier:
    def __init__(self, arguments):
        self.rng = random.Random(f"{arguments.seed}/courier")
        self.rate, self.is_closed = arguments.faults, False
        self.shop, self.key = arguments.shop, arguments.key
        self.base = f"http://127.0.0.1:{arguments.port}"
        self.record_file = open(arguments.record, "a", buffering=1)
        self.is_known = False
        self.parcels = []

    def record(self, event, **facts):
        self.record_file.write(json.dumps({"at": time.time(), "event": event, **facts}) + "\n")

    async def handle(self, request):
        path = request.path
        if path == "/control":
            self.rate, self.is_closed = 0, True
            return respond({"closed": True})
        if path == "/auth/login":
            self.is_known = True
            return respond({"token": TOKEN})
        if path.endswith(".pdf"):
            return 200, {"Content-Type": "application/pdf"}, PDF
        if not self.is_known or request.headers.get("authorization") != f"Bearer {TOKEN}":
            return respond({"message": "Unauthenticated."}, 401)
        fault = self.rng.choice(FAULTS) if self.rng.random() < self.rate else None
        if fault:
            self.record("fault", call=path, fault=fault)
        if fault == "slow":
            await asyncio.sleep(self.rng.uniform(0.3, 1.5))
        elif fault == "hang":
            await asyncio.sleep(15)
        elif fault == "500":
            return respond({"message": "Trying to get property of non-object"}, 500)
        elif fault == "429":
            return respond({"message": "Too Many Attempts."}, 429)
        elif fault == "nonsense":
            return 200, JSON, b'{"order_id": 12'
        elif fault == "hidden":
            return respond({"status": 0, "message": "Something went wrong", "payload": {"error_message": "Something went wrong"}})
        elif fault == "old token":
            self.is_known = False
            return respond({"message": "Unauthenticated."}, 401)
        response = self.route(request)
        if fault == "500 after":
            return respond({"message": "Server Error"}, 500)
        if fault == "cut after":
            raise CutConnection
        if fault == "hang after":
            await asyncio.sleep(15)
        return response

    def route(self, request):
        body = request.json() or {}
        match request.path.strip("/").split("/"):
            case ["courier", "serviceability"]:
                return self.serviceability()
            case ["orders", "create", "adhoc"]:
                return self.create(body)
            case ["orders"]:
                return respond({"data": [order_json(parcel) for parcel in self.parcels if request.query["search"] in parcel["reference"]]})
            case ["orders", "cancel"]:
                return self.cancel([parcel for parcel in self.parcels if parcel["id"] in body.get("ids", [])])
            case ["orders", "cancel", "shipment", "awbs"]:
                return self.cancel([parcel for parcel in self.parcels if parcel["awb"] in body.get("awbs", [])])
            case ["courier", "track", "awb", awb]:
                return self.track(awb)
            case ["manifests", "print"]:
                return respond({"manifest_url": f"{self.base}/manifest.pdf"})
        parcel = self.find(body.get("shipment_id"))
        if parcel is None:
            return respond({"message": "Invalid shipment id", "status_code": 400}, 400)
        match request.path:
            case "/courier/assign/awb":
                return self.assign(parcel, body.get("courier_id"))
            case "/courier/generate/label":
                return respond({"label_created": 1, "label_url": f"{self.base}/label-{parcel['id']}.pdf", "not_created": []})
            case "/courier/generate/pickup":
                return self.pickup(parcel)
            case "/manifests/generate":
                if parcel["manifested"]:
                    return respond({"message": "Manifest already generated", "already_manifested_shipment_ids": [parcel["id"]]}, 400)
                parcel["manifested"] = True
                return respond({"status": 1, "manifest_url": f"{self.base}/manifest.pdf"})
        return respond({"message": "404 Not Found"}, 404)

    def find(self, shipment):
        number = shipment[0] if isinstance(shipment, list) and shipment else shipment
        return next((parcel for parcel in self.parcels if parcel["id"] + 5000 == number and not parcel["cancelled"]), None)

    def serviceability(self):
        companies = [{"courier_company_id": 10, "courier_name": "Surface", "rate": "52.40", "rto_charges": 40, "estimated_delivery_days": "4",
                      "is_surface": True},
                     {"courier_company_id": 1, "courier_name": "Air", "rate": 91.5, "estimated_delivery_days": "2", "is_surface": False}]
        return respond({"status": 200, "data": {"available_courier_companies": companies}})

    def create(self, body):
        reference = body["order_id"]
        if any(parcel["reference"] == reference for parcel in self.parcels):
            return respond({"message": "Oops! Invalid Data.", "errors": {"order_id": ["The order id has already been taken."]}}, 422)
        parcel = {"id": 1000 + len(self.parcels), "reference": reference, "awb": None, "pickup": False, "manifested": False,
                  "cancelled": False, "scans": []}
        self.parcels.append(parcel)
        items = {item["sku"]: item["units"] for item in body["order_items"]}
        self.record("created", reference=reference, id=parcel["id"], grams=round(body["weight"] * 1000), items=items)
        return respond({"order_id": parcel["id"], "shipment_id": parcel["id"] + 5000, "status": "NEW", "status_code": 1})

    def assign(self, parcel, courier):
        if parcel["awb"]:
            return respond({"awb_assign_status": 0, "response": {"data": {"awb_assign_error": "AWB is already assigned"}}})
        parcel["awb"] = f"AWB{parcel['id']}"
        self.scan(parcel, "assigned")
        self.record("assigned", reference=parcel["reference"], awb=parcel["awb"])
        name = "Air" if courier == 1 else "Surface"
        return respond({"awb_assign_status": 1, "response": {"data": {"awb_code": parcel["awb"], "courier_name": name}}})

    def pickup(self, parcel):
        if parcel["pickup"]:
            return respond({"message": "Already in Pickup Queue.", "status_code": 400}, 400)
        parcel["pickup"] = True
        self.scan(parcel, "pickup scheduled")
        asyncio.create_task(self.live(parcel))
        return respond({"pickup_status": 1, "response": {"pickup_scheduled_date": ist(time.time() + 3600)}})

    def cancel(self, parcels):
        if any(len(parcel["scans"]) > 2 for parcel in parcels if not parcel["cancelled"]):
            return respond({"message": "Cannot cancel order, shipment is already picked up", "status_code": 400}, 400)
        for parcel in parcels:
            if not parcel["cancelled"]:
                parcel["cancelled"] = True
                self.record("cancelled", reference=parcel["reference"])
                if parcel["awb"]:
                    self.scan(parcel, "cancelled")
        return 204, {}, b""

    def track(self, awb):
        parcel = next((parcel for parcel in self.parcels if parcel["awb"] == awb), None)
        if parcel is None:
            return respond({"tracking_data": {"track_status": 0, "error": "no activities"}})
        activities = [{"date": ist(scan["at"]), "activity": scan["name"], "location": "Hub", "sr-status": str(STATUSES[scan["name"]][0])}
                      for scan in reversed(parcel["scans"])]
        return respond({"tracking_data": {"track_status": 1, "shipment_status": STATUSES[parcel["scans"][-1]["name"]][0],
                                          "shipment_track_activities": activities, "track_url": f"https://courier.example/{awb}"}})

    def scan(self, parcel, name):
        # Times have seconds, and no two scans have the same.
        last = parcel["scans"][-1]["at"] if parcel["scans"] else 0
        at = max(int(time.time()), last + 1)
        parcel["scans"].append({"name": name, "at": at})
        self.record("scan", awb=parcel["awb"], status=name)

    async def live(self, parcel):
        life = self.rng.choices([life for life, _ in LIVES], [weight for _, weight in LIVES])[0]
        for name in life:
            await asyncio.sleep(self.rng.uniform(0.2, 1.5))
            if parcel["cancelled"] or self.is_closed:
                return
            self.scan(parcel, name)
            await self.notify(parcel)

    async def notify(self, parcel):
        choice = self.rng.random()
        if self.rate and choice < 0.2:
            return
        scans = [parcel["scans"][-1]]
        if self.rate and choice < 0.4:
            scans.append(scans[0] if choice < 0.3 else parcel["scans"][0])
        for scan in scans:
            shipment, order = STATUSES[scan["name"]]
            body = {"awb": parcel["awb"], "sr_order_id": parcel["id"], "order_id": f"{parcel['reference']}_{parcel['id']}",
                    "shipment_status_id": shipment, "current_status_id": order, "current_status": scan["name"].upper()}
            key = "forged" if self.rate and choice > 0.95 else self.key
            try:
                await fetch(self.shop + "/api/courier/webhook", "POST", body=body, headers={"x-api-key": key}, timeout=3)
            except NoResponse:
                pass


def order_json(parcel):
    status = 5 if parcel["cancelled"] else 4 if parcel["pickup"] else 1
    return {"id": parcel["id"], "channel_order_id": parcel["reference"], "status_code": status,
            "shipments": [{"id": parcel["id"] + 5000, "awb": parcel["awb"], "courier": "Surface"}]}


def ist(at):
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(at + 19800))


def respond(body, status=200):
    return status, JSON, json.dumps(body).encode()


async def run(arguments):
    server = await serve(Courier(arguments).handle, arguments.port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--record", required=True)
    parser.add_argument("--shop", required=True, help="base URL of the server that receives the webhooks")
    parser.add_argument("--key", required=True, help="the key of the webhooks")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--faults", type=float, default=0.0, help="share of the requests with a fault, from 0 to 1")
    try:
        asyncio.run(run(parser.parse_args()))
    except KeyboardInterrupt:
        pass
