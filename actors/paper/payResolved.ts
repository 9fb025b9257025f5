// Pays the positions of resolved markets, in small transactions and for a bounded time: the orders on open markets wait for it, and the lease of
// the exchange is renewed in between.
import type { Clock } from '#core/clock'
import type { ThrottledLog } from '#core/throttledLog'
import type { WorkingMarket } from '#paper/exchange/index'
import { payoutsOf } from '#paper/lane/index'
import type { Market } from '#schemas/market'
import { type PaperLease, PaperLeaseLost } from '#storage/postgres/paper/lease'
import type { PaperExchangeStore } from '#storage/postgres/paper/store'
import { isOutage } from '#storage/postgres/pool'

const forMs = 500
const marketsPerRead = 500
/** Per transaction. */
const accountsPerSettlement = 20

interface PayDeps {
  store: Pick<PaperExchangeStore, 'listHeldMarkets' | 'settle'>
  findMarkets(wanted: readonly WorkingMarket[]): Promise<ReadonlyMap<string, Market>>
  /** The venue pays resolved shares without a redemption. */
  paysItself(venue: string): boolean
  /** Throws `PaperLeaseLost`. */
  renew(): Promise<void>
  clock: Pick<Clock, 'now' | 'monotonic'>
  lines: ThrottledLog
}

export interface Payout {
  /** The last market that was paid; null: none was. */
  after: WorkingMarket | null
}

/** Returns where it continues; null: all that is resolved is paid. */
export async function payResolved(deps: PayDeps, lease: PaperLease, { after: begin }: Payout): Promise<Payout | null> {
  const { store, findMarkets, paysItself, clock } = deps
  const until = clock.monotonic() + forMs
  let after = begin
  for (;;) {
    const page = await store.listHeldMarkets(after, marketsPerRead)
    const wanted = page.map(({ venue, market_id: marketId }) => ({ venue, marketId }))
    const found = await findMarkets(wanted.filter(({ venue }) => paysItself(venue)))
    for (const market of wanted) {
      const isPaid = await payMarket(deps, lease, market, { found, until })
      if (isPaid) after = market
      if (clock.monotonic() >= until) return { after }
    }
    if (page.length < marketsPerRead) return null
  }
}

/** False: the time was over before all of it was paid. */
async function payMarket(
  { store, renew, clock, lines }: PayDeps,
  lease: PaperLease,
  { venue, marketId }: WorkingMarket,
  { found, until }: { found: ReadonlyMap<string, Market>; until: number },
): Promise<boolean> {
  const market = found.get(`${venue}:${marketId}`)
  const values = market === undefined ? null : payoutsOf(market)
  if (values === null) return true
  for (;;) {
    await renew()
    try {
      const resolved = { venue, marketId, values, at: new Date(clock.now()) }
      if ((await store.settle(lease, resolved, accountsPerSettlement)) < accountsPerSettlement) return true
    } catch (error) {
      if (error instanceof PaperLeaseLost || isOutage(error)) throw error
      lines.warn({ err: error, venue, marketId }, 'failed to pay a resolved market on paper: it is tried again')
      return true
    }
    if (clock.monotonic() >= until) return false
  }
}
