// A copy of a request that arrives late: the lab accepts it until the lane’s own late bound, and not after it. So a missing order proves
// nothing before the bound, and proves absence after it.
import { describe, expect, it } from 'vitest'
import { Accounts } from '#lab/hyperliquid/accounts'
import type { SendRequest } from '#net/http'
import { laneCases, type OpenCase } from '#test/support/laneCases'
import { refresh, send } from '#test/support/laneLab'
import { buildOrder, executionOf } from '#test/support/laneWorld'
import type { ExecutionAdapter, LaneExecution } from '#venues/lane'

interface Lost {
  execution: LaneExecution
  signedAt: number
  /** Sends the same request once more. */
  copy(): Promise<number>
}

async function lose(lane: ExecutionAdapter, { here, order, credentials, signed }: OpenCase): Promise<Lost> {
  const { context } = here.world
  let sent: SendRequest | undefined
  const watched = {
    ...here.world,
    context: {
      ...context,
      sender: {
        async send(request: SendRequest) {
          const { headers } = request
          sent = { ...request, headers: typeof headers === 'function' ? await headers() : headers }
          return context.sender.send(sent)
        },
      },
    },
  }
  here.lab.faults.order({ fault: 'vanish' })
  const built = await buildOrder(lane, context, order)
  const signedAt = context.clock.now()
  const { execution, outcome } = await send(lane, watched, built, {
    ...credentials,
    ...(await signed(built.unsigned, 'order')),
  })
  expect(outcome.kind).toBe('unknown')
  return {
    execution,
    signedAt,
    async copy() {
      const again = await context.sender.send(sent!)
      return again.kind === 'answered' ? again.status : 0
    },
  }
}

const windowed = ['kalshi', 'gemini', 'polymarket_us', 'novig'] as const

describe.each(windowed)('%s', (venue) => {
  const { lane, open } = laneCases[venue]

  it('accepts a copy at once and none after the bound; refresh then reports that the order is absent', async () => {
    const opened = await open()
    try {
      const { clock } = opened.here.world
      const { execution, signedAt, copy } = await lose(lane, opened)
      const bound = lane.submit!.lateBound!(execution, signedAt)!
      clock.advance(bound.untilMs - signedAt)
      expect(await refresh(lane, opened.here.world, execution, opened.credentials)).toMatchObject({
        status: null,
        shown: false,
        undone: true,
      })
      expect(await copy()).toBeGreaterThanOrEqual(400)
      expect(opened.orders()).toEqual([])
      const fresh = await lose(lane, opened)
      expect(await fresh.copy()).toBeLessThan(300)
      expect(opened.orders()).toHaveLength(1)
      const seen = await refresh(lane, opened.here.world, fresh.execution, opened.credentials)
      expect(seen).toMatchObject({ status: 'acked', shown: true })
    } finally {
      await opened.here.close()
    }
  })
})

it('polymarket_us: another order of that time, or any later trade, leaves it undecided', async () => {
  const { lane, open } = laneCases.polymarket_us
  const opened = await open()
  try {
    const { here, order, credentials, orders } = opened
    const { execution } = await lose(lane, opened)
    const other = await buildOrder(lane, here.world.context, { ...order, amount: 7 })
    await send(lane, here.world, other, credentials)
    expect((await refresh(lane, here.world, execution, credentials)).undone).toBeUndefined()
    here.trade('sell', orders()[0]!.priceMicros, 7)
    expect((await refresh(lane, here.world, execution, credentials)).undone).toBeUndefined()
  } finally {
    await opened.here.close()
  }
})

it('hyperliquid: a nonce is too old two days after the build, for any sender', async () => {
  const { lane, open } = laneCases.hyperliquid
  const opened = await open()
  try {
    const { execution } = await lose(lane, opened)
    const { nonce } = execution.unsigned as { nonce: number }
    const { untilMs } = lane.submit!.lateBound!(execution, 0)!
    const signer = `0x${'11'.repeat(20)}` as const
    expect(new Accounts(() => untilMs).spend(signer, nonce)).toBeNull()
    expect(new Accounts(() => untilMs + 1).spend(signer, nonce)).toContain('out of range')
    expect(await refresh(lane, opened.here.world, execution, {})).toMatchObject({ shown: false, undone: true })
  } finally {
    await opened.here.close()
  }
})

it('polymarket: an expiry bounds a late copy; without one there is no bound', async () => {
  const { lane, open } = laneCases.polymarket
  const opened = await open()
  try {
    const { execution } = await lose(lane, opened)
    expect(lane.submit!.lateBound!(execution, 0)).toBeNull()
    const { context, clock } = opened.here.world
    const expiresAt = Math.ceil(clock.now() / 1_000) + 600
    const built = await buildOrder(lane, context, { ...opened.order, expiresAt })
    expect(lane.submit!.lateBound!(executionOf(built), 0)?.untilMs).toBe(expiresAt * 1_000)
  } finally {
    await opened.here.close()
  }
})

it('pred: no copy is accepted after the bound, but refresh still does not know whether the order exists', async () => {
  const { lane, open } = laneCases.pred
  const opened = await open()
  try {
    const { here, credentials, orders } = opened
    const { execution, signedAt, copy } = await lose(lane, opened)
    const { untilMs } = lane.submit!.lateBound!(execution, signedAt)!
    here.world.clock.advance(untilMs - signedAt)
    expect(await copy()).toBe(400)
    const seen = await refresh(lane, here.world, execution, credentials)
    expect(seen).toMatchObject({ status: null, observation: { status: 'unknown' } })
    expect([seen.shown, seen.undone, orders()]).toEqual([undefined, undefined, []])
  } finally {
    await opened.here.close()
  }
})
