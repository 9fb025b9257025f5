// Evaluates the engine on the held-out pairs: each alone in an engine, so that a pair is either joined or not.
import { SportsEngine, type SportsInput } from '#sports/index'
import { type HeldOutListing, type HeldOutPair, heldOut } from './heldOut.ts'

export interface HeldOutEvaluation {
  pairs: number
  one: number
  joined: number
  right: number
  precision: number
  recall: number
  byClass: Record<string, { pairs: number; wrong: number; missed: number }>
  wrong: string[]
  missed: string[]
}

const twoSides = /^(.+?) (?:vs\.?|v|@|at) (.+?)(?: \(Game \d\)| Game \d)?$/

function listed(venue: string, { at, title, tag }: HeldOutListing): SportsInput {
  const [, first, second] = /series|winner|who /i.test(title) ? [] : (twoSides.exec(title) ?? [])
  const labels = first === undefined ? ['Yes', 'No'] : [first, second!]
  return {
    venue,
    marketId: `${venue}-1`,
    eventId: null,
    title,
    description: '',
    subtitle: null,
    eventTitle: title,
    slug: null,
    eventSlug: null,
    seriesId: null,
    category: 'Sports',
    tags: tag === null ? [] : [tag],
    status: 'active',
    outcomes: labels.map((label, n) => ({ outcomeId: `${venue}#${n}`, label })),
    metadata: at.length > 10 ? { gameStartTime: `${at}:00.000Z` } : {},
    eventMetadata: at.length > 10 ? {} : { eventDate: at },
  }
}

function isJoined({ sides: [a, b] }: HeldOutPair): boolean {
  const engine = new SportsEngine()
  engine.upsert([listed('polymarket', a), listed('novig', b)])
  // Games that ended long ago are not fixtures.
  const { changed } = engine.run(Math.floor(Date.parse(a.at.slice(0, 10)) / 86_400_000))
  return changed.some(({ entries }) => new Set(entries.map(({ venue }) => venue)).size === 2)
}

export function evaluateHeldOut(pairs: readonly HeldOutPair[] = heldOut): HeldOutEvaluation {
  const byClass: HeldOutEvaluation['byClass'] = {}
  const [wrong, missed]: [string[], string[]] = [[], []]
  let [one, right] = [0, 0]
  for (const pair of pairs) {
    const { class: kind, isOne, sides } = pair
    byClass[kind] ??= { pairs: 0, wrong: 0, missed: 0 }
    const counted = byClass[kind]!
    counted.pairs++
    if (isOne) one++
    const joined = isJoined(pair)
    const summary = `${kind}: ${sides.map(({ at, title }) => `${at} ${title}`).join(' | ')}`
    if (joined && isOne) right++
    else if (joined) {
      counted.wrong++
      wrong.push(summary)
    } else if (isOne) {
      counted.missed++
      missed.push(summary)
    }
  }
  const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : Math.round((part / whole) * 1e4) / 1e4)
  const joined = right + wrong.length
  const figures = { precision: ratio(right, joined), recall: ratio(right, one) }
  return { pairs: pairs.length, one, joined, right, ...figures, byClass, wrong, missed }
}
