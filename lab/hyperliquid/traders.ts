// Hyperliquid's data on other traders: their fills, and the leaderboard of the statistics host.
import type { Engine } from '../engine/engine.ts'
import { type LabRoute, ok } from '../venueServer.ts'
import type { HyperListing } from './marketGenerator.ts'
import { syntheticTraders, tradeRow } from './rows.ts'

/** Fills of the engine's traders, on the first coin of an outcome. */
export function otherTradersFills(engine: Engine, listing: HyperListing, user: string) {
  if (syntheticTraders.find(user) === null) return []
  const byKey = new Map(listing.outcomes.map((outcome) => [outcome.key, outcome]))
  return syntheticTraders.tradesOf(user, engine, [...byKey.keys()]).map(({ key, trade }) => {
    const { coin, px, sz, side, time, hash, tid } = tradeRow({ outcome: byKey.get(key)!, side: 0 }, trade)
    const dir = side === 'B' ? 'Buy' : 'Sell'
    const money = { closedPnl: side === 'B' ? '0.0' : '0.25', fee: '0.0', feeToken: 'USDC' }
    return { coin, px, sz, side, time, startPosition: '0.0', dir, hash, oid: tid, crossed: true, tid, ...money }
  })
}

const windows = { day: 0.01, week: 0.05, month: 0.2, allTime: 1 } as const

export const leaderboardRoute: LabRoute = {
  method: 'GET',
  path: '/stats/Mainnet/leaderboard',
  handle: () =>
    ok({
      leaderboardRows: syntheticTraders.all.map(({ wallet, name, volume, profit }, n) => ({
        ethAddress: wallet,
        accountValue: String(volume / 10),
        windowPerformances: Object.entries(windows).map(([window, share]) => [
          window,
          { pnl: String(profit * share), roi: '0.01', vlm: String(volume * share) },
        ]),
        prize: 0,
        displayName: n % 3 === 0 ? null : name,
      })),
    }),
}
