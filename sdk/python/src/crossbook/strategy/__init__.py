"""Strategies: one `async def strategy(ctx)` that runs unchanged in a backtest, on a paper account and live.

`python -m crossbook.strategy file.py --url … --key … --markets …` runs it against a service; `npx crossbook backtest --strategy file.py`
runs it against the tape.
"""

from crossbook.strategy.context import Clock, Context, Market

__all__ = ["Clock", "Context", "Market"]
