"""Plays one round of Casino Stud Poker at table rs-1: python3 play_a_round.py http://127.0.0.1:8080 NAME"""

import sys
import uuid

from baize_client import Client

address, name = sys.argv[1], sys.argv[2]
player = Client(address)
player.token = player.post_players({"name": name})["token"]


def order(**order):
    # Sent twice under one id, an order acts once.
    return player.post_tables_table_orders("rs-1", {"id": uuid.uuid4().hex, "order": order})


order(order="bet", wagers=[{"seat": 2, "area": "ante", "amount": "25.00"}])
order(order="ready")
round = player.get_tables_table_view("rs-1")["round"]
while round["phase"] != "finished":
    if 2 in round["deciding"]:
        order(order="table", command={"command": "fold", "seat": 2})
    round = player.get_tables_table_view("rs-1")["round"]
for slip in round["slips"]:
    for line in slip["lines"]:
        print(slip["seat"], line["area"], line["result"], line["amount"], "citing", ", ".join(line["cites"]))
print("purse", player.get_me()["purse"])
