// What holds at build must hold at submit: the stored artifact is the one that was bounded, and its hash is its own.
import { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import { type Action, actionHash, ordered } from './action.ts'
import { ActionShape, readArtifact, violation } from './artifact.ts'

/** The action whole: a stored artifact that differs in any field from what was built is not that artifact. */
const Bounds = z.object({
  kind: z.enum(['order', 'modify', 'cancel']),
  source: z.enum(['a', 'b']),
  action: ActionShape,
})

const kinds: Readonly<Record<Action['type'], z.infer<typeof Bounds>['kind']>> = {
  order: 'order',
  batchModify: 'modify',
  cancel: 'cancel',
  cancelByCloid: 'cancel',
}

export function checkBounds(unsigned: JsonObject, bounds: JsonObject): void {
  const artifact = readArtifact(unsigned)
  const known = Bounds.safeParse(bounds)
  if (!known.success) throw violation('the bounds of this artifact cannot be read', z.prettifyError(known.error))
  const { kind, source, action } = known.data
  if (kinds[artifact.action.type] !== kind) throw violation(`a ${artifact.action.type} action where ${kind} was built`)
  if (artifact.source !== source) throw violation('the artifact is for another network')
  // Under one nonce two actions hash alike only if they are the same.
  if (actionHash({ action: ordered(action), nonce: artifact.nonce }) !== artifact.connectionId) {
    throw violation('the artifact is not the one that was built')
  }
}
