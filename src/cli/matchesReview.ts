// `crossbook matches review`: template pairs that need a decision, the most valuable first. At a terminal it asks about one after another;
// decisions apply from the matcher's next run, a few seconds later, and can be exported to and imported from other deployments.
import { readFile } from 'node:fs/promises'
import { type Lines, withRecords } from '#core/commandOutput'
import { Fault } from '#core/fault'
import { plainJson, plainText } from '#core/plainText'
import { createPostgresMatchReview, type MatchReview } from '#matching/decide/review/index'
import { TemplateDecisionSchema } from '#schemas/matchDecisions'
import { type MatchRelation, matchRelations } from '#schemas/matches'
import type { TemplatePairDetails } from '#schemas/matchReview'
import type { Pool } from '#storage/postgres/pool'
import { reviewPrices } from './matchesPrices.ts'
import { deciderOf, limitOf, nextRun, type ReviewOptions, shownField } from './reviewOptions.ts'
import { nothing, tableOf } from './table.ts'
import { type Ask, answerTo, atTerminal } from './terminal.ts'

type Answer = 'same' | 'different' | 'relation' | 'skip' | 'undo' | 'quit'

const pageRows = 500

/** A named template pair is shown or decided; without one it exports, imports, asks at a terminal, or lists. */
export async function matchesReview(pool: Pool, key: string | undefined, options: ReviewOptions): Promise<Lines> {
  const review = createPostgresMatchReview(pool)
  if (options.prices === true) {
    if ([key, options.relation, options.undo, options.export, options.import].some((given) => given !== undefined))
      throw new Fault('VALIDATION_ERROR', '--prices lists pairs of markets: see crossbook matches pin and forbid')
    return reviewPrices(review, options)
  }
  if (key !== undefined) return reviewOne(review, key, options)
  if (options.relation !== undefined || options.undo === true)
    throw new Fault('VALIDATION_ERROR', 'name the template pair: review <key> --relation identity')
  if (options.export === true) return exportDecisions(review)
  if (options.import !== undefined) return importDecisions(review, options.import, options)
  if (options.json === true || !process.stdin.isTTY) return listOpen(review, limitOf(options))
  return atTerminal((ask) => reviewPrompt(review, options, ask))
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
    const answer = await relationOrKey(ask, `${at + 1} of ${pairs.length}, ${shown(pair).join('\n')}\n${keysHelp}`)
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

async function relationOrKey(ask: Ask, text: string): Promise<MatchRelation | 'skip' | 'undo' | 'quit'> {
  const again = 'answer y, n, r, s, u or q: '
  for (let prompt = text; ; prompt = again) {
    const answer = await answerTo(ask, prompt, answers, again)
    if (answer === null) return 'quit'
    if (answer === 'same') return 'identity'
    if (answer === 'different') return 'overlap'
    if (answer !== 'relation') return answer
    const found = relationNamed((await ask(`of the first to the second: ${matchRelations.join(', ')}: `)) ?? '')
    if (found !== undefined) return found
  }
}

const nothingWaits = 'no template pair waits for a decision'

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
