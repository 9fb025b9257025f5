// The bridge on real routes, PostgreSQL and the real sender; only the provider is the lab's.

import { systemClock } from '#core/clock'
import type { Log } from '#core/log'
import { Secret } from '#core/secret'
import { type GlideLab, startGlideLab } from '#lab/glide/provider'
import { VenueBudgets } from '#net/hostRateLimiter'
import { createHttpSender } from '#net/httpSender'
import { type BridgeDeps, createGlide, createGlideClient } from '#orders/bridge/index'
import { createBridgeStore } from '#storage/postgres/bridge/store'
import type { Pool } from '#storage/postgres/pool'
import { createWorld } from '#test/src/server/http/world'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'

export const deposits: BridgeDeps['deposits'] = new Map(
  Object.values<VenueManifest>(registry).flatMap(({ slug, deposit }) =>
    deposit === undefined ? [] : [[slug, deposit] as const],
  ),
)

export const payer = '0x14791697260e4c9a71f18484c9f997b308e59325'
export const baseUsdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'

/** Ten dollars from Base to SX Bet. */
export const wanted = {
  fromChain: '8453',
  fromToken: baseUsdc,
  fromAmount: '10000000',
  fromAddress: payer,
  toVenue: 'sxbet',
} as const
export const paymentCurrency = `eip155:8453/erc20:${baseUsdc}`

export async function createBridgeWorld(pool: Pool, { log }: { log?: Log } = {}) {
  const lab: GlideLab = await startGlideLab()
  const sender = createHttpSender()
  /** Another client, with its own timeout. */
  const providerWith = ({ url = lab.urls.API, timeoutMs = 5_000, apiKey = lab.credentials.API_KEY } = {}) =>
    createGlide({
      ask: createGlideClient({
        url,
        projectId: lab.credentials.PROJECT_ID,
        apiKey: new Secret(apiKey),
        sender,
        budgets: new VenueBudgets('glide', { perSecond: 10_000, restSeconds: 1 }),
        timeoutMs,
      }),
      clock: systemClock,
      lookEveryMs: 1,
    })
  const store = createBridgeStore(pool)
  const bridge: BridgeDeps = { provider: providerWith(), store, deposits, clock: systemClock }
  const worldWith = (provider: BridgeDeps['provider']) =>
    createWorld({
      families: { bridge: true },
      bridge: { ...bridge, provider },
      ...(log === undefined ? {} : { log }),
    })
  const world = worldWith(bridge.provider)
  const accountIds: string[] = []
  for (const name of ['bridge-a', 'bridge-b']) {
    const { rows } = await pool.query<{ id: string }>('INSERT INTO accounts (name) VALUES ($1) RETURNING id', [name])
    accountIds.push(rows[0]!.id)
  }
  const actAs = (index: 0 | 1, of = world): void => {
    const accountId = accountIds[index]!
    of.verifications.next = {
      kind: 'valid',
      principal: { accountId, keyId: accountId, plan: 'enterprise', scopes: ['read'] },
    }
  }
  actAs(0)
  return {
    lab,
    world,
    accountIds,
    actAs,
    providerWith,
    /** Another set of routes, for another client. */
    worldBefore(provider: BridgeDeps['provider']) {
      const other = worldWith(provider)
      actAs(0, other)
      return other
    },
    async stop() {
      await lab.stop()
      await sender.close()
    },
  }
}
export type BridgeWorld = Awaited<ReturnType<typeof createBridgeWorld>>
