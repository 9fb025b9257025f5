"""nautilus_trader's backtest of the bench's market maker on the bench's tape. Prints events per second of CPU as JSON."""

import json
import sys
import time
from decimal import Decimal

import nautilus_trader
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.backtest.models import LatencyModel
from nautilus_trader.config import LoggingConfig, StrategyConfig
from nautilus_trader.model.currencies import USDC
from nautilus_trader.model.data import QuoteTick, TradeTick
from nautilus_trader.model.enums import AccountType, AggressorSide, BookType, OmsType, OrderSide
from nautilus_trader.model.identifiers import TradeId
from nautilus_trader.model.objects import Money
from nautilus_trader.test_kit.providers import TestInstrumentProvider
from nautilus_trader.trading.strategy import Strategy

SIZE = 10
INSTRUMENT = TestInstrumentProvider.binary_option()


class Maker(Strategy):
    """Joins the best bid and the best offer with ten contracts, and moves both when the middle has moved by a cent."""

    def __init__(self) -> None:
        super().__init__(StrategyConfig())
        self.quoted = float("nan")
        self.quotes = []
        self.quantity = INSTRUMENT.make_qty(Decimal(SIZE))

    def on_start(self) -> None:
        self.subscribe_quote_ticks(INSTRUMENT.id)

    def on_quote_tick(self, tick: QuoteTick) -> None:
        middle = (tick.bid_price.as_double() + tick.ask_price.as_double()) / 2
        if abs(middle - self.quoted) < 0.0099:
            return
        self.quoted = middle
        for order in self.quotes:
            if order.is_open:
                self.cancel_order(order)
        bid = self.order_factory.limit(INSTRUMENT.id, OrderSide.BUY, self.quantity, tick.bid_price)
        ask = self.order_factory.limit(INSTRUMENT.id, OrderSide.SELL, self.quantity, tick.ask_price)
        self.quotes = [bid, ask]
        self.submit_order(bid)
        self.submit_order(ask)


def read(path: str) -> list:
    ticks = []
    sides = {"Buy": AggressorSide.BUYER, "Sell": AggressorSide.SELLER}
    with open(path) as lines:
        for number, line in enumerate(lines):
            at, kind, a, b, c, d = line.rstrip("\n").split(",")
            ns = int(at) * 1_000_000
            price, size = INSTRUMENT.make_price(Decimal(a)), INSTRUMENT.make_qty(Decimal(b))
            if kind == "T":
                ticks.append(TradeTick(INSTRUMENT.id, price, size, sides[c], TradeId(str(number)), ns, ns))
            else:
                ask, ask_size = INSTRUMENT.make_price(Decimal(c)), INSTRUMENT.make_qty(Decimal(d))
                ticks.append(QuoteTick(INSTRUMENT.id, price, ask, size, ask_size, ns, ns))
    return ticks


def main() -> None:
    ticks = read(sys.argv[1])
    engine = BacktestEngine(BacktestEngineConfig(logging=LoggingConfig(bypass_logging=True)))
    engine.add_venue(
        venue=INSTRUMENT.id.venue,
        oms_type=OmsType.NETTING,
        account_type=AccountType.MARGIN,
        starting_balances=[Money(100_000_000, USDC)],
        book_type=BookType.L1_MBP,
        latency_model=LatencyModel(base_latency_nanos=50_000_000),
        trade_execution=True,
    )
    engine.add_instrument(INSTRUMENT)
    engine.add_data(ticks)
    maker = Maker()
    engine.add_strategy(maker)
    before = time.process_time()
    engine.run()
    taken = time.process_time() - before
    orders = engine.cache.orders_total_count()
    fills = sum(1 for order in engine.cache.orders() if order.filled_qty > 0)
    print()
    print(json.dumps({"version": nautilus_trader.__version__, "perSecond": len(ticks) / taken, "orders": orders, "filled": fills}))


main()
