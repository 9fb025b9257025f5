"""The base class of every model of the contract."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    """Fields are snake case here and camel case on the wire; both are accepted. Unknown fields of a newer server are kept (`model_extra`)."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, alias_generator=to_camel)

    def to_wire(self) -> dict[str, object]:
        """As it is sent: with the wire's names, and only the fields that were set."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)
