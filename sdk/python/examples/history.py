"""The tape of the last hour: rows, gaps, and a paced replay. `CROSSBOOK_URL=… CROSSBOOK_KEY=… python history.py kalshi`."""

import os
import sys
from datetime import datetime, timedelta, timezone

from crossbook import Crossbook
from crossbook.models import ReplayBookFrame, ReplayStateFrame

venue = sys.argv[1] if len(sys.argv) > 1 else "kalshi"
until = datetime.now(timezone.utc)
since = until - timedelta(hours=1)

with Crossbook(os.environ["CROSSBOOK_URL"], os.environ["CROSSBOOK_KEY"]) as client:
    [market] = client.fetch_markets(venue, limit=1, sort="volume").data
    outcome_id = market.outcomes[0].outcome_id

    rows = list(client.history.rows(venue, outcome_id, "tob", since=since, until=until))
    print(len(rows), "tops of the book")

    for gap in client.history.gaps(venue, outcome_id, since=since, until=until):
        print(gap.kind, gap.start, gap.end, gap.reason)

    books = 0
    for frame in client.history.replay([(venue, outcome_id)], since=since, until=until, speed=1_000, channels=["orderbook"]):
        if isinstance(frame, ReplayBookFrame):
            books += 1
        elif isinstance(frame, ReplayStateFrame):
            print(frame.type, frame.data.frames)
        if books >= 5:
            break
    print("replayed", books)
