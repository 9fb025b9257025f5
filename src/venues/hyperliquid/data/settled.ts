// Outcomes that have left the list. The venue drops an outcome from its list when it settles, and returns a settled one only by its number: so
// outcomes listed before and no longer are looked up one by one.
import { Fault } from '#core/fault'
import { unreadable } from '../../shared/data/rest.ts'
import type { VenueContext } from '../../venueContext.ts'
import type { HyperSettled } from '../wire.ts'
import { getSettledOutcome } from './endpoints.ts'
import type { Listing } from './listing.ts'
import type { Listed } from './normalize.ts'
import type { QuestionHead } from './titleTemplates.ts'

/** Each costs as much of the allowance as ten books; the rest follows with the next walk. */
const lookupsPerWalk = 20
/** An outcome neither listed nor settled for this many walks is no longer looked up. */
const walksMax = 12
/** After a start it is unknown what was listed before. Numbers rise by about 200 a day (autumn 2026): we look back one day. */
const lookBack = 200

interface Memory {
  /** Outcomes to be listed or looked up, and for how many walks they were neither. */
  seen: ReadonlyMap<number, number>
  /** Settled outcomes of questions still open, once reported. */
  reported: ReadonlySet<number>
}

/** By context: one for each running venue, discarded with it. */
const memories = new WeakMap<VenueContext, Memory>()

/** `remember` is called once the catalog has stored the result; until then the next walk looks it up again. */
export async function findSettled(
  context: VenueContext,
  { open, questions }: Listing,
): Promise<{ settled: Listed[]; remember(): void }> {
  const listed = new Set(open.map(({ spec }) => spec.outcome))
  const named = [...questions.values()].flatMap((question) => question.settledNamedOutcomes ?? [])
  const fallbacks = [...questions.values()].map(({ fallbackOutcome }) => fallbackOutcome)
  const { seen, reported } = memories.get(context) ?? { seen: before(listed), reported: new Set<number>() }
  const missed = new Map([...seen].filter(([number]) => !listed.has(number) && !fallbacks.includes(number)))
  for (const number of named) if (!reported.has(number) && !listed.has(number)) missed.set(number, 0)
  // Those that left most recently come first.
  const turns = [...missed].sort(([, a], [, b]) => a - b).slice(0, lookupsPerWalk)
  const settled: Listed[] = []
  for (const [number, walks] of turns) {
    const found = await ask(context, number)
    if (found === 'unanswered') continue
    if (found !== null) settled.push(found)
    if (found !== null || walks >= walksMax) missed.delete(number)
    else missed.set(number, walks + 1)
  }
  const nowReported = new Set(
    named.filter((number) => reported.has(number) || settled.some(({ spec }) => spec.outcome === number)),
  )
  for (const number of listed) missed.set(number, 0)
  return { settled, remember: () => memories.set(context, { seen: missed, reported: nowReported }) }
}

/** The numbers before the newest one, each good for one lookup. */
function before(listed: ReadonlySet<number>): Map<number, number> {
  let newest = 0
  for (const number of listed) newest = Math.max(newest, number)
  const first = Math.max(0, newest - lookBack)
  return new Map(Array.from({ length: newest - first }, (_, index) => [newest - 1 - index, walksMax]))
}

/** Null when the venue does not report it settled. A failed read skips this outcome, not the walk. */
async function ask(context: VenueContext, number: number): Promise<Listed | null | 'unanswered'> {
  try {
    return await fetchSettled(context, number)
  } catch (error) {
    if (context.signal.aborted || !(error instanceof Fault)) throw error
    context.log.warn({ outcome: number, err: error }, 'could not read a settled outcome')
    return 'unanswered'
  }
}

export async function fetchSettled(context: VenueContext, number: number): Promise<Listed | null> {
  const settled = await getSettledOutcome(context, number)
  if (settled === null) return null
  if (settled.spec.outcome !== number) throw unreadable(context, `settledOutcome ${number}`, 'another outcome')
  return { spec: settled.spec, question: headOf(settled), settled }
}

function headOf({ question }: HyperSettled): QuestionHead | null {
  if (!question) return null
  const { name, description, question: id } = question
  return { question: 'active' in id ? id.active : id.settled, name, description }
}
