// Arming: a built order waits for a price. It is checked as its submit will be, so that a refusal comes now and not when the order
// triggers.
import { z } from 'zod'
import { canonicalJson, sha256 } from '#core/canonicalJson'
import { Fault } from '#core/fault'
import { FireMode } from '#schemas/conditional'
import { JsonObject } from '#schemas/executions'
import { isPaperAccount } from '#schemas/paper'
import type { ConditionalRow } from '#storage/postgres/conditional/conditionalRow'
import type { ArmLimits, ArmResult } from '#storage/postgres/conditional/insertArmed'
import { findReplay } from './keys.ts'
import type { ArmRequest, Caller, ConditionalDeps } from './ports.ts'
import { ruleOf, TriggerBody } from './triggerRule.ts'

/** Maximum living orders per group and per account. */
const limits: ArmLimits = { groupMax: 10, accountMax: 5_000 }
/** Maximum time an order is watched. */
export const ageMaxMs = 90 * 86_400_000

export const ArmBody = z
  .strictObject({
    executionId: z.uuid(),
    trigger: TriggerBody,
    fireMode: FireMode,
    expiresAt: z.iso.datetime({ offset: true }),
    /** Chosen by the caller; the first order to use it creates the group. */
    ocoGroupId: z.uuid().optional(),
    /** Hosted mode: the body for the execution's submit. */
    signedArtifact: JsonObject.optional(),
  })
  .meta({
    examples: [
      {
        executionId: '6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11',
        trigger: { when: 'at_or_above', price: 0.6 },
        fireMode: 'client',
        expiresAt: '2026-12-01T00:00:00Z',
      },
    ],
  })
export type ArmBody = z.infer<typeof ArmBody>

export interface StoredOrder {
  row: ConditionalRow
  replay: boolean
}

export async function armConditional(
  deps: ConditionalDeps,
  caller: Caller,
  key: string,
  given: ArmBody,
): Promise<StoredOrder> {
  const { store, orders, books, seal, clock } = deps
  const { accountId, keyId, country } = caller
  const body = isPaperAccount(accountId) ? withoutSignature(given) : given
  const { executionId, fireMode, ocoGroupId = null, signedArtifact = null } = body
  const bodySha256 = sha256(canonicalJson(body))
  const request = { accountId, kind: 'arm', key, bodySha256 } as const
  const before = await findReplay(deps, request)
  if (before !== null) return before
  checkArtifact(body)
  if (fireMode === 'hosted' && seal === null)
    throw new Fault('HOSTED_FIRE_UNAVAILABLE', 'hosted firing is off on this deployment: arm it in client mode')
  const order = await orders.examine(caller, executionId, signedArtifact)
  const at = new Date(clock.now())
  const nowMs = at.getTime()
  const expiresAt = expiryOf(body, order, nowMs)
  const trigger = ruleOf(body.trigger, order.side, { nowMs, expiresAtMs: expiresAt.getTime() })
  await requireBook(books, order)
  const id = deps.newId()
  const artifact = signedArtifact === null ? null : seal!.seal({ id, executionId }, signedArtifact)
  const { venue, marketId, outcomeId } = order
  const wanted = { id, accountId, keyId, executionId, venue, marketId, outcomeId, fireMode, trigger, expiresAt }
  const rest = { ocoGroupId, armCountry: country, artifact, key, bodySha256, at }
  const result = await store.arm({ ...wanted, ...rest }, limits)
  if (result.kind === 'armed') return { row: result.row, replay: false }
  // A concurrent call with the same key won.
  const replay = result.kind === 'taken' ? await findReplay(deps, request) : null
  if (replay !== null) return replay
  throw refused(result)
}

/** A paper order needs no signature: what is given is dropped, and nothing has to be given. */
function withoutSignature({ signedArtifact: _dropped, ...body }: ArmBody): ArmBody {
  return body.fireMode === 'hosted' ? { ...body, signedArtifact: {} } : body
}

function checkArtifact({ fireMode, signedArtifact }: ArmBody): void {
  if (fireMode === 'client') {
    if (signedArtifact === undefined) return
    throw new Fault(
      'VALIDATION_ERROR',
      'signedArtifact: is accepted in hosted mode only; in client mode you submit it yourself',
    )
  }
  if (signedArtifact === undefined)
    throw new Fault('VALIDATION_ERROR', 'signedArtifact: hosted mode needs the body that submit takes')
}

export function expiryOf(
  { expiresAt }: Pick<ArmBody, 'expiresAt'>,
  { goodUntilMs }: Pick<ArmRequest, 'goodUntilMs'>,
  nowMs: number,
): Date {
  const wanted = Date.parse(expiresAt)
  const refuse = (why: string) => new Fault('VALIDATION_ERROR', `expiresAt: ${why}`)
  if (!(wanted > nowMs)) throw refuse('is in the past')
  if (wanted - nowMs > ageMaxMs) throw refuse(`must be at most ${ageMaxMs / 86_400_000} days ahead`)
  if (goodUntilMs !== null && wanted > goodUntilMs)
    throw refuse(`the built order is valid only until ${new Date(goodUntilMs).toISOString()}`)
  return new Date(wanted)
}

async function requireBook(books: ConditionalDeps['books'], order: ArmRequest): Promise<void> {
  const { venue, marketId, outcomeId } = order
  const availability = await books.availability(venue, marketId, outcomeId)
  if (availability === 'none')
    throw new Fault('NOT_SUPPORTED', 'this market has no order book of its own', { exchange: venue })
  if (availability === 'silent')
    throw new Fault('EXEC_UNAVAILABLE', 'the book of this market is not live now: try again shortly', {
      exchange: venue,
      retryAfterSeconds: 5,
    })
}

function refused(result: Exclude<ArmResult, { kind: 'armed' }>): Error {
  switch (result.kind) {
    case 'group_closed':
      return new Fault('OCO_GROUP_CLOSED', 'an order of this group has fired: use a new group')
    case 'group_full':
      return new Fault('VALIDATION_ERROR', `ocoGroupId: a group has at most ${limits.groupMax} live orders`)
    case 'account_full':
      return new Fault('VALIDATION_ERROR', `an account has at most ${limits.accountMax} live orders: cancel some first`)
    case 'attempt':
      return new Fault('CONDITIONAL_ATTEMPT_CONFLICT', 'an attempt to submit this execution is in progress')
    case 'has_fired':
      return new Fault('EXECUTION_TERMINAL', 'a conditional order of this execution has fired: build a new one')
    case 'not_built':
      // It was `built` a moment ago, when it was examined.
      return new Fault(
        'CONDITIONAL_ATTEMPT_CONFLICT',
        `the execution is ${result.status}: only an unsent order can be armed`,
      )
    case 'taken':
      return new Error('an idempotency key is taken, but its order is missing')
  }
}
