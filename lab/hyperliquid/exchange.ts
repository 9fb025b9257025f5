// Hyperliquid's order entry: POST /exchange. A request is signed by the account or an agent it approved, under a nonce used once.
import type { Hex } from 'viem'
import { ASK, BID } from '../engine/book.ts'
import type { EngineMarket } from '../engine/market.ts'
import type { RejectReason, SimulatedOrder } from '../engine/orderManager.ts'
import { takeOrders } from '../orderOutcomeFaults.ts'
import type { VenueCore } from '../restVenue.ts'
import { type LabReply, type LabRoute, ok } from '../venueServer.ts'
import { type Accounts, detailsOf, type OrderDetails, ownMicros } from './accounts.ts'
import { type Action, type OrderWire, Signed, signerOf } from './actions.ts'
import { malformedBody } from './info.ts'
import { coinOfAsset, type HyperListing, type HyperSide, tokenOf } from './marketGenerator.ts'
import { bboText, oidOf, px, quoteToken } from './rows.ts'

/** Quote units. */
const valueMin = 10

type Status = string | Record<string, unknown>
interface Outcome {
  status: Status
  order: SimulatedOrder | null
}

const err = (response: string): LabReply => ok({ status: 'err', response })
const done = (type: string, statuses: readonly Status[]): LabReply =>
  ok({ status: 'ok', response: { type, data: { statuses } } })
const error = (text: string): Outcome => ({ status: { error: text }, order: null })

const gone = 'Order was never placed, already canceled, or filled.'
const poor = (named: HyperSide, isBuy: boolean) =>
  `Insufficient spot balance asset=${isBuy ? quoteToken : tokenOf(named)}`

const refusals: Record<RejectReason, string> = {
  market_closed: 'Trading is halted.',
  off_grid: 'Price must be divisible by tick size.',
  no_size: 'Order has zero size.',
  would_cross: 'Post only order would have immediately matched, bbo was ',
  not_filled: 'Order could not immediately match against any resting orders.',
  duplicate_client_id: 'Order with this cloid already exists.',
}

export class Exchange {
  private readonly core: VenueCore
  private readonly listing: HyperListing
  private readonly accounts: Accounts
  /** Why an order ended, when not simply `canceled`. */
  private readonly endings = new WeakMap<SimulatedOrder, string>()

  constructor(core: VenueCore, listing: HyperListing, accounts: Accounts) {
    this.core = core
    this.listing = listing
    this.accounts = accounts
  }

  readonly statusOf = (order: SimulatedOrder): string => {
    if (order.status !== 'canceled') return order.status
    const { market } = order
    const settled = market.status === 'resolved' && order.updatedAtMs >= market.statusAtMs
    return this.endings.get(order) ?? (settled ? 'outcomeSettledCanceled' : 'canceled')
  }

  route(): LabRoute {
    return {
      method: 'POST',
      path: '/exchange',
      handle: async ({ body }) => {
        const parsed = Signed.safeParse(body)
        if (!parsed.success) return malformedBody
        const { action, nonce, expiresAfter, vaultAddress } = parsed.data
        const signer = await signerOf(parsed.data)
        const account = signer === null ? null : this.accounts.accountOf(signer)
        if (signer === null || account === null) return err(`User or API Wallet ${signer} does not exist.`)
        if (vaultAddress != null) return err('Vault not registered')
        if (expiresAfter != null && this.core.nowMs() > expiresAfter) return err('Order has expired')
        return this.act(action, account, () => this.accounts.spend(signer, nonce))
      },
    }
  }

  private act(action: Action, account: Hex, spend: () => string | null): LabReply {
    if (action.type === 'cancel' || action.type === 'cancelByCloid') {
      const refused = spend()
      if (refused !== null) return err(refused)
      return done('cancel', this.cancelAll(action, account))
    }
    return takeOrders({
      orderManager: this.core.engine.orderManager,
      faults: this.core.faults(),
      rejected: done('order', [{ error: `Insufficient spot balance asset=${quoteToken}` }]),
      place: () => {
        const refused = spend()
        if (refused !== null) return { orders: [], reply: err(refused) }
        const outcomes =
          action.type === 'order'
            ? action.orders.map((order) => this.place(order, account))
            : (action.type === 'modify' ? [action] : action.modifies).map((each) => this.replace(each, account))
        const orders = outcomes.flatMap(({ order }) => order ?? [])
        const statuses = outcomes.map(({ status }) => status)
        return { orders, reply: action.type === 'modify' ? modified(statuses[0]!) : done('order', statuses) }
      },
    })
  }

  private cancelAll(action: Action & { type: 'cancel' | 'cancelByCloid' }, account: Hex): Status[] {
    const named =
      action.type === 'cancel'
        ? action.cancels.map(({ a, o }) => [a, o] as const)
        : action.cancels.map(({ asset, cloid }) => [asset, cloid] as const)
    return named.map(([asset, id]) => {
      const order = this.find(account, id)
      const fits = order !== null && this.listing.byCoin.get(coinOfAsset(asset)) === detailsOf(order).named
      return fits && this.core.engine.orderManager.cancel(order) ? 'success' : { error: gone }
    })
  }

  private find(account: Hex, id: number | string): SimulatedOrder | null {
    const { orderManager } = this.core.engine
    if (typeof id === 'string') return orderManager.findByClientId(account, id.toLowerCase())
    return orderManager.ordersOf(account).find((order) => oidOf(order) === id) ?? null
  }

  /** The old order is cancelled only if the new one is acceptable. */
  private replace({ oid, order }: { oid: number | string; order: OrderWire }, account: Hex): Outcome {
    const old = this.find(account, oid)
    if (old === null || old.status !== 'open') return error('Cannot modify canceled or filled order')
    const checked = this.check(order)
    if (typeof checked === 'string') return error(checked)
    this.core.engine.orderManager.cancel(old)
    return this.place(order, account)
  }

  private place(wire: OrderWire, account: Hex): Outcome {
    const checked = this.check(wire)
    if (typeof checked === 'string') return error(checked)
    const { named, market, tif } = checked
    const { orderManager } = this.core.engine
    const isBuy = wire.b
    const own = Math.round(Number(wire.p) * 1_000_000)
    const contracts = Number(wire.s)
    const needed = isBuy ? contracts * (own / 1_000_000) : contracts
    const coin = isBuy ? quoteToken : tokenOf(named)
    if (this.accounts.spendable(account, coin, orderManager) < needed - 1e-9) return error(poor(named, isBuy))
    const priceMicros = named.side === 0 ? own : 1_000_000 - own
    const side = isBuy === (named.side === 0) ? BID : ASK
    const bbo = bboText(market, named)
    if (tif !== 'Alo') this.expireOwn(account, market, side, priceMicros)
    const placed = orderManager.place(market, {
      account,
      side,
      priceMicros,
      hundredths: contracts * 100,
      clientId: wire.c?.toLowerCase() ?? null,
      life: tif === 'Gtc' || tif === 'Alo' ? 'gtc' : 'ioc',
      postOnly: tif === 'Alo',
      details: { named, isBuy, tif } satisfies OrderDetails as unknown as Record<string, unknown>,
    })
    if (typeof placed === 'string')
      return error(placed === 'would_cross' ? `${refusals[placed]}${bbo}` : refusals[placed])
    return { status: this.placedStatus(placed), order: placed }
  }

  private placedStatus(order: SimulatedOrder): Status {
    const names = { oid: oidOf(order), ...(order.clientId === null ? {} : { cloid: order.clientId }) }
    if (order.filledHundredths === 0) {
      if (order.status === 'open') return { resting: names }
      this.endings.set(order, 'iocCancelRejected')
      return { error: refusals.not_filled }
    }
    // Even when the remainder rests.
    const paid = order.fills.reduce((sum, fill) => sum + fill.hundredths * ownMicros(order, fill.priceMicros), 0)
    const avgPx = px(Math.round(paid / order.filledHundredths))
    return { filled: { totalSz: String(order.filledHundredths / 100), avgPx, oid: oidOf(order) } }
  }

  /** An account never trades with itself: its resting order is cancelled. */
  private expireOwn(account: Hex, market: EngineMarket, side: 0 | 1, priceMicros: number): void {
    for (const order of this.core.engine.orderManager.ordersOf(account)) {
      if (order.status !== 'open' || order.market !== market || order.side === side) continue
      const crosses = side === BID ? order.priceMicros <= priceMicros : order.priceMicros >= priceMicros
      if (crosses && this.core.engine.orderManager.cancel(order)) this.endings.set(order, 'selfTradeCanceled')
    }
  }

  /** The checks of an order that do not depend on the account. */
  private check({ a, p, s, r, t }: OrderWire): { named: HyperSide; market: EngineMarket; tif: string } | string {
    const named = this.listing.byCoin.get(coinOfAsset(a))
    if (named === undefined || !this.core.isKnown(named.outcome.key)) return `Asset ${a} does not exist.`
    if (!('limit' in t) || r) return 'Reduce only and trigger orders are not supported for outcomes.'
    const market = this.core.engine.market(named.outcome.key)!
    if (market.status !== 'open') return refusals.market_closed
    if (Number(s) === 0) return refusals.no_size
    if (!/^[1-9]\d{0,14}$/.test(s)) return 'Order has invalid size'
    const micros = Number(p) * 1_000_000
    if (market.book.grid.indexOf(Math.round(micros)) < 0 || Math.abs(micros - Math.round(micros)) > 1e-6) {
      return refusals.off_grid
    }
    if (Number(s) * Number(p) < valueMin) return `Order must have minimum value of ${valueMin} ${quoteToken}.`
    return { named, market, tif: t.limit.tif }
  }
}

/** A single modification is only confirmed. */
function modified(status: Status): LabReply {
  if (typeof status === 'object' && typeof status.error === 'string') return err(status.error)
  return ok({ status: 'ok', response: { type: 'default' } })
}
