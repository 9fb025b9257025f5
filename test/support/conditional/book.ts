// Conditional orders directly in their store: accounts, executions and orders as rows, as many as a test needs.
import { createHash, randomUUID } from 'node:crypto'
import { conditionalSteps } from '#orders/conditional/transitions'
import type { FireMode, TriggerRule } from '#schemas/conditional'
import type { ConditionalRow } from '#storage/postgres/conditional/conditionalRow'
import type { ArmResult, NewConditional } from '#storage/postgres/conditional/insertArmed'
import { type ConditionalStore, createConditionalStore } from '#storage/postgres/conditional/store'
import { createNotifier } from '#storage/postgres/orderChanges/notify'
import type { Pool } from '#storage/postgres/pool'
import { testBuildVersion } from '#test/support/execution/lane'

export const rule: TriggerRule = {
  when: 'at_or_above',
  price: 0.6,
  reference: 'mark',
  confirmations: 2,
  dwellMs: 2_000,
  maxSpread: 0.1,
  minSize: 1,
}
export const noon = new Date('2026-06-01T12:00:00.000Z')
export const evening = new Date('2026-06-01T20:00:00.000Z')
export const limits = { groupMax: 10, accountMax: 200_000 }

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

async function newAccount(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('INSERT INTO accounts (name) VALUES ($1) RETURNING id', [
    randomUUID(),
  ])
  return rows[0]!.id
}

export interface ConditionalOrders {
  pool: Pool
  store: ConditionalStore
  accountId: string
  keyId: string
  /** Built, unsubmitted. */
  execution(): Promise<string>
  executions(count: number): Promise<string[]>
  setExecution(id: string, status: string, venueRef?: string | null): Promise<void>
  wanted(over?: Partial<NewConditional> & { fireMode?: FireMode }): Promise<NewConditional>
  arm(over?: Partial<NewConditional>): Promise<ConditionalRow>
  tryArm(over?: Partial<NewConditional>): Promise<ArmResult>
  trigger(id: string, at?: Date): Promise<boolean>
  /** Claimed and settled. */
  fire(id: string, outcome?: 'fired' | 'fire_failed'): Promise<ConditionalRow | null>
  statusOf(id: string): Promise<string>
  /** `from>to actor`, oldest first. */
  history(id: string): Promise<string[]>
  isSealed(id: string): Promise<boolean>
  /** Events of its transitions. */
  publishedEvents(id: string): Promise<string[]>
  /** Payloads of events about attempts whose outcome is unknown. */
  unknownOutcomes(id: string): Promise<object[]>
}

/** Of a new account, or of an existing one. */
export async function openConditionalOrders(pool: Pool, account?: string): Promise<ConditionalOrders> {
  const store = createConditionalStore(pool, conditionalSteps, createNotifier(pool))
  const accountId = account ?? (await newAccount(pool))
  const keyId = randomUUID()

  const executions = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => randomUUID())
    await pool.query(
      `INSERT INTO executions (id, account_id, key_id, venue, intent, status, build_version, unsigned, unsigned_sha256, bounds, created_at, updated_at)
       SELECT id, $2, $3, 'lab', 'order', 'built', $5, '{}', sha256('{}'), '{}', $4, $4 FROM unnest($1::uuid[]) AS id`,
      [ids, accountId, keyId, noon, testBuildVersion],
    )
    return ids
  }

  const wanted = async (over: Partial<NewConditional> = {}): Promise<NewConditional> => {
    const fireMode = over.fireMode ?? 'hosted'
    return {
      id: randomUUID(),
      accountId,
      keyId,
      executionId: over.executionId ?? (await executions(1))[0]!,
      venue: 'lab',
      marketId: 'm1',
      outcomeId: 'o1',
      fireMode,
      trigger: rule,
      expiresAt: evening,
      ocoGroupId: null,
      armCountry: null,
      artifact: fireMode === 'hosted' ? { sealed: Buffer.from('sealed'), keyId: 'k1', sha256: sha256('a') } : null,
      key: randomUUID(),
      bodySha256: sha256('body'),
      at: noon,
      ...over,
    }
  }
  const tryArm = async (over: Partial<NewConditional> = {}): Promise<ArmResult> => store.arm(await wanted(over), limits)
  const claim = async (id: string) => {
    for (;;) {
      const claimed = await store.claimFiring({ owner: 'one', leaseMs: 60_000, limit: 1_000, at: noon })
      const found = claimed.find((row) => row.id === id)
      if (found !== undefined || claimed.length === 0) return found
    }
  }

  return {
    pool,
    store,
    accountId,
    keyId,
    executions,
    execution: async () => (await executions(1))[0]!,
    async setExecution(id, status, venueRef = null) {
      await pool.query('UPDATE executions SET status = $2, venue_ref = $3 WHERE id = $1', [id, status, venueRef])
    },
    wanted,
    tryArm,
    async arm(over) {
      const result = await tryArm(over)
      if (result.kind !== 'armed') throw new Error(`not armed: ${result.kind}`)
      return result.row
    },
    trigger: async (id, at = noon) => (await store.trigger([{ id, evidence: { book: 1 } }], at)).length === 1,
    async fire(id, outcome = 'fired') {
      const row = await claim(id)
      if (row === undefined) return null
      return store.settleFire({
        id,
        lease: row.lease,
        outcome,
        lastError: outcome === 'fired' ? undefined : 'no',
        at: noon,
      })
    },
    async statusOf(id) {
      const found = await pool.query<{ status: string }>('SELECT status FROM conditional_orders WHERE id = $1', [id])
      return found.rows[0]!.status
    },
    history: async (id) =>
      (await store.listEvents(id)).map(({ from_status, to_status, actor }) => `${from_status}>${to_status} ${actor}`),
    async isSealed(id) {
      const found = await pool.query<{ is: boolean }>(
        'SELECT sealed IS NOT NULL AS is FROM conditional_orders WHERE id = $1',
        [id],
      )
      return found.rows[0]!.is
    },
    async publishedEvents(id) {
      const found = await pool.query<{ event: string }>(
        `SELECT event FROM outbox WHERE payload->>'conditionalId' = $1 AND payload->>'status' <> 'firing' ORDER BY id`,
        [id],
      )
      return found.rows.map(({ event }) => event)
    },
    async unknownOutcomes(id) {
      const found = await pool.query<{ payload: object }>(
        `SELECT payload FROM outbox WHERE payload->>'conditionalId' = $1 AND payload->>'status' = 'firing'
           AND event = 'conditional.triggered' ORDER BY id`,
        [id],
      )
      return found.rows.map(({ payload }) => payload)
    },
  }
}
