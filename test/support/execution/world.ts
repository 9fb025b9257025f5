// The execution routes with everything real: PostgreSQL, the HTTP client and sender, and a venue on loopback.
import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { FairSemaphore } from '#core/fairSemaphore'
import { type Log, silentLog } from '#core/log'
import { Secret } from '#core/secret'
import { type ConditionalAdapter, CredentialBreaker, type ExecutionsDeps } from '#orders/executions/index'
import { createRiskChecks, type RiskDeps } from '#orders/risk/index'
import type { ExposureDeps } from '#portfolio/exposure/index'
import { worstLoss } from '#portfolio/exposure/worstLoss'
import { createPortfolioReader } from '#portfolio/index'
import { tradesOf } from '#portfolio/trades'
import { portfolioReadLimits } from '#roles/risk'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { insertHalt } from '#storage/postgres/halts/halts'
import type { Pool } from '#storage/postgres/pool'
import { createPortfolioStore } from '#storage/postgres/portfolio/store'
import { createRiskStore } from '#storage/postgres/risk/store'
import { createWorld, type Reply, type WorldOptions } from '#test/src/server/http/world'
import type { ExecutionAdapter } from '#venues/lane'
import { createTestContext } from './context.ts'
import { testLane } from './lane.ts'
import { startTestVenue } from './venue.ts'

export type ExecutionStore = ReturnType<typeof createExecutionStore>

const apiSecret = 'canary-secret-9f2c'

export async function createExecutionWorld(
  pool: Pool,
  {
    lanes = [testLane()],
    wrap = (store) => store,
    log = silentLog,
    clock = systemClock,
    geofence,
    contextOf,
    statusLanes = new Map(),
    conditional,
    brackets,
    algorithms,
    router,
    families,
    risk = {},
  }: {
    lanes?: readonly ExecutionAdapter[]
    wrap?: (store: ExecutionStore) => ExecutionStore
    log?: Log
    clock?: Clock
    geofence?: WorldOptions['geofence']
    /** For adapters other than the test adapter: their own venue. */
    contextOf?: ConditionalAdapter['context']
    statusLanes?: ExecutionsDeps['statusLanes']
    /** Built from these executions. */
    conditional?: (executions: ExecutionsDeps) => WorldOptions['conditional']
    brackets?: (executions: ExecutionsDeps) => WorldOptions['brackets']
    algorithms?: (executions: ExecutionsDeps) => WorldOptions['algorithms']
    router?: (executions: ExecutionsDeps) => WorldOptions['router']
    families?: WorldOptions['families']
    /** The live books and the portfolio that limits are compared with. */
    risk?: Partial<RiskDeps>
  } = {},
) {
  const venue = await startTestVenue()
  const { context, close } = createTestContext(venue.url)
  const armed = new Map(lanes.map((lane) => [lane.slug as string, { lane, context: contextOf ?? context }]))
  const store = wrap(createExecutionStore(pool))
  const books: RiskDeps['books'] = risk.books ?? { read: async (instruments) => instruments.map(() => 'none' as const) }
  const cursors = createCursorCodec(Buffer.alloc(32, 9))
  // Of imports and recorded fills; no market is in the catalog.
  const portfolio = createPortfolioReader({
    store: createPortfolioStore(pool),
    lanes: new Map(lanes.map((lane) => [lane.slug as string, lane])),
    catalog: { findMarketsByIds: async () => new Map() },
    books,
    clock,
  })
  const exposure: ExposureDeps = {
    portfolio,
    findMarkets: async () => new Map(),
    findRelations: async () => ({ relations: [], isCut: false }),
    cursors,
  }
  const riskDeps: RiskDeps = {
    store: createRiskStore(pool),
    books,
    portfolio,
    tradesOf: (of, since) => tradesOf(of, since, books),
    portfolioReads: new FairSemaphore(portfolioReadLimits),
    worstLoss: (accountId) => worstLoss(exposure, accountId),
    isDollar: ({ currency }) => currency === 'USD',
    halt: (command) => insertHalt(pool, command),
    clock,
    log,
    ...risk,
  }
  const deps: ExecutionsDeps = {
    breaker: new CredentialBreaker(clock),
    store,
    knownLanes: lanes,
    lanes: armed,
    statusLanes,
    risk: createRiskChecks(riskDeps),
    cursors,
    clock,
    log,
    newId: () => randomUUID(),
  }
  const world = createWorld({
    log,
    executions: deps,
    risk: riskDeps,
    geofence,
    ...(conditional === undefined ? {} : { conditional: conditional(deps) }),
    ...(brackets === undefined ? {} : { brackets: brackets(deps) ?? {} }),
    ...(algorithms === undefined ? {} : { algorithms: algorithms(deps) ?? {} }),
    ...(router === undefined ? {} : { router: router(deps) ?? {} }),
    ...(families === undefined ? {} : { families }),
  })
  const newAccount = async (): Promise<string> => {
    const { rows } = await pool.query<{ id: string }>('INSERT INTO accounts (name) VALUES ($1) RETURNING id', [
      randomUUID(),
    ])
    return rows[0]!.id
  }
  const actAs = (accountId: string): void => {
    world.verifications.next = {
      kind: 'valid',
      principal: { accountId, keyId: accountId, plan: 'enterprise', scopes: ['read', 'trade'] },
    }
  }
  const accountId = await newAccount()
  actAs(accountId)
  const post = (path: string, body: unknown, key?: string): Promise<Reply> =>
    world.post(`/v1/exec/novig/orders/${path}`, body, key === undefined ? {} : { headers: { 'idempotency-key': key } })
  return {
    venue,
    world,
    store,
    deps,
    risk: riskDeps,
    lanes: armed,
    accountId,
    newAccount,
    actAs,
    post,
    get: (path: string) => world.get(path),
    build: (key: string, body: object = { size: 5 }) => post('build', body, key),
    submit: (id: string, key: string, more: object = {}) => post(`${id}/submit`, { apiSecret, ...more }, key),
    /** The circuit of the credentials that `submit` sends. */
    circuit: () => deps.breaker.of('novig', { apiSecret: new Secret(apiSecret) }),
    refresh: (id: string) => post(`${id}/refresh`, {}),
    cancel: (id: string, key: string) => post(`${id}/cancel`, {}, key),
    modify: (id: string, key: string, size = 7) => post(`${id}/modify`, { size }, key),
    async close() {
      await Promise.all([close(), venue.close()])
    },
  }
}
export type ExecutionWorld = Awaited<ReturnType<typeof createExecutionWorld>>
