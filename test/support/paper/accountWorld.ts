// Paper accounts with everything real but the venue: PostgreSQL, the execution routes, Kalshi's own artifacts, and no client that could send.
import { randomBytes, randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '#core/clock'
import { createCursorCodec } from '#core/cursor'
import { Fault } from '#core/fault'
import { silentLog } from '#core/log'
import {
  type ConditionalDeps,
  conditionalSteps,
  createArtifactSeal,
  newSealKey,
  parseSealKeys,
} from '#orders/conditional/index'
import {
  type ConditionalAdapter,
  CredentialBreaker,
  type ExecutionsDeps,
  validateConditional,
} from '#orders/executions/index'
import type { PaperTrading } from '#paper/accounts/ports'
import { createPaperLane, refusingClient, refusingSender } from '#paper/lane/index'
import { paperRules } from '#roles/paperRules'
import type { Market } from '#schemas/market'
import { createConditionalStore } from '#storage/postgres/conditional/store'
import { createExecutionStore } from '#storage/postgres/executions/store'
import { ensurePaperAccount } from '#storage/postgres/paper/accounts'
import type { OrderEvents, PaperOrderEvent } from '#storage/postgres/paper/apply'
import { createPaperExchangeStore, createPaperStore } from '#storage/postgres/paper/store'
import type { Pool } from '#storage/postgres/pool'
import { createWorld, type Reply } from '#test/src/server/http/world'
import { fees, market, ticker } from '#test/src/venues/kalshi/exec/world'
import { kalshiLane } from '#venues/kalshi/exec/index'
import { kalshi } from '#venues/kalshi/index'
import type { ResolvedOutcome } from '#venues/lane'

export const yes = ticker
export const no = `${ticker}-NO`
export const startCash = '100'

export interface OrderGiven {
  outcome?: 'YES' | 'NO'
  isBuy?: boolean
  price?: string
  size?: number
  postOnly?: boolean
}

export async function createAccountWorld(pool: Pool, { clock = systemClock }: { clock?: Clock } = {}) {
  const rows: ResolvedOutcome[] = market({ sourceMetadata: { marketType: 'binary', fees, collateral: 'USD' } })
  const listed: { market: Market | null; book: 'live' | 'silent' | 'none' } = { market: rows[0]!.market, book: 'live' }
  const trading: PaperTrading = {
    store: createPaperStore(pool, paperRules),
    settings: { startCash },
    findMarket: async () => listed.market,
    bookOf: (_venue, outcomeId, marketId) => kalshi.data.bookRef(outcomeId, marketId),
    availability: async () => listed.book,
    feeModel: (_venue, found) => kalshi.data.feeModel(found),
    clock,
  }
  const find = async (fits: (row: ResolvedOutcome) => boolean): Promise<ResolvedOutcome> => {
    const row = rows.find(fits)
    if (row === undefined) throw new Fault('OUTCOME_NOT_FOUND', 'no such outcome')
    return row
  }
  const fixed = {
    http: refusingClient,
    sender: refusingSender,
    clock,
    log: silentLog,
    urls: {},
    settings: {},
    catalog: {
      outcome: (outcomeId: string) => find(({ outcome }) => outcome.outcomeId === outcomeId),
      side: (marketId: string, side: 'YES' | 'NO') =>
        find((row) => row.market.marketId === marketId && row.side === side),
    },
    heavy: async <T>(work: () => T | Promise<T>) => work(),
    randomBytes: (length: number) => randomBytes(length),
    randomUuid: () => randomUUID(),
  }
  const context: ConditionalAdapter['context'] = (signal, accountId) => ({ ...fixed, signal, paper: { accountId } })
  const lane = createPaperLane(kalshiLane, trading)
  const cursors = createCursorCodec(Buffer.alloc(32, 9))
  const store = createExecutionStore(pool)
  const deps: ExecutionsDeps = {
    breaker: new CredentialBreaker(clock),
    store,
    knownLanes: [kalshiLane],
    // A live account has no lane here, and so could send nothing either.
    lanes: new Map(),
    paperLanes: new Map([['kalshi', { lane, context }]]),
    cursors,
    clock,
    log: silentLog,
    newId: () => randomUUID(),
  }
  const sealKey = newSealKey()
  const conditional: ConditionalDeps = {
    store: createConditionalStore(pool, conditionalSteps),
    orders: { examine: (caller, id, signed) => validateConditional(deps, caller, id, signed) },
    books: { availability: async () => listed.book },
    seal: createArtifactSeal(() => parseSealKeys(sealKey)),
    clock,
    newId: () => randomUUID(),
  }
  const world = createWorld({
    executions: deps,
    conditional,
    families: { conditional: true },
    paper: { store: trading.store, settings: trading.settings, cursors, clock, newId: () => randomUUID() },
  })
  const actAs = (accountId: string): void => {
    world.verifications.next = {
      kind: 'valid',
      principal: { accountId, keyId: accountId, plan: 'enterprise', scopes: ['read', 'trade'] },
    }
  }
  const newAccount = async (): Promise<string> => (await ensurePaperAccount(pool, randomUUID())).id
  const accountId = await newAccount()
  actAs(accountId)
  const exchange = createPaperExchangeStore(pool, paperRules)
  /** Taken from any other holder. */
  const lease = async () => {
    await pool.query(`UPDATE paper_exchange_lease SET expires_at = '-infinity'`)
    const held = await exchange.hold('test', null)
    if (held === null) throw new Error('the lease of the paper exchange was not free')
    return held
  }
  const post = (path: string, body: unknown, key: string = randomUUID()): Promise<Reply> =>
    world.post(`/v1/exec/kalshi/orders/${path}`, body, { headers: { 'idempotency-key': key } })

  async function build({ outcome = 'YES', isBuy = true, price = '0.60', size = 10, postOnly }: OrderGiven = {}) {
    const body = { outcome: ticker, outcomeSide: outcome, isBuy, price, size, ...(postOnly && { postOnly }) }
    const built = await post('build', body)
    if (built.status !== 200) throw new Error(`not built: ${built.text}`)
    return built.json.data.executionId as string
  }

  /** Events of an order as it is stored now. */
  async function eventsOf(executionId: string, events: readonly PaperOrderEvent[]): Promise<OrderEvents> {
    const { rows: found } = await pool.query<{ account_id: string; version: number }>(
      'SELECT account_id, version FROM paper_orders WHERE execution_id = $1',
      [executionId],
    )
    const { account_id, version } = found[0]!
    return { executionId, accountId: account_id, version, events }
  }

  return {
    world,
    trading,
    deps,
    conditional,
    listed,
    exchange,
    lease,
    accountId,
    newAccount,
    actAs,
    post,
    build,
    submit: (id: string, body: unknown = {}, key?: string) => post(`${id}/submit`, body, key),
    async place(given: OrderGiven = {}): Promise<string> {
      const id = await build(given)
      const sent = await post(`${id}/submit`, {})
      if (sent.json.data?.status !== 'acked') throw new Error(`not placed: ${sent.text}`)
      return id
    },
    eventsOf,
    account: async () => (await world.get('/v1/paper/account')).json.data,
    execution: async (id: string) => (await store.find(accountId, id))!,
  }
}

export type AccountWorld = Awaited<ReturnType<typeof createAccountWorld>>

export const fillEvent = (price: string, size: string, at = new Date()): PaperOrderEvent => ({
  ...{ kind: 'fill', price, size, at, liquidity: 'taker' },
  evidence: { bookEpoch: 1, bookSeq: 7, tradeIds: [] },
})

export const ended = (
  state: 'canceled' | 'expired' | 'rejected',
  reason: string | null = null,
  at = new Date(),
): PaperOrderEvent => ({ kind: 'ended', state, reason, at })
