// `crossbook matches judgements`: what the LLM judge decided on template pairs. A person confirms or revokes a judgement; a revoked one has no
// effect from the matcher's next run on.
import { type Lines, withRecords } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { plainJson, plainText } from '#core/plainText'
import {
  insertJudgementReview,
  type JudgementReview,
  listJudgements,
  type NewJudgement,
  type StoredJudgement,
  sampleJudgements,
} from '#storage/postgres/matching/index'
import type { Pool } from '#storage/postgres/pool'
import { type MatchWord, readWord } from './matches.ts'
import { nothing, tableOf } from './table.ts'

export interface JudgementsOptions extends Omit<MatchWord, 'polarity'> {
  /** Number of judgements, 1 to 500. */
  limit?: string
  /** Only those of this verdict. */
  verdict?: string
  /** Decided and not reviewed, at most this many of each verdict. */
  sample?: string
  /** The same seed samples the same judgements; default: the day. */
  seed?: string
  /** One JSON object per line, with the texts that were sent and every answer. */
  json?: boolean
  /** Revokes the named judgement. */
  revoke?: boolean
  /** Confirms the named judgement, or takes back its revocation. */
  confirm?: boolean
}

const limitMax = 500
const verdicts: readonly NewJudgement['verdict'][] = ['same', 'different', 'undecided']

/** A named judgement is confirmed or revoked; without one they are listed, newest first, or sampled. */
export async function matchesJudgements(
  pool: Pool,
  id: string | undefined,
  options: JudgementsOptions,
): Promise<Lines> {
  if (id !== undefined) return reviewJudgement(pool, id, options)
  if (options.revoke === true || options.confirm === true)
    throw new Fault('VALIDATION_ERROR', 'name the judgement: judgements <id> --revoke --reason <text>')
  const { sample, seed = new Date().toISOString().slice(0, 10), limit = '30' } = options
  const found =
    sample === undefined
      ? await listJudgements(pool, { limit: countOf(limit), verdict: readVerdict(options.verdict) })
      : await sampleJudgements(pool, seed, countOf(sample))
  if (found.length === 0) return nothing('no judgements')
  if (options.json === true)
    return withRecords(
      found.map((judgement) => plainJson(JSON.stringify(judgement))),
      found,
    )
  return withRecords(
    tableOf([['ID', 'VERDICT', 'REVIEW', 'MODEL', 'DECIDED AT', 'FIRST', 'SECOND', 'REASON'], ...found.map(rowOf)]),
    found,
  )
}

const rowOf = ({ id, verdict, review, model, decidedAt, a, b, reason }: StoredJudgement): string[] => [
  id,
  verdict,
  review === null ? '-' : `${review.action} by ${plainText(review.reviewedBy)}`,
  plainText(model),
  decidedAt.toISOString(),
  plainText(a),
  plainText(b),
  plainText(reason),
]

async function reviewJudgement(pool: Pool, id: string, options: JudgementsOptions): Promise<Lines> {
  const action = actionOf(options)
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new Fault('VALIDATION_ERROR', 'the id of a judgement is a number')
  const { reason, setBy } = readWord(options)
  const judgement = await insertJudgementReview(pool, id, { action, reason, reviewedBy: setBy })
  if (judgement === null) throw new Fault('NOT_FOUND', `no judgement ${id}: see crossbook matches judgements`)
  const done = action === 'revoke' ? 'revoked' : 'confirmed'
  return withRecords([`${done}  ${id}`, `by  ${setBy}`, 'The matcher applies it from its next run.'], [judgement])
}

function actionOf({ revoke = false, confirm = false }: JudgementsOptions): JudgementReview['action'] {
  if (revoke === confirm) throw new Fault('VALIDATION_ERROR', 'give --revoke or --confirm')
  return revoke ? 'revoke' : 'confirm'
}

function readVerdict(word: string | undefined): NewJudgement['verdict'] | null {
  if (word === undefined) return null
  const verdict = verdicts.find((one) => one === word)
  if (verdict === undefined) throw new Fault('VALIDATION_ERROR', `verdict must be one of ${verdicts.join(', ')}`)
  return verdict
}

function countOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > limitMax)
    throw new Fault('VALIDATION_ERROR', `limit and sample must be a whole number from 1 to ${limitMax}`)
  return count
}
