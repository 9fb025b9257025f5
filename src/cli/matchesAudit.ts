// `crossbook matches audit` and `crossbook matches labels`: a sample of today's verified pairs for a person to confirm or forbid. The result
// is stored as a label, with the texts that were shown; a forbidden pair is split as by `matches forbid`.
import { type Lines, withRecords } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { plainJson } from '#core/plainText'
import { inputOf, type MatchInput, readQuestion } from '#matching/candidateIndex'
import {
  findMatchWords,
  findVerified,
  insertLabel,
  insertOverride,
  listLabels,
  sampleVerified,
  type VerifiedPair,
} from '#storage/postgres/matching/index'
import { inTransaction, type Pool } from '#storage/postgres/pool'
import { type MatchWord, readSides, readWord, textOf } from './matches.ts'
import { nothing } from './table.ts'
import { type Ask, answerTo, atTerminal } from './terminal.ts'

export interface AuditOptions extends Omit<MatchWord, 'polarity'> {
  /** Number of pairs; 20 by default, at most 500. */
  sample?: string
  /** The same seed samples the same pairs of the same run; defaults to the current day (UTC). */
  seed?: string
  /** One JSON object per pair, and no questions. */
  json?: boolean
  /** For the named pair: `confirm` or `forbid`. */
  verdict?: string
}

/** A pair as shown, with the texts its verdict is about. */
export interface AuditPair extends VerifiedPair {
  frame: string | null
  words: { a: MatchInput; b: MatchInput }
}

type Verdict = 'confirm' | 'forbid'

const sampleMax = 500
/** Pairs per two venues that are read to find their templates. */
const perVenues = 50

/** Taken in turn from each stratum of two venues and one template. */
export async function auditSample(pool: Pool, size: number, seed: string): Promise<AuditPair[]> {
  const strata = new Map<string, AuditPair[]>()
  for (const pair of await withWords(pool, await sampleVerified(pool, seed, perVenues))) {
    const name = `${pair.a.venue} ${pair.b.venue} ${pair.frame ?? ''}`
    const stratum = strata.get(name)
    if (stratum === undefined) strata.set(name, [pair])
    else stratum.push(pair)
  }
  const taken: AuditPair[] = []
  for (let round = 0; taken.length < size; round++) {
    const drawn = [...strata.values()].flatMap((stratum) => stratum[round] ?? [])
    if (drawn.length === 0) break
    taken.push(...drawn.slice(0, size - taken.length))
  }
  return taken
}

async function withWords(pool: Pool, pairs: readonly VerifiedPair[]): Promise<AuditPair[]> {
  const marketIds = new Map<string, Set<string>>()
  for (const { venue, marketId } of pairs.flatMap(({ a, b }) => [a, b]))
    marketIds.set(venue, (marketIds.get(venue) ?? new Set()).add(marketId))
  const inputs = new Map<string, MatchInput>()
  for (const [venue, ids] of marketIds) {
    for (const { id, words } of await findMatchWords(pool, venue, [...ids])) {
      const input = inputOf(venue, id, words)
      if (input !== null) inputs.set(`${venue}:${id}`, input)
    }
  }
  return pairs.flatMap((pair) => {
    const [a, b] = [inputs.get(textOf(pair.a)), inputs.get(textOf(pair.b))]
    if (a === undefined || b === undefined) return []
    return [{ ...pair, frame: readQuestion(a).proposition?.frame.name ?? null, words: { a, b } }]
  })
}

/** `crossbook matches audit <market> <other> --verdict confirm|forbid --reason <text>` */
export async function auditVerdict(pool: Pool, one: string, other: string, options: AuditOptions): Promise<Lines> {
  const verdict = readVerdict(options.verdict)
  const word = readWord(options)
  const found = await findVerified(pool, ...readSides(one, other))
  const [pair] = found === null ? [] : await withWords(pool, [found])
  if (pair === undefined) throw new Fault('NOT_FOUND', 'the matcher does not treat these two as the same question')
  return [await keep(pool, pair, verdict, word)]
}

/** Whole words or their first letters: "cancel" confirms nothing. */
const answers: ReadonlyMap<string, Verdict | 'skip' | 'quit'> = new Map([
  ['c', 'confirm'],
  ['confirm', 'confirm'],
  ['f', 'forbid'],
  ['forbid', 'forbid'],
  ['s', 'skip'],
  ['skip', 'skip'],
  ['q', 'quit'],
  ['quit', 'quit'],
])
const keysHelp = '[c]onfirm, [f]orbid, [s]kip, [q]uit: '

/** Of a person who is shown a pair. */
export const pairVerdict = async (ask: Ask, pair: string): Promise<Verdict | 'skip' | 'quit'> =>
  (await answerTo(ask, `${pair}\n${keysHelp}`, answers, 'answer c, f, s or q: ')) ?? 'quit'

/** Asks about one pair after another; `ask` returns null at the end of its input. */
export async function auditPrompt(pool: Pool, options: AuditOptions, ask: Ask): Promise<Lines> {
  const word = readWord({ ...options, reason: options.reason ?? 'audit' })
  const pairs = await auditSample(pool, ...sizeAndSeed(options))
  if (pairs.length === 0) return [nothingWaits]
  const counts = { confirm: 0, forbid: 0, skip: 0 }
  for (const [at, pair] of pairs.entries()) {
    const answer = await pairVerdict(ask, `${at + 1} of ${pairs.length}, ${shown(pair).join('\n')}`)
    if (answer === 'quit') break
    if (answer !== 'skip') await keep(pool, pair, answer, word)
    counts[answer]++
  }
  return [`${counts.confirm} confirmed, ${counts.forbid} forbidden, ${counts.skip} skipped`]
}

const nothingWaits = 'no verified pair waits for a verdict'

export async function auditList(pool: Pool, options: AuditOptions): Promise<Lines> {
  const pairs = await auditSample(pool, ...sizeAndSeed(options))
  if (options.json === true)
    return withRecords(
      pairs.map((pair) => plainJson(JSON.stringify(pair))),
      pairs,
    )
  const lines = pairs.length === 0 ? [nothingWaits] : pairs.flatMap((pair) => [...shown(pair), ''])
  return withRecords(lines, pairs)
}

/** A pair named with a verdict; questions on a terminal; otherwise the sample. */
export async function matchesAudit(
  pool: Pool,
  one: string | undefined,
  other: string | undefined,
  options: AuditOptions,
): Promise<Lines> {
  if (one !== undefined && other !== undefined) return auditVerdict(pool, one, other, options)
  if (one !== undefined || options.verdict !== undefined)
    throw new Fault('VALIDATION_ERROR', 'a verdict needs two markets: audit <market> <other> --verdict confirm')
  if (options.json === true || !process.stdin.isTTY) return auditList(pool, options)
  return atTerminal((ask) => auditPrompt(pool, options, ask))
}

/** `crossbook matches labels`: JSON lines with `--export`, as `npm run eval:matching -- --pairs` reads them. */
export async function matchesLabels(pool: Pool, options: { export?: boolean }): Promise<Lines> {
  const labels = await listLabels(pool)
  if (options.export === true) {
    const pairs = labels.map(({ a, b, verdict, polarity, frame }) => ({
      a: a.words,
      b: b.words,
      label: verdict === 'confirm',
      polarity: verdict === 'confirm' ? polarity : null,
      family: frame,
    }))
    return withRecords(
      pairs.map((pair) => plainJson(JSON.stringify(pair))),
      pairs,
    )
  }
  if (labels.length === 0) return nothing('no labels')
  const lines = labels.map(
    ({ a, b, verdict, labelledAt, labelledBy, reason }) =>
      `${verdict.padEnd(7)}  ${textOf(a)}  ${textOf(b)}  ${labelledAt.toISOString()}  ${labelledBy}  ${reason}`,
  )
  const records = labels.map(({ a, b, verdict, labelledAt, labelledBy, reason }) => {
    return { markets: [textOf(a), textOf(b)], verdict, saidAt: labelledAt, by: labelledBy, reason }
  })
  return withRecords(lines, records)
}

/** A label and, if it forbids, the verdict that splits the pair: both or neither. */
async function keep(
  pool: Pool,
  { a, b, polarity, score, frame, words }: AuditPair,
  verdict: Verdict,
  word: { reason: string; setBy: string },
): Promise<string> {
  await inTransaction(pool, async (client) => {
    const sides = { a: { ...a, words: words.a }, b: { ...b, words: words.b } }
    const { reason, setBy } = word
    await insertLabel(client, { ...sides, verdict, polarity, score, frame, reason, labelledBy: setBy })
    if (verdict === 'forbid') await insertOverride(client, { a, b, action: 'forbid', polarity: null, ...word })
  })
  return `${verdict === 'forbid' ? 'forbidden' : 'confirmed'}  ${textOf(a)}  ${textOf(b)}`
}

function shown({ a, b, words, score, polarity, frame }: AuditPair): string[] {
  const line = (side: AuditPair['a'], { title, subtitle, eventTitle }: MatchInput): string =>
    `${textOf(side)}  ${[title, subtitle, eventTitle].filter(Boolean).join(' | ')}`
  const heading = `score ${score ?? '-'}${polarity === 'inverse' ? ', YES of one is NO of the other' : ''}, ${frame ?? 'read by fields'}`
  return [heading, line(a, words.a), line(b, words.b)]
}

function readVerdict(word: string | undefined): Verdict {
  if (word === 'confirm' || word === 'forbid') return word
  throw new Fault('VALIDATION_ERROR', 'verdict must be confirm or forbid')
}

function sizeAndSeed({ sample = '20', seed }: AuditOptions): [number, string] {
  const size = Number(sample)
  if (!Number.isInteger(size) || size < 1 || size > sampleMax)
    throw new Fault('VALIDATION_ERROR', `sample must be a whole number from 1 to ${sampleMax}`)
  return [size, seed ?? new Date().toISOString().slice(0, 10)]
}
