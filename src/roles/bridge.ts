// Connects the bridge to its provider: one sender and one budget, owned and closed here.

import type { Config } from '#config'
import type { Clock } from '#core/clock'
import { Secret } from '#core/secret'
import { VenueBudgets } from '#net/hostRateLimiter'
import { createHttpSender } from '#net/httpSender'
import { type BridgeDeps, createGlide, createGlideClient } from '#orders/bridge/index'
import { createBridgeStore } from '#storage/postgres/bridge/store'
import type { Pool } from '#storage/postgres/pool'
import type { RunningVenue } from './venues.ts'

/** The provider states no limit. */
const budget = { perSecond: 10 }

export function openBridge({
  config: { bridge, contactUrl },
  pool,
  venues,
  clock,
}: {
  config: Pick<Config, 'bridge' | 'contactUrl'>
  pool: Pool
  venues: readonly Pick<RunningVenue, 'manifest'>[]
  clock: Clock
}): BridgeDeps & { close(): Promise<void> } {
  const sender = createHttpSender({ contactUrl })
  const ask = createGlideClient({
    url: bridge.url,
    // Disabled routes send no requests.
    projectId: bridge.projectId ?? '',
    apiKey: bridge.apiKey === undefined ? null : new Secret(bridge.apiKey),
    sender,
    budgets: new VenueBudgets('glide', budget, clock),
  })
  return {
    provider: createGlide({ ask, clock }),
    store: createBridgeStore(pool),
    deposits: depositsOf(venues),
    clock,
    close: () => sender.close(),
  }
}

const depositsOf = (venues: readonly Pick<RunningVenue, 'manifest'>[]): BridgeDeps['deposits'] =>
  new Map(
    venues.flatMap(({ manifest: { slug, deposit } }) => (deposit === undefined ? [] : [[slug, deposit] as const])),
  )
