// A slice from its decision to the venue: decided, built, and offered for signing or sent from here.
import { Fault } from '#core/fault'
import { isFinal, isHalt, wordsOf } from '#core/refusals'
import type { JsonObject } from '#schemas/executions'
import type { OpenSliceRow } from '#storage/postgres/algorithms/algorithmRow'
import type { WantedSlice } from './machine/types.ts'
import type { AlgorithmDeps } from './ports.ts'
import { checkSliceTerms, sliceBuildOf } from './sliceBuild.ts'
import type { Step, StepResult } from './step.ts'
import { decimalOfUnits } from './units.ts'

const pauseMinMs = 1_000
const pauseMaxMs = 30_000

/** Idempotency key of the build: one execution per slice. No key of a caller contains a line break. */
export const sliceKeyOf = (algorithmId: string, number: number): string => `algorithm\n${algorithmId}\n${number}`

export async function startSlice(
  { store }: AlgorithmDeps,
  { lease, at }: Step,
  { planned, price, size, takes, stage }: WantedSlice,
): Promise<StepResult> {
  const isDecided =
    planned === null
      ? (await store.decideSlice(
          lease,
          { price: decimalOfUnits(price), size: decimalOfUnits(size), takes, stage },
          at,
        )) !== null
      : await store.usePlanned(lease, { number: planned, stage }, at)
  // It was canceled meanwhile, or the lease is lost.
  return { kind: isDecided ? 'continue' : 'again', reason: 'slice_unsent' }
}

export async function build(deps: AlgorithmDeps, step: Step, live: OpenSliceRow): Promise<StepResult | 'lost'> {
  const { store, orders } = deps
  const { row, lease, caller, at } = step
  let executionId: string | null = null
  try {
    const built = await orders.build(caller, row.venue, sliceKeyOf(row.id, live.number), sliceBuildOf(row, live))
    executionId = built.id
    // Rounded up by the venue's own rules, it would trade more than is left.
    checkSliceTerms(row, live, built.terms)
  } catch (error) {
    return refused(deps, step, { ...live, execution_id: executionId ?? live.execution_id }, error)
  }
  const signBy = row.mode === 'client' ? new Date(at.getTime() + row.sign_within_ms) : null
  const isRecorded = await store.recordBuilt(lease, { number: live.number, executionId, signBy, at })
  if (!isRecorded) return 'lost'
  return signBy === null
    ? { kind: 'continue', reason: 'slice_unsent' }
    : { kind: 'wait', reason: 'awaiting_signature', until: signBy.getTime() }
}

export async function send(deps: AlgorithmDeps, step: Step, live: OpenSliceRow): Promise<StepResult | 'lost'> {
  const { store, orders } = deps
  const { row, lease, caller, at } = step
  const attempt = await store.countAttempt(lease, live.number)
  // It was canceled meanwhile, or the lease is lost.
  if (attempt === null) return { kind: 'again', reason: 'slice_unsent' }
  try {
    await orders.submit(caller, {
      venue: row.venue,
      executionId: live.execution_id!,
      key: `${sliceKeyOf(row.id, live.number)}:${attempt}`,
      body: await submitBodyOf(deps, step, live),
    })
  } catch (error) {
    return refused(deps, step, live, error)
  }
  return (await store.recordSent(lease, { number: live.number, at })) ? { kind: 'again', reason: 'slice_open' } : 'lost'
}

async function submitBodyOf(
  { store, seal }: AlgorithmDeps,
  { row, lease }: Step,
  { number, execution_id: executionId }: OpenSliceRow,
): Promise<JsonObject> {
  if (!row.is_signed) return {}
  const artifact = await store.readSealed(lease, number)
  if (seal === null || artifact === null)
    throw new Fault('HOSTED_FIRE_UNAVAILABLE', 'signed slices are not sent from here now')
  try {
    return seal.open({ id: row.id, executionId: executionId! }, artifact)
  } catch (cause) {
    throw new Fault('HOSTED_FIRE_UNAVAILABLE', 'the signed slice cannot be opened with the configured keys', { cause })
  }
}

/** Nothing was sent, unless its execution shows otherwise at the next step. */
async function refused(
  deps: AlgorithmDeps,
  step: Step,
  live: OpenSliceRow,
  error: unknown,
): Promise<StepResult | 'lost'> {
  const words = wordsOf(error)
  deps.log.info({ algorithm: step.row.id, slice: live.number, err: error }, 'a slice was refused')
  if (isHalt(error)) return { kind: 'wait', reason: 'halted', error: words }
  if (isFinal(error)) return takeBack(deps, step, live, { outcome: 'refused', error: words })
  return { kind: 'wait', reason: 'refused', pauseMs: pauseAfter(step, live.decided_at), error: words }
}

/** As long as it has been refused, within bounds. */
export const pauseAfter = ({ at }: Pick<Step, 'at'>, since: Date): number =>
  Math.min(pauseMaxMs, Math.max(pauseMinMs, at.getTime() - since.getTime()))

/** Ends a slice that was not sent: its execution is discarded first, so that it never can be. */
export async function takeBack(
  { store, orders }: AlgorithmDeps,
  { row, lease, caller, at }: Step,
  live: OpenSliceRow,
  { outcome, error }: { outcome: 'refused' | 'unsigned' | 'withdrawn'; error: string | null },
): Promise<StepResult | 'lost'> {
  const key = sliceKeyOf(row.id, live.number)
  // A process that died may have built it.
  const executionId = live.execution_id ?? (await orders.findBuilt(row.account_id, key))
  if (executionId !== null) {
    const discarded = await orders.discard(caller, row.venue, executionId)
    if (discarded === 'held') return { kind: 'wait', reason: 'awaiting_signature' }
    if (discarded === 'sent') {
      if (live.execution_id !== null) return { kind: 'again', reason: 'slice_open' }
      // Its owner found it and sent it: it is the live slice.
      const isRecorded = await store.recordBuilt(lease, { number: live.number, executionId, signBy: at, at })
      return isRecorded ? { kind: 'again', reason: 'slice_open' } : 'lost'
    }
  }
  const end = { number: live.number, outcome, filledSize: '0', averagePrice: null, error, endsAs: null, at } as const
  return (await store.endSlice(lease, end)) ? { kind: 'again', reason: 'slice_unsent' } : 'lost'
}
