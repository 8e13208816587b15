"""Whether a shop has lost, doubled or cannot explain anything. Shares no code with it.

    python3 -m soak.checker FOLDER                 the run that lies in FOLDER (sqlite, or --postgres URL)
    python3 -m soak.checker --self-test FOLDER     damages copies of it, and shows that each is found
"""

import argparse
import glob
import os

from soak import rules, rules_promises
from soak.books import Books, read_postgres, read_sqlite

RULES = [
    ("stock", rules.stock_is_explained),
    ("ledger", rules.ledger_follows_orders),
    ("orders", rules.orders_add_up),
    ("payments", rules.money_has_an_order),
    ("paid orders", rules.nothing_is_paid_without_money),
    ("ended orders", rules.ended_orders_keep_no_money),
    ("refunds", rules.refunds_are_known),
    ("letters", rules_promises.each_paid_order_has_its_letter),
    ("checkouts answered", rules_promises.checkouts_were_kept),
    ("payments shown", rules_promises.what_was_shown_as_paid_is_paid),
    ("addresses, messages", rules_promises.small_things_were_kept),
    ("restockings", rules_promises.restockings_were_kept),
    ("hidden and shown", rules_promises.switches_were_kept),
    ("parcels", rules_promises.parcels_are_where_they_were_sent),
]


def judge(books):
    """[(name, sentence, things looked at, what is wrong)]"""
    verdicts = []
    for name, rule in RULES:
        looked_at, wrong = drain(rule(books))
        verdicts.append((name, rule.__doc__.strip(), looked_at, wrong))
    return verdicts


def drain(findings):
    """A rule yields what is wrong and returns how many things it looked at."""
    wrong = []
    while True:
        try:
            wrong.append(next(findings))
        except StopIteration as end:
            return end.value, wrong


def report(books, title):
    """Prints the verdicts; True if nothing is wrong."""
    print(f"\n{title}")
    fine = True
    for name, sentence, looked_at, wrong in judge(books):
        print(f"  {'fine ' if not wrong else 'WRONG'} {looked_at:6d}  {name}: {sentence}")
        for text in wrong[:8]:
            print(f"         WRONG: {text}")
        if len(wrong) > 8:
            print(f"         … and {len(wrong) - 8} more")
        fine = fine and not wrong
    print("  nothing is lost, doubled or unexplained" if fine else "  THE BOOKS DO NOT AGREE", flush=True)
    return fine


def find_database(folder):
    found = glob.glob(os.path.join(folder, "**", "mirasa.db"), recursive=True)
    kept = [file for file in found if "restored" not in file]
    if not kept:
        raise SystemExit(f"there is no mirasa.db below {folder}")
    return kept[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="where a run has left its record")
    parser.add_argument("--postgres", metavar="URL", help="the shop's database, where it is not SQLite")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        from soak.damage import self_test

        return 0 if self_test(arguments.folder, find_database(arguments.folder)) else 1
    tables = read_postgres(arguments.postgres) if arguments.postgres else read_sqlite(find_database(arguments.folder))
    return 0 if report(Books(arguments.folder, tables), f"The checker on {arguments.folder}") else 1


if __name__ == "__main__":
    raise SystemExit(main())
