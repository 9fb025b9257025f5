"""Carries out a kept plan of the router: authorizes and submits its legs, follows them to their end, and plans what would close the rest.

`execute_group` is for `Crossbook`, `execute_group_async` for `AsyncCrossbook`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from crossbook.async_client import AsyncCrossbook
from crossbook.client import Crossbook
from crossbook.errors import ApiError, CrossbookError
from crossbook.models import Execution, RouterGroup

Fields = Mapping[str, Any]
_ENDED = {"filled", "partial", "unequal", "unfilled"}


@dataclass(frozen=True)
class RefusedLeg:
    position: int
    error: CrossbookError


@dataclass(frozen=True)
class ExecutedGroup:
    """group: all its legs have ended.
    refused: legs that were not sent; their executions are discarded.
    closing: a dry run of what closes what the group lacks; None: nothing is lacking, or see `closing_error`.
    """

    group: RouterGroup
    refused: list[RefusedLeg]
    closing: RouterGroup | None
    closing_error: CrossbookError | None


def execute_group(
    client: Crossbook,
    group: RouterGroup,
    authorize: Callable[[Execution], Fields],
    *,
    refresh: Callable[[Execution], Fields | None] | None = None,
    close: Fields | None = None,
    poll: float = 1.0,
    timeout: float | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> ExecutedGroup:
    """`group`: as returned with `persist` by a plan, an arbitrage, a structure, or a close. It can be repeated with a later state of the group:
    what was sent is not sent again.

    authorize: the fields of a leg's submit: what `sign` returns, and the venue's credentials if it needs any.
    refresh: the fields of a leg's refresh, where the service cannot read an order without them; None: it is not refreshed.
    close: constraints of the closing plan that is offered.
    poll: seconds between two reads of the group.
    timeout: seconds of waiting, after which `TimeoutError` is raised; what was submitted stays at the venues. A leg that rests (`immediate` false) is
        followed until it is filled or canceled.
    """
    refused = submit_legs(client, group, authorize)
    ended = follow_group(client, _id_of(group), refresh=refresh, poll=poll, timeout=timeout, sleep=sleep)
    try:
        return ExecutedGroup(ended, refused, plan_closing(client, ended, close), None)
    except CrossbookError as error:
        return ExecutedGroup(ended, refused, None, error)


def submit_legs(client: Crossbook, group: RouterGroup, authorize: Callable[[Execution], Fields]) -> list[RefusedLeg]:
    """Nothing is submitted unless every leg is built and authorized. A leg of which the submit fails is discarded, so that it ends, unless it was
    sent after all. If neither is known, the error is raised once all legs were submitted: repeat it with the group as it is then.
    """
    unsent = [(position, built, authorize(built)) for position, built in _unsent(group)]

    def submit(leg: tuple[int, Execution, Fields]) -> RefusedLeg | None:
        position, built, fields = leg
        try:
            client.submit_execution(built.venue, built.execution_id, fields)
        except CrossbookError as error:
            try:
                client.discard_execution(built.venue, built.execution_id)
            except ApiError as refusal:
                # It was sent, unless the call may succeed later.
                if refusal.retryable:
                    raise
                return None
            return RefusedLeg(position, error)
        return None

    if not unsent:
        return []
    # Leaving the block waits for all of them.
    with ThreadPoolExecutor(max_workers=len(unsent)) as pool:
        submits = [pool.submit(submit, leg) for leg in unsent]
    return [refused for each in submits if (refused := each.result()) is not None]


def follow_group(
    client: Crossbook,
    group_id: str,
    *,
    refresh: Callable[[Execution], Fields | None] | None = None,
    poll: float = 1.0,
    timeout: float | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> RouterGroup:
    """Returns once every leg has ended and what was filled is known."""
    waited = 0.0
    while True:
        group = client.get_router_group(group_id).data
        if group.status in _ENDED:
            return group
        waited = _waited(waited, poll, timeout)
        sleep(poll)
        if refresh is None:
            continue
        for built in _in_flight(group):
            fields = refresh(built)
            if fields is not None:
                client.refresh_execution(built.venue, built.execution_id, fields)


def plan_closing(client: Crossbook, group: RouterGroup, close: Fields | None = None) -> RouterGroup | None:
    """A dry run. `group`: all its legs have ended. None: nothing is lacking."""
    if not _lacks(group):
        return None
    return client.close_router_group(_id_of(group), {**(close or {}), "artifacts": False}).data


async def execute_group_async(
    client: AsyncCrossbook,
    group: RouterGroup,
    authorize: Callable[[Execution], Awaitable[Fields]],
    *,
    refresh: Callable[[Execution], Awaitable[Fields | None]] | None = None,
    close: Fields | None = None,
    poll: float = 1.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> ExecutedGroup:
    """As `execute_group`, for the async client; `asyncio.timeout` bounds it."""
    refused = await submit_legs_async(client, group, authorize)
    ended = await follow_group_async(client, _id_of(group), refresh=refresh, poll=poll, sleep=sleep)
    try:
        return ExecutedGroup(ended, refused, await plan_closing_async(client, ended, close), None)
    except CrossbookError as error:
        return ExecutedGroup(ended, refused, None, error)


async def submit_legs_async(client: AsyncCrossbook, group: RouterGroup, authorize: Callable[[Execution], Awaitable[Fields]]) -> list[RefusedLeg]:
    """As `submit_legs`."""
    unsent = [(position, built, await authorize(built)) for position, built in _unsent(group)]

    async def submit(position: int, built: Execution, fields: Fields) -> RefusedLeg | None:
        try:
            await client.submit_execution(built.venue, built.execution_id, fields)
        except CrossbookError as error:
            try:
                await client.discard_execution(built.venue, built.execution_id)
            except ApiError as refusal:
                # It was sent, unless the call may succeed later.
                if refusal.retryable:
                    raise
                return None
            return RefusedLeg(position, error)
        return None

    results = await asyncio.gather(*(submit(*leg) for leg in unsent), return_exceptions=True)
    refused: list[RefusedLeg] = []
    for result in results:
        if isinstance(result, BaseException):
            raise result
        if result is not None:
            refused.append(result)
    return refused


async def follow_group_async(
    client: AsyncCrossbook,
    group_id: str,
    *,
    refresh: Callable[[Execution], Awaitable[Fields | None]] | None = None,
    poll: float = 1.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> RouterGroup:
    """As `follow_group`."""
    while True:
        group = (await client.get_router_group(group_id)).data
        if group.status in _ENDED:
            return group
        await sleep(poll)
        if refresh is None:
            continue
        for built in _in_flight(group):
            fields = await refresh(built)
            if fields is not None:
                await client.refresh_execution(built.venue, built.execution_id, fields)


async def plan_closing_async(client: AsyncCrossbook, group: RouterGroup, close: Fields | None = None) -> RouterGroup | None:
    """As `plan_closing`."""
    if not _lacks(group):
        return None
    return (await client.close_router_group(_id_of(group), {**(close or {}), "artifacts": False})).data


def _id_of(group: RouterGroup) -> str:
    if group.group_id is None:
        raise CrossbookError("a dry run has nothing to submit: plan with persist")
    return group.group_id


def _unsent(group: RouterGroup) -> list[tuple[int, Execution]]:
    _id_of(group)
    found: list[tuple[int, Execution]] = []
    for leg in group.legs:
        if leg.execution is None:
            why = "repeat the request" if leg.error is None else leg.error.message
            raise CrossbookError(f"leg {leg.position} at {leg.venue} is not built: {why}")
        if leg.execution.status in ("built", "signed"):
            found.append((leg.position, leg.execution))
    return found


def _in_flight(group: RouterGroup) -> list[Execution]:
    return [leg.execution for leg in group.legs if leg.execution is not None and leg.execution.status in ("submitted", "acked")]


def _lacks(group: RouterGroup) -> bool:
    is_short = group.kind == "route" and group.closes_group_id is None and Decimal(group.remaining or 0) > 0
    return bool(group.exposure) or is_short


def _waited(waited: float, poll: float, timeout: float | None) -> float:
    if timeout is not None and waited + poll > timeout:
        raise TimeoutError(f"the group has not ended within {timeout} s")
    return waited + poll
