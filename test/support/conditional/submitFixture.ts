// Orders in hosted mode at the test venue, ready to be submitted, all real except the encryption: the artifact is stored as plain text.
import { randomUUID } from 'node:crypto'
import type { FireAttempt, FireDeps, FiredExecutions } from '#orders/conditional/submitTriggered'
import { createFiredExecutions } from '#orders/executions/index'
import type { JsonObject } from '#schemas/executions'
import type { ConditionalRow } from '#storage/postgres/conditional/conditionalRow'
import type { FiringRow } from '#storage/postgres/conditional/firing'
import type { NewConditional } from '#storage/postgres/conditional/insertArmed'
import type { ExecutionRow } from '#storage/postgres/executions/executionRow'
import type { Pool } from '#storage/postgres/pool'
import type { ExecutionWorld } from '#test/support/execution/world'
import { type ConditionalOrders, openConditionalOrders, sha256 } from './book.ts'

export const signature = 'canary-signature-71c4'

export const sealedText = (body: object = { signature }): NonNullable<NewConditional['artifact']> => {
  const text = JSON.stringify(body)
  return { sealed: Buffer.from(text), keyId: 'k1', sha256: sha256(text) }
}

/** No encryption. */
export const openSeal: FireDeps['seal'] = { open: (_of, { sealed }) => JSON.parse(sealed.toString()) as JsonObject }

/** Attempts that are never claimed with their trigger, and are submitted like this. */
export const beginWith =
  (submit: (attempt: FireAttempt) => Promise<ExecutionRow>): FiredExecutions['begin'] =>
  (attempt) => {
    const claim = Promise.reject(new Error('not prepared'))
    claim.catch(() => undefined)
    return { claim, submit: () => submit(attempt), takeBack: async () => undefined }
  }

export interface SubmitFixture {
  book: ConditionalOrders
  deps: FireDeps
  /** Built, and armed in hosted mode. */
  armed(over?: Partial<NewConditional>): Promise<{ id: string; executionId: string; order: string }>
  /** And triggered. */
  triggered(over?: Partial<NewConditional>): Promise<{ id: string; executionId: string; order: string }>
  /** The lease of this one; others that are due are leased as well. */
  hold(id: string, leaseMs?: number): Promise<FiringRow>
  /** Ends a retry pause. */
  dueNow(id: string): Promise<void>
  find(id: string): Promise<ConditionalRow>
}

export async function openSubmitFixture(pool: Pool, world: ExecutionWorld): Promise<SubmitFixture> {
  const book = await openConditionalOrders(pool, world.accountId)
  const { clock, log } = world.deps
  const signal = new AbortController().signal
  let made = 0
  const armed: SubmitFixture['armed'] = async (over) => {
    const { executionId, unsigned } = (await world.build(randomUUID())).json.data
    const { id } = await book.arm({ executionId, venue: 'novig', artifact: sealedText(), ...over })
    return { id, executionId, order: unsigned.id }
  }
  return {
    book,
    armed,
    deps: {
      store: book.store,
      executions: createFiredExecutions(world.deps, { blocks: (country) => country === 'CU', signal }),
      seal: openSeal,
      clock,
      log,
      random: () => 0.5,
    },
    async triggered(over) {
      const order = await armed(over)
      // Distinct times, in the order of creation.
      if (!(await book.trigger(order.id, new Date(clock.now() + made++)))) throw new Error('not triggered')
      return order
    },
    async hold(id, leaseMs = 60_000) {
      const at = new Date(clock.now())
      for (;;) {
        const held = await book.store.claimFiring({ owner: randomUUID(), leaseMs, limit: 1_000, at })
        const row = held.find((one) => one.id === id)
        if (row !== undefined) return row
        if (held.length === 0) throw new Error('not due')
      }
    },
    async dueNow(id) {
      await pool.query('UPDATE conditional_orders SET retry_at = NULL, leased_until = NULL WHERE id = $1', [id])
    },
    find: async (id) => (await book.store.find(world.accountId, id))!,
  }
}
