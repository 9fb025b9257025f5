// A fire for a dummy order, from its trigger to the moment before its relay. A database connection plans a statement the first time it sees
// it, and the program compiles a function the first time it runs, and again after a long pause. Orders fire rarely: without this, nearly
// every fire would pay for both.
import { randomUUID } from 'node:crypto'
import type { Clock } from '#core/clock'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { DummyOrder } from '#storage/postgres/conditional/warmup'
import type { Claim } from '#storage/postgres/executions/claim'
import { warmupId } from '#storage/postgres/warmupId'
import type { ArtifactCipher } from './artifactEncryption.ts'
import { attemptOf, type FireAttempt } from './submitTriggered.ts'

export interface WarmupDeps {
  store: Pick<ConditionalStore, 'warmUp'>
  seal: ArtifactCipher
  clock: Clock
  /** An execution that `prepare` accepts, of this account. */
  dummyExecution(accountId: string, at: Date): DummyOrder['execution']
  /** Everything of an attempt before its claim. Writes nothing. */
  prepare(attempt: FireAttempt): Promise<Claim>
}

const leaseMs = 20_000

/** Nothing is sent, and nothing that was written stays. */
export async function warmUp(deps: WarmupDeps): Promise<void> {
  const { store, clock, prepare } = deps
  const at = new Date(clock.now())
  const made = await store.warmUp(dummyOrder(deps, at), {
    lease: { owner: randomUUID(), leaseMs, limit: 1, at },
    prepare: async ({ held, execution, artifact }) => prepare(attemptOf(deps, held, execution!, artifact)),
  })
  if (made.kind !== 'claimed') throw new Error(`a warm-up order was not claimed: ${made.kind}`)
}

/** In a group: an order without one runs the same statements, except the lock on its group. */
function dummyOrder({ seal, dummyExecution }: WarmupDeps, at: Date): DummyOrder {
  const execution = dummyExecution(warmupId(), at)
  const { id: executionId, accountId, keyId, venue } = execution
  const id = warmupId()
  return {
    execution,
    order: {
      id,
      accountId,
      keyId,
      executionId,
      venue,
      marketId: '',
      outcomeId: '',
      fireMode: 'hosted',
      trigger: {
        when: 'at_or_above',
        price: 0.5,
        reference: 'mark',
        confirmations: 2,
        dwellMs: 0,
        maxSpread: 0.1,
        minSize: 1,
      },
      expiresAt: new Date(at.getTime() + leaseMs),
      ocoGroupId: warmupId(),
      armCountry: null,
      artifact: seal.seal({ id, executionId }, {}),
      key: id,
      bodySha256: execution.key.bodySha256,
      at,
    },
  }
}
