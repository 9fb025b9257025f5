import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failuresMax, unsignedMax } from '#orders/algorithms/machine/decide'
import type { AlgorithmPlan, KindParameters } from '#orders/algorithms/machine/types'
import { marketAt, noMarket, Simulation } from '#test/support/algorithms/simulation'

const start = 1_000_000
const contract = 1_000_000
const cent = 10_000

const planOf = (parameters: KindParameters, more: Partial<AlgorithmPlan> = {}): AlgorithmPlan => ({
  parameters,
  side: 'buy',
  size: 12 * contract,
  limitPrice: 50 * cent,
  sizeStep: contract,
  minSliceSize: contract,
  postOnly: false,
  takesAtOnce: true,
  startsAt: start,
  expiresAt: start + (parameters.kind === 'twap' ? parameters.durationMs : 600_000),
  showsOwnOrders: true,
  ...more,
})

const twap = { kind: 'twap', slices: 4, durationMs: 400_000, style: 'take' } as const
const iceberg = { kind: 'iceberg', displaySize: 5 * contract } as const
const peg = { kind: 'peg', to: 'bid', intervalMs: 5_000, displaySize: null } as const
const passive = { kind: 'passive_then_aggressive', passiveMs: 60_000, intervalMs: 5_000 } as const

describe('every algorithm', () => {
  const amounts = fc.record({
    limitPrice: fc.integer({ min: 1, max: 99 }).map((cents) => cents * cent),
    sizeStep: fc.constantFrom(contract, contract / 100, 3 * contract),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    takesAtOnce: fc.boolean(),
    postOnly: fc.boolean(),
    showsOwnOrders: fc.boolean(),
  })
  const kinds: fc.Arbitrary<KindParameters> = fc.oneof(
    fc.record({
      kind: fc.constant('twap' as const),
      slices: fc.integer({ min: 2, max: 9 }),
      durationMs: fc.integer({ min: 10_000, max: 500_000 }),
      style: fc.constantFrom('take' as const, 'rest' as const),
    }),
    fc.constant(iceberg).map(({ kind }) => ({ kind, displaySize: 6 * contract })),
    fc.record({
      kind: fc.constant('peg' as const),
      to: fc.constantFrom('bid' as const, 'ask' as const),
      intervalMs: fc.integer({ min: 1_000, max: 20_000 }),
      displaySize: fc.constantFrom(null, 6 * contract),
    }),
    fc.constant(passive),
  )
  const events = fc.array(
    fc.oneof(
      fc.record({
        what: fc.constant('book' as const),
        bid: fc.integer({ min: 1, max: 98 }),
        spread: fc.integer({ min: 1, max: 10 }),
        size: fc.integer({ min: 1, max: 30 }),
      }),
      fc.record({ what: fc.constantFrom(...(['stale', 'sign', 'confirm', 'fail'] as const)) }),
      fc.record({ what: fc.constant('fill' as const), size: fc.integer({ min: 1, max: 9_000_000 }) }),
      fc.record({ what: fc.constant('time' as const), ms: fc.integer({ min: 1, max: 30_000 }) }),
      fc.record({ what: fc.constant('cancel' as const) }),
    ),
    { maxLength: 120 },
  )

  it('has one live slice, stays within size, limit and book, and ends once the venue has confirmed everything', () => {
    fc.assert(
      fc.property(amounts, kinds, events, fc.boolean(), fc.nat(3), (given, parameters, history, isHosted, cancels) => {
        const minSliceSize = given.sizeStep
        const world = new Simulation(planOf(parameters, { ...given, minSliceSize }), { isHosted })
        for (const event of history) {
          if (world.end !== null) break
          switch (event.what) {
            case 'book':
              world.market = marketAt(
                event.bid * cent,
                Math.min(99, event.bid + event.spread) * cent,
                event.size * contract,
              )
              break
            case 'stale':
              world.market = noMarket
              break
            case 'sign':
              world.sign()
              break
            case 'confirm':
              world.confirm()
              break
            case 'fail':
              world.fail()
              break
            case 'fill':
              world.fill(event.size)
              break
            case 'time':
              world.now += event.ms
              break
            case 'cancel':
              // Rarely: most histories go on.
              if (cancels === 0) world.progress.endsAs ??= 'canceled'
          }
          world.run()
          expect(world.progress.filled).toBeLessThanOrEqual(world.plan.size)
        }
        world.now = Math.max(world.now, world.plan.expiresAt)
        for (let rounds = 0; rounds < 3 && world.end === null; rounds++) {
          world.run()
          world.confirm()
        }
        if (world.end === null) world.run()
        expect(world.end).not.toBeNull()
        if (world.end === 'completed')
          expect(world.plan.size - world.progress.filled).toBeLessThan(world.plan.minSliceSize)
      }),
    )
  })

  it('decides nothing on a book that is not live, and says so', () => {
    for (const parameters of [twap, iceberg, peg, passive]) {
      const world = new Simulation(planOf(parameters))
      expect(world.run()).toEqual({ kind: 'wait', reason: 'book_not_live', until: null })
      world.market = marketAt(40 * cent, 42 * cent)
      world.run()
      expect(world.slices).toHaveLength(1)
    }
  })

  it('does not send a slice whose book became stale between its decision and its submit', () => {
    const world = new Simulation(planOf(iceberg))
    world.market = marketAt(40 * cent, 42 * cent)
    expect(world.step().kind).toBe('slice')
    expect(world.step().kind).toBe('build')
    world.market = noMarket
    expect(world.step()).toMatchObject({ kind: 'wait', reason: 'book_not_live' })
    world.market = marketAt(40 * cent, 42 * cent)
    expect(world.step().kind).toBe('send')
  })

  it('waits for the start', () => {
    const world = new Simulation(planOf(iceberg))
    world.market = marketAt(40 * cent, 42 * cent)
    world.now = start - 1
    expect(world.run()).toEqual({ kind: 'wait', reason: 'not_started', until: start })
  })

  it('withdraws its live slice before it ends, and a slice of unknown outcome only once that is known', () => {
    const world = new Simulation(planOf(iceberg))
    world.market = marketAt(40 * cent, 42 * cent)
    world.run()
    world.progress.endsAs = 'canceled'
    world.live!.isOutcomeUnknown = true
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'outcome_unknown' })
    world.live!.isOutcomeUnknown = false
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'cancel_unconfirmed' })
    expect(world.live!.cancel).toBe('sent')
    world.confirm()
    expect(world.run()).toEqual({ kind: 'end', as: 'canceled', why: null })
  })

  it('sends nothing while an ended slice is open again, or what was filled is not known', () => {
    const world = new Simulation(planOf(iceberg))
    world.market = marketAt(40 * cent, 42 * cent)
    world.progress.hasReopened = true
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'earlier_slice_open' })
    world.progress.hasReopened = false
    world.run()
    world.live!.isFillUnknown = true
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'fill_unknown' })
  })

  it('fails after slices that fail in a row, and after slices that are not signed', () => {
    const failing = new Simulation(planOf(iceberg))
    failing.market = marketAt(40 * cent, 42 * cent)
    for (let n = 0; n < failuresMax; n++) {
      failing.run()
      failing.fail()
    }
    expect(failing.run()).toMatchObject({ kind: 'end', as: 'failed' })
    const unsigned = new Simulation(planOf(iceberg, { expiresAt: start + 100 * 60_000 }), { isHosted: false })
    unsigned.market = marketAt(40 * cent, 42 * cent)
    for (let n = 0; n < unsignedMax; n++) {
      expect(unsigned.run()).toMatchObject({ kind: 'wait', reason: 'awaiting_signature' })
      unsigned.now += 60_000
    }
    expect(unsigned.run()).toMatchObject({ kind: 'end', as: 'failed' })
    expect(unsigned.slices).toHaveLength(unsignedMax)
  })
})

describe('twap', () => {
  it('sends one slice per interval, along the line from start to end', () => {
    const world = new Simulation(planOf(twap))
    world.market = marketAt(40 * cent, 42 * cent)
    for (let interval = 0; interval < 4; interval++) {
      world.now = start + interval * 100_000
      world.run()
      world.fill(world.live!.size)
      expect(world.progress.filled).toBe((interval + 1) * 3 * contract)
      if (interval < 3)
        expect(world.run()).toEqual({ kind: 'wait', reason: 'next_interval', until: start + (interval + 1) * 100_000 })
    }
    expect(world.run()).toMatchObject({ kind: 'end', as: 'completed' })
    expect(world.slices.map(({ takes }) => takes)).toEqual([true, true, true, true])
  })

  it('makes up for what was not filled before', () => {
    const world = new Simulation(planOf(twap))
    world.market = marketAt(40 * cent, 42 * cent)
    world.run()
    world.fill(contract)
    world.confirm()
    world.now = start + 250_000
    world.run()
    expect(world.slices.map(({ size }) => size / contract)).toEqual([3, 8])
  })

  it('takes nothing beyond the limit, and expires with what is left', () => {
    const world = new Simulation(planOf(twap))
    world.market = marketAt(50 * cent, 51 * cent)
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'price_beyond_limit' })
    world.now = world.plan.expiresAt
    expect(world.run()).toMatchObject({ kind: 'end', as: 'expired' })
    expect(world.slices).toEqual([])
  })

  it('cancels a resting slice at the next interval, and sends the next one once that is confirmed', () => {
    const world = new Simulation(planOf({ ...twap, style: 'rest' }))
    world.market = marketAt(40 * cent, 42 * cent)
    world.run()
    world.fill(contract)
    world.now = start + 100_000
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'cancel_unconfirmed' })
    expect(world.slices).toHaveLength(1)
    world.fill(contract)
    world.confirm()
    world.run()
    expect(world.slices.map(({ size }) => size / contract)).toEqual([3, 4])
  })

  it('uses the signed slice of its interval, and leaves out those that it missed', () => {
    const world = new Simulation(planOf(twap))
    world.progress.planned = [0, 1, 2, 3].map((number) => ({ number, price: 45 * cent, size: 3 * contract }))
    world.now = start + 120_000
    world.market = marketAt(40 * cent, 42 * cent)
    world.run()
    expect(world.slices).toMatchObject([{ planned: 1, price: 45 * cent, size: 3 * contract }])
  })
})

describe('iceberg', () => {
  it('shows one part after the other at the limit, and the rest last', () => {
    const world = new Simulation(planOf(iceberg))
    world.market = marketAt(40 * cent, 42 * cent)
    while (world.run().kind !== 'end') world.fill(world.live!.size)
    expect(world.slices.map(({ size, price }) => [size / contract, price])).toEqual([
      [5, 50 * cent],
      [5, 50 * cent],
      [2, 50 * cent],
    ])
    expect(world.end).toBe('completed')
  })
})

describe('peg', () => {
  it('follows the best price of others, no more often than its interval, and only after a confirmed cancel', () => {
    const world = new Simulation(planOf(peg))
    world.market = marketAt(40 * cent, 44 * cent)
    world.run()
    // Its own order is the best bid now.
    world.market = {
      ...world.market,
      bids: [
        { price: 40 * cent, size: 12 * contract },
        { price: 39 * cent, size: contract },
      ],
    }
    world.now += 4_999
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'slice_open' })
    world.now += 1
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'cancel_unconfirmed' })
    world.confirm()
    world.market = marketAt(39 * cent, 44 * cent)
    world.run()
    expect(world.slices.map(({ price }) => price)).toEqual([40 * cent, 39 * cent])
  })

  it('of a paper account, whose orders are in no book, takes the best price as it is', () => {
    const world = new Simulation(planOf(peg, { showsOwnOrders: false }))
    world.market = marketAt(40 * cent, 44 * cent, contract)
    world.run()
    world.now += 60_000
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'slice_open' })
  })

  it('waits for its interval no longer than until it expires', () => {
    const world = new Simulation(planOf({ ...peg, intervalMs: 900_000 }))
    world.market = marketAt(40 * cent, 44 * cent)
    world.run()
    world.fail()
    expect(world.run()).toEqual({ kind: 'wait', reason: 'min_interval', until: world.plan.expiresAt })
  })

  it('rests at its limit while the price is beyond it', () => {
    const world = new Simulation(planOf(peg))
    world.market = marketAt(60 * cent, 64 * cent)
    world.run()
    expect(world.slices).toMatchObject([{ price: 50 * cent, takes: false }])
  })

  it('leaves its order where it is while the book is stale, and waits without a price to follow', () => {
    const world = new Simulation(planOf(peg))
    world.market = { isLive: true, bids: [], asks: [] }
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'no_price_to_follow' })
    world.market = marketAt(40 * cent, 44 * cent)
    world.run()
    world.market = noMarket
    world.now += 60_000
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'slice_open' })
  })
})

describe('passive-then-aggressive', () => {
  it('rests at the best price of its side first, and then takes up to its limit', () => {
    const world = new Simulation(planOf(passive))
    world.market = marketAt(40 * cent, 44 * cent)
    world.run()
    world.fill(2 * contract)
    world.now = start + 60_000
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'cancel_unconfirmed' })
    world.confirm()
    world.run()
    world.fill(4 * contract)
    world.confirm()
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'min_interval', until: start + 65_000 })
    world.now = start + 65_000
    world.run()
    world.fill(6 * contract)
    expect(world.run()).toMatchObject({ kind: 'end', as: 'completed' })
    expect(world.slices.map(({ price, size, takes }) => [price / cent, size / contract, takes])).toEqual([
      [40, 12, false],
      [50, 10, true],
      [50, 6, true],
    ])
  })

  it('waits for its interval no longer than until its second phase', () => {
    const world = new Simulation(planOf({ ...passive, intervalMs: 900_000 }))
    world.market = marketAt(40 * cent, 44 * cent)
    world.run()
    world.fail()
    expect(world.run()).toEqual({ kind: 'wait', reason: 'min_interval', until: start + 60_000 })
    world.now = start + 60_000
    world.run()
    expect(world.slices.map(({ takes }) => takes)).toEqual([false, true])
  })

  it('waits in its second phase while nothing is offered within the limit', () => {
    const world = new Simulation(planOf(passive))
    world.market = marketAt(49 * cent, 51 * cent)
    world.now = start + 60_000
    expect(world.run()).toMatchObject({ kind: 'wait', reason: 'price_beyond_limit' })
  })
})
