"""What every model of the contract is."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Model(BaseModel):
    """Fields are in snake case here and in camel case on the wire; both are taken. Fields that a newer server tells are kept (`model_extra`)."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, alias_generator=to_camel)

    def to_wire(self) -> dict[str, object]:
        """As it is sent: the wire's names, and what was given alone."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)
