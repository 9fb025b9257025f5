"""Every shape of the contract, by name."""

from crossbook.generated.models import *  # noqa: F403

# What the stream yields has the fields of every channel, and is known by the plain name, too.
from crossbook.generated.models import FeedErrorFrame as ErrorFrame  # type: ignore[assignment]  # noqa: F401
from crossbook.generated.models import PendingAckFrame as AckFrame  # type: ignore[assignment]  # noqa: F401
