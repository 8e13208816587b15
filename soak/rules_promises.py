"""More of what must be true: letters, and everything that the shop has told somebody over the wire."""

from collections import Counter, defaultdict


def each_paid_order_has_its_letter(books):
    """exactly one confirmation for each completed order, to its shopper; delivered once it says so"""
    arrived = defaultdict(list)
    for letter in books.letters:
        arrived[(letter["id"] or "").strip("<>").split("@")[0]].append(letter)
    for order in books.orders.values():
        letters = [mail for mail in books.mails_of[order["id"]] if mail["kind"] == "confirmed"]
        wanted = 1 if order["payment_status"] == "completed" else 0
        if len(letters) != wanted:
            yield f"order {order['id']} is {order['payment_status']} and has {len(letters)} confirmations"
        for mail in letters:
            if mail["recipient"] != books.users[order["user_id"]]["email"]:
                yield f"the confirmation of order {order['id']} goes to somebody else"
    for mail in books.tables["mails"]:
        if mail["sent_at"] is not None and not arrived[mail["id"]]:
            yield f"letter {mail['id']} is said to be sent but never arrived"
        if any(letter["to"] != [mail["recipient"]] for letter in arrived[mail["id"]]):
            yield f"letter {mail['id']} arrived at somebody else's"
    rows = {mail["id"] for mail in books.tables["mails"]}
    for letter_id in arrived:
        if letter_id not in rows and not books.is_snapshot:
            yield f"a letter {letter_id!r} arrived that the shop knows nothing of"
    return len(books.tables["mails"])


def checkouts_were_kept(books):
    """each checkout that was answered is an order of that shopper over that total, one for each key"""
    keys = {(row["user_id"], row["key"]): row["order_id"] for row in books.tables["idempotency_keys"]}
    people = {user["email"]: user["id"] for user in books.tables["users"]}
    answers = books.said("checkout")
    for line in answers:
        attempt = books.attempts.get(line["number"])
        order = books.orders.get(attempt["order_id"]) if attempt else None
        if order is None:
            yield f"the checkout {line['number']} of {line['email']} was answered at {line['t']} s and is lost"
            continue
        if books.users[order["user_id"]]["email"] != line["email"]:
            yield f"the checkout {line['number']} of {line['email']} is somebody else's order"
        if line["total"] is not None and line["total"] != order["total"]:
            yield f"the checkout {line['number']} was shown {line['total']} and charged {order['total']}"
        kept = keys.get((people[line["email"]], line["key"]))
        if kept is not None and kept != order["id"]:
            yield f"the key {line['key']} leads to two orders"
    numbers = defaultdict(set)
    for line in answers:
        if line["key"] and line["number"] in books.attempts:
            numbers[line["key"]].add(books.attempts[line["number"]]["order_id"])
    for key, orders in numbers.items():
        if len(orders) > 1:
            yield f"the key {key} was answered with {len(orders)} orders"
    return len(answers)


def what_was_shown_as_paid_is_paid(books):
    """whoever was told that their payment had worked has a completed order"""
    for line in books.said("seen paid"):
        attempt = books.attempts.get(line["number"])
        order = books.orders.get(attempt["order_id"]) if attempt else None
        if order is None or order["payment_status"] != "completed":
            yield f"{line['number']} was shown as paid at {line['t']} s and is {order and order['payment_status']}"
    return len(books.said("seen paid"))


def small_things_were_kept(books):
    """addresses and messages that were taken are there"""
    addresses = {row["id"] for row in books.tables["addresses"]}
    messages = Counter(row["message"] for row in books.tables["contact_queries"])
    for line in books.said("address"):
        if line["id"] not in addresses:
            yield f"the address {line['id']} of {line['email']} is lost"
    for line in books.said("message"):
        if messages[line["text"]] != 1:
            yield f"the message {line['text']!r} is there {messages[line['text']]} times"
    return len(books.said("address")) + len(books.said("message"))


def restockings_were_kept(books):
    """each restocking that was answered is in the ledger once; one without an answer at most once"""
    found = Counter((row["product_id"], row["grams"], row["pouches_50g"], row["pouches_100g"])
                    for row in books.tables["stock_ledger"] if not row["order_id"])
    answered = {(line["product"], line["grams"], line["p50"], line["p100"]) for line in books.said("restock")}
    asked = {(line["product"], line["grams"], line["p50"], line["p100"]) for line in books.said("restock asked")}
    opening = {(product, *told["stock"]) for product, told in books.opening.items()}
    for change in answered:
        if found[change] != 1:
            yield f"the restocking {change} was answered and is there {found[change]} times"
    for change, count in found.items():
        if count > 1 or (change not in asked and change not in opening):
            yield f"the ledger has {change} {count} times, and nobody is known to have asked for it"
    return len(asked)


def switches_were_kept(books):
    """a product is hidden or shown as often as it was asked to be, and is now what that makes it"""
    done = Counter(entry["about"] for entry in books.tables["audit"] if entry["action"] in ("product shown", "product hidden"))
    answered = Counter(line["product"] for line in books.said("toggle"))
    asked = Counter(line["product"] for line in books.said("toggle asked"))
    for product in books.tables["products"]:
        name = product["id"]
        if not answered[name] <= done[name] <= asked[name]:
            yield f"{name} was hidden or shown {done[name]} times; asked {asked[name]}, answered {answered[name]} times"
        if bool(product["is_visible"]) != (done[name] % 2 == 0):
            yield f"{name} is {'shown' if product['is_visible'] else 'hidden'} after {done[name]} switches"
    return sum(asked.values())


def parcels_are_where_they_were_sent(books):
    """a status that an admin was told is set has its line in the audit; a deleted order is deleted, not gone"""
    audit = Counter((entry["about"], entry["detail"].rsplit(" to ", 1)[-1]) for entry in books.tables["audit"] if entry["action"] == "order status")
    answered = books.said("status")
    for line in answered:
        order = books.orders.get(line["order"])
        if order is None:
            yield f"order {line['order']} was {line['to']} and is gone"
        elif not audit[(line["order"], line["to"])]:
            yield f"order {line['order']} was said to be {line['to']}, and nobody wrote it down"
        elif order["order_status"] not in ("shipped", "delivered"):
            yield f"order {line['order']} was {line['to']} and is {order['order_status']}"
    letters = Counter((mail["order_id"], mail["kind"]) for mail in books.tables["mails"] if mail["kind"] in ("shipped", "delivered"))
    for key in audit.keys() | letters.keys():
        if audit[key] != letters[key]:
            yield f"order {key[0]} was {key[1]} {audit[key]} times, with {letters[key]} letters"
    for line in books.said("delete"):
        if line["order"] not in books.orders or books.orders[line["order"]]["deleted_at"] is None:
            yield f"order {line['order']} was deleted and is not"
    return len(answered) + len(books.said("delete"))
