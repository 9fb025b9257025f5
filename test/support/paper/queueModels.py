"""Runs the queue models of the package hftbacktest (MIT, not part of Crossbook) on exported tapes.

usage: queueModels.py FOLDER

FOLDER has, for every tape, NAME.npy (its messages in the format of hftbacktest) and NAME.json (settings and probes). Prints one JSON
object a line: {"tape", "model", "outcomes": {id: [filled contracts, ns of the fill, price]}}. Probes that did not fill are left out.
"""

import json
import sys
from pathlib import Path

import numpy as np
from hftbacktest import GTC, LIMIT, BacktestAsset, HashMapMarketDepthBacktest
from hftbacktest.order import FILLED, NEW, PARTIALLY_FILLED
from numba import njit

MODELS = {
    "risk averse": lambda asset: asset.risk_adverse_queue_model(),
    "log probability": lambda asset: asset.log_prob_queue_model(),
    "square-root probability": lambda asset: asset.power_prob_queue_model(0.5),
    "squared probability": lambda asset: asset.power_prob_queue_model(2.0),
    "power 3 probability": lambda asset: asset.power_prob_queue_model3(3.0),
}


@njit
def run(hbt, times, ids, sides, prices, sizes, cancels, filled, filled_at, filled_price):
    """Sends the requests at their times, then reads the outcomes of the orders."""
    hbt.elapse(1)  # Its clock starts with the first message.
    for i in range(len(times)):
        wait = times[i] - hbt.current_timestamp
        if wait > 0 and hbt.elapse(wait) > 1:  # 1: the end of the messages
            raise RuntimeError("hftbacktest reported an error")
        order_id = ids[i]
        if not cancels[i]:
            if sides[i] > 0:
                hbt.submit_buy_order(0, order_id, prices[i], sizes[i], GTC, LIMIT, False)
            else:
                hbt.submit_sell_order(0, order_id, prices[i], sizes[i], GTC, LIMIT, False)
            continue
        order = hbt.orders(0).get(order_id)
        if order is not None and (order.status == NEW or order.status == PARTIALLY_FILLED) and order.cancellable:
            hbt.cancel(0, order_id, False)
    hbt.elapse(10_000_000_000)
    values = hbt.orders(0).values()
    while values.has_next():
        order = values.get()
        n = order.order_id
        if order.status == FILLED or order.leaves_qty < order.qty:
            filled[n] = order.qty - order.leaves_qty if order.status != FILLED else order.qty
            filled_at[n] = order.exch_timestamp
            filled_price[n] = order.exec_price


def evaluate(path: Path, model) -> dict:
    facts = json.loads(path.with_suffix(".json").read_text())
    messages = np.load(path)  # The package keeps a pointer to it.
    asset = (
        BacktestAsset()
        .data([messages])
        .linear_asset(1.0)
        .constant_order_latency(facts["latencyNs"], facts["latencyNs"])
        .no_partial_fill_exchange()
        .trading_value_fee_model(0.0, 0.0)
        .tick_size(facts["tick"])
        .lot_size(0.01)
        .last_trades_capacity(0)
    )
    hbt = HashMapMarketDepthBacktest([model(asset)])
    probes = facts["probes"]
    actions = sorted(
        [(p["placedNs"], n, False) for n, p in enumerate(probes)] + [(p["endsNs"], n, True) for n, p in enumerate(probes)]
    )
    numbers = [n for _, n, _ in actions]
    filled = np.zeros(len(probes))
    filled_at = np.zeros(len(probes), np.int64)
    filled_price = np.zeros(len(probes))
    run(
        hbt,
        np.array([at for at, _, _ in actions], np.int64),
        np.array(numbers, np.uint64),
        np.array([1 if probes[n]["side"] == "buy" else -1 for n in numbers], np.int64),
        np.array([probes[n]["price"] for n in numbers]),
        np.array([probes[n]["size"] for n in numbers]),
        np.array([cancel for _, _, cancel in actions], np.bool_),
        filled,
        filled_at,
        filled_price,
    )
    hbt.close()
    return {
        p["id"]: [float(filled[n]), int(filled_at[n]), float(filled_price[n])] for n, p in enumerate(probes) if filled[n] > 0
    }


def main() -> None:
    for path in sorted(Path(sys.argv[1]).glob("*.npy")):
        for name, model in MODELS.items():
            print(json.dumps({"tape": path.stem, "model": name, "outcomes": evaluate(path, model)}), flush=True)


if __name__ == "__main__":
    main()
