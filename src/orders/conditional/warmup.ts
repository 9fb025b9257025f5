// A fire for a dummy order, from its trigger to the moment before its relay. A database connection plans a statement the first time it sees
// it, and the program compiles a function the first time it runs, and again after a long pause. Orders fire rarely: without this, nearly
// every fire would pay for both.
import { randomUUID } from 'node:crypto'
import type { ConditionalStore } from '#storage/postgres/conditional/store'
import type { WarmupOrder } from '#storage/postgres/conditional/warmup'
import { warmupId } from '#storage/postgres/warmupId'
import type { ArtifactCipher } from './artifactEncryption.ts'
import { submitImmediately } from './fastPath.ts'
import type { FireDeps } from './submitTriggered.ts'

export interface WarmupDeps extends Omit<FireDeps, 'store' | 'seal'> {
  store: Pick<ConditionalStore, 'rehearse' | 'rehearseAtOnce'>
  seal: ArtifactCipher
  /** An execution that `executions` can send, of this account. */
  standIn(accountId: string, at: Date): WarmupOrder['execution']
}

const leaseMs = 20_000

/** Both ways, one after the other. Nothing is sent, and nothing that was written stays. */
export async function warmUp(deps: WarmupDeps): Promise<void> {
  const { store, clock } = deps
  const at = new Date(clock.now())
  await store.rehearse(at)
  const standIn = standInOf(deps, at)
  const decision = { id: standIn.order.id, evidence: {} }
  const rehearsed = { ...deps, store: { triggerAndClaim: store.rehearseAtOnce.bind(store, standIn) } }
  const lease = { owner: randomUUID(), leaseMs, limit: 1, at }
  const made = await submitImmediately(rehearsed, decision, { lease, isRecalled: () => false, late: () => undefined })
  if (made === null) throw new Error('a warm-up order was not claimed together with its trigger')
}

function standInOf({ seal, standIn }: WarmupDeps, at: Date): WarmupOrder {
  const execution = standIn(warmupId(), at)
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
      ocoGroupId: null,
      armCountry: null,
      artifact: seal.seal({ id, executionId }, {}),
      key: id,
      bodySha256: execution.key.bodySha256,
      at,
    },
  }
}
