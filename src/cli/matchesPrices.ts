// `crossbook matches review --prices`: verified pairs that were demoted because their prices differ. At a terminal it asks about one after
// another: confirmed, a pair is pinned; rejected, it is forbidden.
import { type Lines, withRecords } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { plainText } from '#core/plainText'
import type { MatchReview } from '#matching/decide/review/index'
import type { PriceDifference } from '#schemas/matchReview'
import { textOf } from './matches.ts'
import { pairVerdict } from './matchesAudit.ts'
import { deciderOf, limitOf, nextRun, type ReviewOptions, shownField } from './reviewOptions.ts'
import { nothing, tableOf } from './table.ts'
import { type Ask, atTerminal } from './terminal.ts'

const nothingWaits = 'no pair waits for a review of its prices'

export async function reviewPrices(review: MatchReview, options: ReviewOptions): Promise<Lines> {
  if (options.json === true || !process.stdin.isTTY) return listPrices(review, limitOf(options))
  return atTerminal((ask) => pricesPrompt(review, options, ask))
}

async function listPrices(review: MatchReview, limit: number): Promise<Lines> {
  const { differences, next } = await review.listPriceDifferences(null, limit)
  if (differences.length === 0) return nothing(nothingWaits)
  const table = [
    ['MARKET', 'MARKET', 'YES', 'YES', 'EXCESS', 'SINCE', 'TITLE'],
    ...differences.map(({ a, b, quotes, excess, since }) => [
      plainText(textOf(a)),
      plainText(textOf(b)),
      quoteText(quotes.a),
      quoteText(quotes.b),
      excess.toFixed(3),
      since,
      plainText(a.title),
    ]),
  ]
  const lines = tableOf(table)
  if (next !== null) lines.push('more: give a higher --limit')
  return withRecords(lines, differences)
}

/** Asks about one pair after another; `ask` returns null at the end of its input. */
export async function pricesPrompt(review: MatchReview, options: ReviewOptions, ask: Ask): Promise<Lines> {
  const decider = deciderOf(options)
  const { differences } = await review.listPriceDifferences(null, limitOf(options))
  if (differences.length === 0) return [nothingWaits]
  const counts = { confirm: 0, forbid: 0, skip: 0, gone: 0 }
  for (const [at, pair] of differences.entries()) {
    const answer = await pairVerdict(ask, `${at + 1} of ${differences.length}, ${shown(pair).join('\n')}`)
    if (answer === 'quit') break
    if (answer === 'skip' || (await decide(review, pair, { ...decider, action: actions[answer] }))) counts[answer]++
    else counts.gone++
  }
  const { confirm, forbid, skip, gone } = counts
  return [
    `${confirm} confirmed, ${forbid} forbidden, ${skip} skipped`,
    ...(gone > 0 ? [`${gone} no longer waited for a review`] : []),
    ...(confirm + forbid > 0 ? [nextRun] : []),
  ]
}

const actions = { confirm: 'pin', forbid: 'forbid' } as const

/** False: the matcher dropped the pair while it was shown. */
async function decide(
  review: MatchReview,
  { a, b }: PriceDifference,
  decision: Parameters<MatchReview['reviewPriceDifference']>[1],
): Promise<boolean> {
  try {
    await review.reviewPriceDifference({ a, b }, decision)
    return true
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return false
    throw error
  }
}

function shown({ a, b, quotes, polarity, fields, excess, since }: PriceDifference): string[] {
  return [
    `prices have differed since ${since}, last by ${excess.toFixed(3)} more than both books cost${polarity === 'inverse' ? ', YES of one is NO of the other' : ''}`,
    `  ${textOf(a)}  Yes ${quoteText(quotes.a)}  ${a.title}`,
    `  ${textOf(b)}  Yes ${quoteText(quotes.b)}  ${b.title}`,
    ...fields.flatMap(shownField),
  ]
}

const quoteText = ({ bid, ask }: PriceDifference['quotes']['a']): string => `${bid ?? '-'} / ${ask ?? '-'}`
