"""Every model of the contract, by name."""

from crossbook.generated.models import *  # noqa: F403

# The stream's variants have the fields of every channel, and are also exported under the plain name.
from crossbook.generated.models import FeedErrorFrame as ErrorFrame  # type: ignore[assignment]  # noqa: F401
from crossbook.generated.models import PendingAckFrame as AckFrame  # type: ignore[assignment]  # noqa: F401
