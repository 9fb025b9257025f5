// `crossbook matches review`: template pairs that need a decision, the most valuable first. At a terminal it asks about one after another;
// decisions apply from the matcher's next run, a few seconds later, and can be exported to and imported from other deployments.
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { type Lines, withRecords } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { plainJson, plainText } from '#core/plainText'
import { createPostgresMatchReview, type Decider, type MatchReview } from '#matching/decide/review/index'
import { TemplateDecisionSchema } from '#schemas/matchDecisions'
import { type MatchRelation, matchRelations } from '#schemas/matches'
import type { ReviewedField, TemplatePairDetails } from '#schemas/matchReview'
import type { Pool } from '#storage/postgres/pool'
import { type MatchWord, readWord } from './matches.ts'
import { nothing, tableOf } from './table.ts'

export interface ReviewOptions extends Omit<MatchWord, 'polarity'> {
  /** Number of template pairs; 30 by default, at most 500. */
  limit?: string
  /** One JSON object per line, and no questions. */
  json?: boolean
  /** For the named template pair. */
  relation?: string
  /** Withdraws the decision on the named template pair. */
  undo?: boolean
  /** JSON lines of all decisions that apply. */
  export?: boolean
  /** File of such lines. */
  import?: string
  /** The import also replaces decisions that apply here. */
  replace?: boolean
}

type Ask = (text: string) => Promise<string | null>
type Answer = 'same' | 'different' | 'relation' | 'skip' | 'undo' | 'quit'

const limitMax = 500
const pageRows = 500
/** Of a rules text on the terminal, characters. */
const shownRules = 600

/** A named template pair is shown or decided; without one it exports, imports, asks at a terminal, or lists. */
export async function matchesReview(pool: Pool, key: string | undefined, options: ReviewOptions): Promise<Lines> {
  const review = createPostgresMatchReview(pool)
  if (key !== undefined) return reviewOne(review, key, options)
  if (options.relation !== undefined || options.undo === true)
    throw new Fault('VALIDATION_ERROR', 'name the template pair: review <key> --relation identity')
  if (options.export === true) return exportDecisions(review)
  if (options.import !== undefined) return importDecisions(review, options.import, options)
  if (options.json === true || !process.stdin.isTTY) return listOpen(review, limitOf(options))
  // The final output may go to a file; the questions go to the terminal.
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)))
  const ask = async (text: string): Promise<string | null> => {
    const typed = await Promise.race([terminal.question(plainText(text)), closed])
    // The end of the input leaves the cursor after the question.
    if (typed === null) process.stderr.write('\n')
    return typed
  }
  try {
    return await reviewPrompt(review, options, ask)
  } finally {
    terminal.close()
  }
}

async function reviewOne(review: MatchReview, key: string, options: ReviewOptions): Promise<Lines> {
  if (options.undo === true) {
    await review.withdraw(key, deciderOf(options))
    return [`withdrawn  ${key}`, nextRun]
  }
  if (options.relation === undefined) {
    const pair = await review.find(key)
    return withRecords(shown(pair), [pair])
  }
  const relation = readRelation(options.relation)
  const decider = deciderOf(options)
  const decision = await review.decide(key, { relation, ...decider })
  return withRecords([`decided  ${key}  ${relation}`, `by       ${decider.by}`, nextRun], [decision])
}

async function listOpen(review: MatchReview, limit: number): Promise<Lines> {
  const { pairs, total } = await review.listOpen(limit)
  if (pairs.length === 0) return nothing(nothingWaits)
  const table = [
    ['KEY', 'VALUE', 'PAIRS', 'EDGE', 'FIRST', 'SECOND'],
    ...pairs.map(({ key, value, pairs: count, edge, a, b }) => [
      key,
      String(value),
      String(count),
      edge === null ? '-' : String(edge),
      plainText(a),
      plainText(b),
    ]),
  ]
  const lines = tableOf(table)
  if (total > pairs.length) lines.push(`${total - pairs.length} more`)
  return withRecords(lines, pairs)
}

/** Whole words or their first letters: "nothing" decides nothing. */
const answers: ReadonlyMap<string, Answer> = new Map([
  ['y', 'same'],
  ['yes', 'same'],
  ['n', 'different'],
  ['no', 'different'],
  ['r', 'relation'],
  ['relation', 'relation'],
  ['s', 'skip'],
  ['skip', 'skip'],
  ['u', 'undo'],
  ['undo', 'undo'],
  ['q', 'quit'],
  ['quit', 'quit'],
])
const keysHelp = '[y]es the same, [n]o, [r]elation, [s]kip, [u]ndo the last, [q]uit: '

/** Asks about one template pair after another; `ask` returns null at the end of its input. */
export async function reviewPrompt(review: MatchReview, options: ReviewOptions, ask: Ask): Promise<Lines> {
  const decider = deciderOf(options)
  const { pairs } = await review.listOpen(limitOf(options))
  if (pairs.length === 0) return [nothingWaits]
  const decided: string[] = []
  let skipped = 0
  for (let at = 0; at < pairs.length; ) {
    const { key } = pairs[at]!
    const pair = await ifListed(review.find(key))
    if (pair === null) {
      at++
      continue
    }
    const answer = await answerTo(ask, `${at + 1} of ${pairs.length}, ${shown(pair).join('\n')}\n${keysHelp}`)
    if (answer === 'quit') break
    if (answer === 'undo') {
      const last = decided.pop()
      if (last === undefined) continue
      await review.withdraw(last, decider)
      at = pairs.findIndex((each) => each.key === last)
      continue
    }
    if (answer === 'skip') skipped++
    else if ((await ifListed(review.decide(key, { ...decider, relation: answer }))) !== null) decided.push(key)
    at++
  }
  return [`${decided.length} decided, ${skipped} skipped`, ...(decided.length > 0 ? [nextRun] : [])]
}

/** Asks again until the input is an answer. */
async function answerTo(ask: Ask, text: string): Promise<MatchRelation | 'skip' | 'undo' | 'quit'> {
  for (let prompt = text; ; prompt = 'answer y, n, r, s, u or q: ') {
    const typed = await ask(prompt)
    if (typed === null) return 'quit'
    const answer = answers.get(typed.trim().toLowerCase())
    if (answer === 'same') return 'identity'
    if (answer === 'different') return 'overlap'
    if (answer === 'relation') {
      const relation = await ask(`of the first to the second: ${matchRelations.join(', ')}: `)
      const found = relationNamed(relation ?? '')
      if (found !== undefined) return found
    } else if (answer !== undefined) return answer
  }
}

const nothingWaits = 'no template pair waits for a decision'
const nextRun = 'The matcher applies it from its next run.'

/** JSON lines, as `--import` and the repository's data/templates.jsonl have them. */
async function exportDecisions(review: MatchReview): Promise<Lines> {
  const all: object[] = []
  for (let before: string | null = null; ; ) {
    const page: Awaited<ReturnType<MatchReview['listDecisions']>> = await review.listDecisions(before, pageRows)
    all.push(...page.decisions)
    if (page.nextBefore === null) break
    before = page.nextBefore
  }
  return withRecords(
    all.map((decision) => plainJson(JSON.stringify(decision))),
    all,
  )
}

async function importDecisions(review: MatchReview, file: string, options: ReviewOptions): Promise<Lines> {
  const { recordedBy } = deciderOf(options)
  const decisions = parseDecisions(await readImport(file), file)
  const total = { imported: 0, unchanged: 0, skipped: 0 }
  for (let at = 0; at < decisions.length; at += pageRows) {
    const part = decisions.slice(at, at + pageRows)
    const counts = await review.importDecisions(part, { replace: options.replace === true, recordedBy })
    total.imported += counts.imported
    total.unchanged += counts.unchanged
    total.skipped += counts.skipped
  }
  const { imported, unchanged, skipped } = total
  const line = `${imported} imported, ${unchanged} unchanged, ${skipped} skipped because another decision applies here`
  return withRecords([line], [total])
}

async function readImport(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Fault('VALIDATION_ERROR', `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function parseDecisions(text: string, file: string) {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const found = TemplateDecisionSchema.safeParse(jsonOf(line))
    if (!found.success)
      throw new Fault('VALIDATION_ERROR', `${file}:${at + 1} is no decision: ${found.error.issues[0]?.message}`)
    if (/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(found.data)))
      throw new Fault('VALIDATION_ERROR', `${file}:${at + 1} has characters that cannot be stored`)
    return [found.data]
  })
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Not a decision: the caller reports the line.
    return null
  }
}

function shown({ key, a, b, pairs, openInterest, edge, examples, decisions }: TemplatePairDetails): string[] {
  const facts = [
    key,
    ...(pairs === null ? [] : [`${pairs} pairs`]),
    ...(openInterest === null ? [] : [`open interest ${openInterest}`]),
    ...(edge === null ? [] : [`prices differ by up to ${edge}`]),
  ]
  const [example] = examples
  const [last] = decisions
  return [
    facts.join(', '),
    `  ${a}`,
    `  ${b}`,
    ...(last?.applies === true ? [`decided: ${last.relation} by ${last.decidedBy}, ${last.decidedAt}`] : []),
    ...(example === undefined
      ? []
      : [`${example.a.venue}:${example.a.marketId}  ${example.b.venue}:${example.b.marketId}`]),
    ...(example?.fields.flatMap(shownField) ?? []),
  ]
}

const shownField = ({ field, a, b, equal }: ReviewedField): string[] =>
  equal
    ? [`  ${field.padEnd(11)} = ${cut(a)}`]
    : [`  ${field.padEnd(11)} 1 ${cut(a)}`, `  ${''.padEnd(11)} 2 ${cut(b)}`]

function cut(text: string | null): string {
  const line = text?.replaceAll(/\s+/g, ' ') ?? '-'
  return line.length <= shownRules ? line : `${line.slice(0, shownRules)} …`
}

/** A reason is optional here: both texts are kept with the decision. */
function deciderOf({ reason, by }: ReviewOptions): Decider & { reason: string | undefined } {
  const word = readWord({ reason: reason ?? 'review', ...(by === undefined ? {} : { by }) })
  return { by: word.setBy, recordedBy: word.setBy, reason: reason === undefined ? undefined : word.reason }
}

/** A run may have dropped the pair while it was shown: null then. */
async function ifListed<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return null
    throw error
  }
}

const relationNamed = (word: string): MatchRelation | undefined =>
  matchRelations.find((relation) => relation === word.trim().toLowerCase())

function readRelation(word: string): MatchRelation {
  const relation = relationNamed(word)
  if (relation === undefined)
    throw new Fault('VALIDATION_ERROR', `relation must be one of ${matchRelations.join(', ')}`)
  return relation
}

function limitOf({ limit = '30' }: ReviewOptions): number {
  const count = Number(limit)
  if (!Number.isInteger(count) || count < 1 || count > limitMax)
    throw new Fault('VALIDATION_ERROR', `limit must be a whole number from 1 to ${limitMax}`)
  return count
}
