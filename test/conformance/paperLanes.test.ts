// Every venue's lane on paper against the lab of its venue: it builds the venue's own artifact, and the venue gets no request.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Fault } from '#core/fault'
import type { PaperTrading } from '#paper/accounts/ports'
import { createPaperLane, refusingClient, refusingSender } from '#paper/lane/index'
import { hasSyntheticBooks } from '#schemas/venues'
import type { NewPaperOrder } from '#storage/postgres/paper/place'
import { buy, market } from '#test/src/venues/xo/exec/world'
import { laneVenues, openLane } from '#test/support/laneCases'
import { createLaneWorld, executionOf } from '#test/support/laneWorld'
import type { ExecutionAdapter, LaneContext, ResolvedOutcome } from '#venues/lane'
import { lanes, registry } from '#venues/registry'
import { xoLane as xo } from '#venues/xo/exec/index'

const accountId = randomUUID()

function tradingOf(
  venue: keyof typeof registry,
  rows: readonly ResolvedOutcome[],
): { trading: PaperTrading; placed: NewPaperOrder[] } {
  const placed: NewPaperOrder[] = []
  const store = {
    async place(order: NewPaperOrder) {
      placed.push(order)
      return { kind: 'placed' as const }
    },
  } as unknown as PaperTrading['store']
  const { data } = registry[venue]
  const trading: PaperTrading = {
    store,
    settings: { startCash: '10000' },
    findMarket: async (_venue, marketId) => rows.find(({ market }) => market.marketId === marketId)?.market ?? null,
    bookOf: (_venue, outcomeId, marketId) => data.bookRef(outcomeId, marketId),
    availability: async () => 'live',
    feeModel: (_venue, market) => data.feeModel(market),
    clock: { now: () => 0 } as PaperTrading['clock'],
  }
  return { trading, placed }
}

const settingsOf = ({ settings = {} }: ExecutionAdapter): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, { onPaper }]) => (onPaper ? [[name, onPaper]] : [])))

describe.each(laneVenues)('%s on paper', (venue) => {
  it('takes an order without a request to the venue, a signature or a key', async () => {
    const { here, order } = await openLane(venue)
    try {
      const requests = () => Object.values(here.lab.counters().httpRequests).reduce((a, b) => a + b, 0)
      const before = requests()
      const { trading, placed } = tradingOf(venue, here.world.outcomes)
      const paper = createPaperLane(lanes[venue], trading)
      const context: LaneContext = {
        ...here.world.context,
        ...{ http: refusingClient, sender: refusingSender, urls: lanes[venue].urls, paper: { accountId } },
        settings: settingsOf(lanes[venue]),
      }
      const body = paper.order.body.parse(order)
      const facts = paper.order.gatherFacts(context, body)
      if (hasSyntheticBooks(venue)) {
        await expect(facts).rejects.toMatchObject({ code: 'PAPER_NO_LIVE_BOOK' })
        return
      }
      const built = paper.order.build(context, body, await facts)
      paper.checkBounds(built.unsigned, built.bounds)
      const execution = executionOf(built, { executionId: randomUUID() })
      const send = paper.submit!.body.parse({ signature: '0xcanary', apiSecret: 'canary' })
      expect(send).toEqual({})
      const prepared = await paper.submit!.prepare(context, execution, send)
      expect(JSON.stringify(prepared)).not.toContain('canary')
      const outcome = await paper.submit!.relay(context, execution, prepared, send)
      expect(outcome).toMatchObject({ kind: 'accepted', status: 'acked', venueRef: prepared.venueRef })
      expect(placed).toMatchObject([{ venue, ref: prepared.venueRef, size: built.terms!.size }])
      // The venue's own cancel can name it.
      if (paper.cancel !== undefined && venue !== 'pascal') {
        const target = { ...execution, status: 'acked' as const, venueRef: prepared.venueRef }
        const cancel = await paper.cancel.build(context, target, paper.cancel.body.parse({}))
        expect(() => paper.describe(cancel.unsigned)).not.toThrow(Fault)
      }
      expect(requests()).toBe(before)
    } finally {
      await here.close()
    }
  })
})

it('takes an order of a venue that only builds live, without the operator’s settings', async () => {
  const rows = market()
  const { trading, placed } = tradingOf('xo', rows)
  const paper = createPaperLane(xo, trading)
  const world = await createLaneWorld('xo', [])
  try {
    const find = async (fits: (row: ResolvedOutcome) => boolean) => rows.find(fits)!
    const context: LaneContext = {
      ...world.context,
      ...{ http: refusingClient, sender: refusingSender, urls: {}, settings: settingsOf(xo), paper: { accountId } },
      catalog: {
        outcome: (outcomeId) => find(({ outcome }) => outcome.outcomeId === outcomeId),
        side: (_marketId, side) => find((row) => row.side === side),
      },
    }
    const body = paper.order.body.parse(buy)
    const built = paper.order.build(context, body, await paper.order.gatherFacts(context, body))
    paper.checkBounds(built.unsigned, built.bounds)
    const execution = executionOf(built)
    const send = paper.submit!.body.parse({})
    const prepared = await paper.submit!.prepare(context, execution, send)
    expect(await paper.submit!.relay(context, execution, prepared, send)).toMatchObject({ kind: 'accepted' })
    expect(placed).toMatchObject([{ venue: 'xo', price: '0.56', size: '21.04', isBuy: true }])
    expect(world.seen).toEqual([])
  } finally {
    await world.close()
  }
})
