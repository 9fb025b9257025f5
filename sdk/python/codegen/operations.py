"""Generates the methods of the document's operations: one table, and for each operation a blocking and an async method from one template."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]

# Accepted as a time of any kind.
TIMES = {"since", "until", "start", "end"}
KEY = "Idempotency-Key"
# The cursor parameter, which the page iterators set themselves.
CURSORS = ("cursor", "after")


# Methods that the clients define themselves.
TAKEN = {"close", "history", "stream"}


@dataclass
class Parameter:
    name: str
    where: str
    required: bool
    type: str
    description: str
    python: str = ""


@dataclass
class Operation:
    id: str
    method: str
    path: str
    summary: str
    credits: int | None
    rows_per_credit: int | None
    parameters: list[Parameter]
    keyed: bool
    has_get: bool
    answer: str | None
    body: Json | None
    body_models: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        word = self.id.removesuffix("_get")
        name = f"post_{snake(word.removesuffix('_post'))}" if self.id.endswith("_post") else snake(word)
        return f"{name}_exchange" if name in TAKEN else name

    @property
    def camel(self) -> str:
        word = self.id.split("_")[0]
        return word[0].upper() + word[1:]

    @property
    def constant(self) -> str:
        return self.name.upper()

    @property
    def safe(self) -> bool:
        """Safe to repeat: a second call does nothing more."""
        return self.method in ("GET", "PUT", "DELETE") or self.has_get


def snake(name: str) -> str:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"(?<=[A-Z])(?=[A-Z][a-z])", "_", spaced).replace("-", "_").lower()


def read_operations(openapi: Json) -> list[Operation]:
    return [
        read_operation(openapi, path, method, told, has_get="get" in methods)
        for path, methods in openapi["paths"].items()
        for method, told in methods.items()
    ]


def read_operation(openapi: Json, path: str, method: str, told: Json, *, has_get: bool) -> Operation:
    parameters = [resolve(openapi, each) for each in told["parameters"]]
    body = told.get("requestBody")
    body = None if body is None else body["content"]["application/json"]["schema"]
    return Operation(
        id=told["operationId"],
        method=method.upper(),
        path=path,
        summary=told["summary"],
        credits=told.get("x-credits"),
        rows_per_credit=told.get("x-rows-per-credit"),
        parameters=named([read_parameter(openapi, each) for each in parameters if each["in"] != "header"]),
        keyed=any(each["name"] == KEY for each in parameters),
        has_get=method == "post" and has_get and told["operationId"].endswith("_post"),
        answer=answer_of(openapi, told),
        body=body,
        body_models=refs_of(body),
    )


def resolve(openapi: Json, value: Json) -> Json:
    while "$ref" in value:
        _, _, section, name = value["$ref"].split("/")
        value = openapi["components"][section][name]
    return value


def read_parameter(openapi: Json, told: Json) -> Parameter:
    schema = told["schema"]
    kind = "Time" if told["name"] in TIMES else type_of(openapi, schema)
    # Where the route itself parses a number, the document declares text.
    kind = "int | str" if (told["name"], kind) == ("limit", "str") else kind
    return Parameter(told["name"], told["in"], told.get("required", False), kind, told.get("description", ""))


def named(parameters: list[Parameter]) -> list[Parameter]:
    """A name that is both in the path and in the query is the path's."""
    taken: set[str] = {"body", "idempotency_key"}
    for parameter in parameters:
        name = snake(parameter.name)
        name = f"{name}_" if name == "from" else name
        parameter.python = f"{name}_query" if name in taken else name
        taken.add(parameter.python)
    return parameters


def type_of(openapi: Json, schema: Json) -> str:
    if schema.get("contentMediaType") == "application/json":
        content = resolve(openapi, schema["contentSchema"])
        # A single string is sent as it is, not as JSON.
        return type_of(openapi, content) if content.get("type") == "string" else "Any"
    if "$ref" in schema:
        return type_of(openapi, resolve(openapi, schema))
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " | ".join(dict.fromkeys(type_of(openapi, each) for each in schema[word]))
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if schema.get("enum") == ["true", "false"]:
        return "bool"
    if "enum" in schema:
        return f"Literal[{', '.join(repr(each) for each in schema['enum'])}]"
    if schema.get("type") == "array":
        return f"Sequence[{type_of(openapi, schema['items'])}]"
    if schema.get("format") == "date":
        return "str | date"
    if schema.get("format") == "date-time":
        return "Time"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}.get(schema.get("type", ""), "Any")


def answer_of(openapi: Json, told: Json) -> str | None:
    """The envelope's model; None if the response is not JSON, or a document of its own."""
    answer = resolve(openapi, told["responses"]["200"])
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    return schema["$ref"].rsplit("/", 1)[-1] if "$ref" in schema else None


def refs_of(body: Json | None) -> list[str]:
    if body is None:
        return []
    parts = [body, *body.get("anyOf", []), *body.get("oneOf", [])]
    return [part["$ref"].rsplit("/", 1)[-1] for part in parts if "$ref" in part]


IMPORTS = """
from __future__ import annotations

from collections.abc import {iterators}, Mapping, Sequence
from datetime import date
from typing import Any, Literal, TypeVar

from crossbook.operation import Operation, RawAnswer, Time
from crossbook.generated import models, table

T = TypeVar("T")
"""

TABLE = """
from crossbook.operation import Operation, RawAnswer
from crossbook.generated import models

"""


def write_operations(operations: list[Operation], header: str, directory: Path) -> None:
    items = items_in((directory / "models.py").read_text())
    table = "".join(f"{operation.constant} = {entry_of(operation)}\n" for operation in operations)
    (directory / "table.py").write_text(header + TABLE + table)
    for is_async, name in ((False, "methods.py"), (True, "async_methods.py")):
        (directory / name).write_text(header + methods_of(operations, items, is_async=is_async))


def items_in(models: str) -> dict[str, str]:
    """For each response that lists something, the item's model."""
    found: dict[str, str] = {}
    for text in re.split(r"^class ", models, flags=re.M)[1:]:
        item = re.search(r"^    data: list\[(\w+)\]$", text, flags=re.M)
        if item is not None:
            found[text.split("(")[0]] = item.group(1)
    return found


def entry_of(operation: Operation) -> str:
    model = "RawAnswer" if operation.answer is None else f"models.{operation.answer}"
    fields = [repr(operation.id), repr(operation.method), repr(operation.path), model]
    fields += [f"{name}=True" for name in ("safe", "keyed") if getattr(operation, name)]
    return f"Operation({', '.join(fields)})"


def methods_of(operations: list[Operation], items: dict[str, str], *, is_async: bool) -> str:
    awaits = {"a": "async ", "w": "await ", "iterator": "AsyncIterator"} if is_async else {"a": "", "w": "", "iterator": "Iterator"}
    parts = [IMPORTS.format(iterators=awaits["iterator"])]
    parts.append(
        f'''

class {"Async" if is_async else ""}Methods:
    """A method for each operation of the document."""

    {awaits["a"]}def _call(
        self, operation: Operation[T], path: Mapping[str, Any], query: Mapping[str, Any], body: Any = None, key: str | None = None
    ) -> T:
        raise NotImplementedError

    def _items(self, operation: Operation[Any], path: Mapping[str, Any], query: Mapping[str, Any], cursor: str) -> {awaits["iterator"]}[Any]:
        raise NotImplementedError
'''
    )
    for operation in operations:
        parts.append(method_of(operation, awaits))
        cursor = next((each for each in operation.parameters if each.name in CURSORS and each.where == "query"), None)
        if cursor is not None and operation.answer in items:
            parts.append(iterator_of(operation, cursor, items[operation.answer], awaits))
    return "".join(parts)


def method_of(operation: Operation, awaits: dict[str, str]) -> str:
    model = "RawAnswer" if operation.answer is None else f"models.{operation.answer}"
    arguments = arguments_of(operation)
    more = ["body"] if operation.body is not None else []
    if operation.keyed:
        more = [*(more or ["None"]), "idempotency_key"]
    call = ", ".join([f"table.{operation.constant}", mapping(operation, "path"), mapping(operation, "query"), *more])
    cost = "" if operation.credits is None else f" Costs {operation.credits} credits." if operation.credits != 1 else " Costs 1 credit."
    if operation.rows_per_credit is not None:
        cost = f"{cost[:-1]}, or one for every {operation.rows_per_credit} rows if that is more."
    return f'''
    {awaits["a"]}def {operation.name}(
        {arguments}
    ) -> {model}:
        """{sentence(operation.summary)}{cost}{words_of(operation)}"""
        return {awaits["w"]}self._call({call})
'''


def iterator_of(operation: Operation, cursor: Parameter, item: str, awaits: dict[str, str]) -> str:
    walked = Operation(**{**operation.__dict__, "parameters": [each for each in operation.parameters if each is not cursor]})
    call = f"table.{operation.constant}, {mapping(walked, 'path')}, {mapping(walked, 'query')}, {cursor.name!r}"
    return f'''
    def iter_{operation.name}(
        {arguments_of(walked)}
    ) -> {awaits["iterator"]}[models.{item}]:
        """{operation.name}, page after page; `limit` is the size of one."""
        return self._items({call})
'''


def sentence(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"""', "'''").rstrip()
    return text if text.endswith(".") else f"{text}."


def words_of(operation: Operation) -> str:
    told = [f"        {each.python}: {sentence(each.description)}" for each in operation.parameters if each.description]
    return "" if not told else "\n\n" + "\n".join(told) + "\n        "


def arguments_of(operation: Operation) -> str:
    first = [f"{each.python}: {each.type}" for each in operation.parameters if each.where == "path"]
    if operation.body is not None:
        first.append(f"body: {' | '.join([*(f'models.{name}' for name in operation.body_models), 'Mapping[str, Any]'])}")
    rest = [each for each in operation.parameters if each.where == "query"]
    named = [f"{each.python}: {each.type}" for each in rest if each.required]
    named += [f"{each.python}: {optional(each.type)} = None" for each in rest if not each.required]
    if operation.keyed:
        named.append("idempotency_key: str | None = None")
    parts = ["self", *first, *(["*", *named] if named else [])]
    return ",\n        ".join(parts) + ","


def optional(kind: str) -> str:
    return kind if kind == "Any" else f"{kind} | None"


def mapping(operation: Operation, where: str) -> str:
    pairs = [f"{each.name!r}: {each.python}" for each in operation.parameters if each.where == where]
    return "{" + ", ".join(pairs) + "}"
