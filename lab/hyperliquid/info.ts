// Hyperliquid's reads: POST /info, one answer per `type`. Everything is public, including an address' holdings.
import { z } from 'zod'
import type { SimulatedOrder } from '../engine/orderManager.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import type { Accounts } from './accounts.ts'
import type { HyperListing, HyperOutcome, HyperSide } from './marketGenerator.ts'
import {
  bookRow,
  contextRow,
  fillRow,
  frontendRow,
  metaRow,
  oidOf,
  openRow,
  px,
  specRow,
  statusRow,
  sz,
  templateRows,
  tradeRow,
} from './rows.ts'
import { otherTradersFills } from './traders.ts'

const fillsMax = 2_000

const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())
const byUser = { user: Address }

const Question = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('outcomeMeta') }),
  z.looseObject({ type: z.literal('outcomeTemplates') }),
  z.looseObject({ type: z.literal('spotMetaAndAssetCtxs') }),
  z.looseObject({ type: z.literal('allMids') }),
  z.looseObject({ type: z.literal('settledOutcome'), outcome: z.int() }),
  z.looseObject({ type: z.literal('l2Book'), coin: z.string() }),
  z.looseObject({ type: z.literal('recentTrades'), coin: z.string() }),
  z.looseObject({ type: z.literal('spotClearinghouseState'), ...byUser }),
  z.looseObject({ type: z.literal('userRole'), ...byUser }),
  z.looseObject({ type: z.literal('openOrders'), ...byUser }),
  z.looseObject({ type: z.literal('frontendOpenOrders'), ...byUser }),
  z.looseObject({ type: z.literal('historicalOrders'), ...byUser }),
  z.looseObject({ type: z.literal('orderStatus'), ...byUser, oid: z.union([z.int(), z.string()]) }),
  z.looseObject({ type: z.literal('userFills'), ...byUser }),
  z.looseObject({ type: z.literal('userFillsByTime'), ...byUser, startTime: z.int(), endTime: z.int().nullish() }),
])
type Question = z.infer<typeof Question>

export const malformedBody: LabReply = {
  status: 422,
  body: 'Failed to deserialize the JSON body into the target type',
}

export function infoRoute(
  { engine, faults, isKnown, shown }: VenueCore,
  listing: HyperListing,
  accounts: Accounts,
  statusOf: (order: SimulatedOrder) => string,
): LabRoute {
  const { orderManager } = engine
  const isLive = ({ key }: HyperOutcome) => isKnown(key) && engine.statusOf(key) !== 'resolved'
  const sideOf = (coin: string) => {
    const named = listing.byCoin.get(coin)
    return named === undefined || !isLive(named.outcome) ? null : named
  }
  const status = (order: SimulatedOrder) => statusRow(order, statusOf(order))
  const open = (user: string) => orderManager.ordersOf(user).filter((order) => order.status === 'open')
  const fills = (user: string) =>
    (faults().hides('fills') ? [] : orderManager.ordersOf(user))
      .flatMap((order) => order.fills.map((fill) => ({ order, fill })))
      .sort((a, b) => a.fill.id - b.fill.id)

  function answer(question: Question): unknown {
    switch (question.type) {
      case 'outcomeMeta':
        return metaRow(listing, isLive)
      case 'outcomeTemplates':
        return templateRows
      case 'spotMetaAndAssetCtxs':
        return [{ universe: [], tokens: [] }, contexts()]
      case 'allMids':
        return mids()
      case 'settledOutcome':
        return settled(question.outcome)
      case 'l2Book': {
        const named = sideOf(question.coin)
        return named === null ? null : bookRow(named, shown(named.outcome.key))
      }
      case 'recentTrades':
        return trades(question.coin)
      case 'spotClearinghouseState': {
        accounts.visit(question.user)
        const balances = accounts.balances(question.user, orderManager).map(({ coin, total, hold, cost }) => ({
          coin,
          ...(coin === 'USDC' ? { token: 0 } : {}),
          total: sz(rounded(total)),
          hold: sz(rounded(hold)),
          entryNtl: sz(rounded(cost)),
        }))
        return { balances }
      }
      case 'userRole': {
        const master = accounts.masterOf(question.user)
        if (master !== null) return { role: 'agent', data: { user: master } }
        return { role: accounts.accountOf(question.user as `0x${string}`) === null ? 'missing' : 'user' }
      }
      case 'openOrders':
        return open(question.user).map(openRow)
      case 'frontendOpenOrders':
        return open(question.user).map(frontendRow)
      case 'historicalOrders':
        if (faults().hides('orders')) return []
        return orderManager.ordersOf(question.user).slice(-fillsMax).reverse().map(status)
      case 'orderStatus': {
        const order = faults().hides('orders') ? null : find(question.user, question.oid)
        return order === null ? { status: 'unknownOid' } : { status: 'order', order: status(order) }
      }
      case 'userFills':
        return [
          ...fills(question.user)
            .slice(-fillsMax)
            .reverse()
            .map(({ order, fill }) => fillRow(order, fill)),
          ...otherTradersFills(engine, listing, question.user),
        ].slice(0, fillsMax)
      case 'userFillsByTime':
        return fills(question.user)
          .filter(({ fill: { atMs } }) => atMs >= question.startTime && atMs <= (question.endTime ?? Infinity))
          .slice(0, fillsMax)
          .map(({ order, fill }) => fillRow(order, fill))
    }
  }

  const find = (user: string, oid: number | string): SimulatedOrder | null =>
    /^0x/.test(String(oid))
      ? orderManager.findByClientId(user, String(oid).toLowerCase())
      : (orderManager.ordersOf(user).find((order) => oidOf(order) === Number(oid)) ?? null)

  const live = () => [...listing.byCoin].filter(([, { outcome }]) => isLive(outcome))
  const midOf = ({ outcome, side }: HyperSide): number => {
    const mid = engine.glance(outcome.key)!.midMicros()
    return side === 0 ? mid : 1_000_000 - mid
  }

  function mids(): Record<string, string> {
    return Object.fromEntries(live().map(([coin, named]) => [coin, px(midOf(named))]))
  }

  function contexts(): unknown[] {
    return live().map(([coin, named]) =>
      contextRow(coin, midOf(named), engine.glance(named.outcome.key)!.volumeHundredths),
    )
  }

  function settled(outcome: number): unknown {
    const named = listing.byOutcome.get(outcome)
    const result = named === undefined ? null : engine.glance(named.key)!.result
    if (named === undefined || result === null) return null
    const question = listing.questions.find(({ outcomes }) => outcomes.includes(named))
    return {
      spec: specRow(named),
      settleFraction: result === 'yes' ? '1' : '0',
      details: '',
      ...(question === undefined
        ? {}
        : {
            question: {
              question: { active: question.question },
              name: question.event.title,
              description: question.event.rules,
            },
          }),
    }
  }

  function trades(coin: string): unknown {
    const named = sideOf(coin)
    if (named === null) return null
    return engine
      .glance(named.outcome.key)!
      .recentTrades()
      .map((trade) => tradeRow(named, trade))
  }

  return {
    method: 'POST',
    path: '/info',
    handle({ body }) {
      const parsed = Question.safeParse(body)
      return parsed.success ? ok(answer(parsed.data)) : malformedBody
    },
  }
}

const rounded = (value: number): number => Number(value.toFixed(8))
