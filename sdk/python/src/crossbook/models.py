"""Every shape of the contract, by name."""

from crossbook.generated.models import *  # noqa: F403
