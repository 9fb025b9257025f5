// Writes data/templates.jsonl: one decision for each template pair of the labelled sets that may be redistributed. Lines that exist are kept.
//
//   node test/support/matching/seedTemplates.ts --by <name> [--write]
//
// A template is text of the recording it comes from, even with its names replaced. Sets without a licence, or with one that binds those
// who copy them, are therefore never read.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { typedContradiction } from '#matching/compare/typedFields/typedContradictions'
import { vetoOf, vetoOfUndated } from '#matching/compare/typedFields/vetoes'
import { parseDecisions, shippedFile } from '#matching/decide/templates/shippedDecisions'
import { type TemplateDecision, textsOf } from '#matching/decide/templates/templateDecision'
import { templatePairOf } from '#matching/decide/templates/templatePair'
import { readQuestion } from '#matching/read/parsedMarket'
import type { MatchRelation } from '#schemas/matches'
import { sharedFixture } from '../fixtures.ts'
import { csvRows, type LabelledPair, readPairs } from '../labelledPairs.ts'

/** Evidence per decision. */
const evidenceMax = 5

/** Licences that permit copies with attribution alone: not CC BY-SA, CC BY-NC, or none. */
export const isRedistributable = (licence: string): boolean =>
  /^(?:MIT|CC0(?:[ -]1\.0)?|CC BY(?: [34]\.0)?)(?: \(|$)/.test(licence)

/** Paths of the labelled sets that may be used, relative to the manifest. */
export function labelledSets(manifest: string): string[] {
  return csvRows(manifest)
    .filter(({ kind, licence }) => kind === 'labels' && isRedistributable(String(licence)))
    .map(({ file }) => String(file))
}

export interface Seeds {
  decisions: TemplateDecision[]
  /** Texts of template pairs whose labels contradict each other. */
  contradictory: string[]
  /** Labelled pairs that typed fields or a veto decide, or that share nothing. */
  left: number
}

/** Labels that agree on every pair of a template pair are a decision on it. */
export function decisionsOf(
  pairs: readonly { pair: LabelledPair; name: string }[],
  { decidedAt, decidedBy }: Pick<TemplateDecision, 'decidedAt' | 'decidedBy'>,
): Seeds {
  const found = new Map<string, TemplateDecision | null>()
  let left = 0
  for (const { pair, name } of pairs) {
    const [a, b] = [readQuestion(pair.a), readQuestion(pair.b)]
    const template = templatePairOf(a, b)
    const blocked = typedContradiction(a, b) ?? vetoOf(a, b)
    if (template === null || blocked !== null || vetoOfUndated(a, b, template) !== null) {
      left++
      continue
    }
    const relation = turnedIf(template.turned, relationOf(pair))
    const texts = textsOf(template)
    const known = found.get(texts)
    const evidence = `${name}: ${pair.a.marketId}, ${pair.b.marketId}`
    if (known === undefined)
      found.set(texts, {
        a: template.a,
        b: template.b,
        verdict: relation === 'identity' || relation === 'complement' ? 'same' : 'different',
        relation,
        reasons: [{ field: 'wording', reason: 'all labelled pairs with these texts have this relation' }],
        evidence: [evidence],
        decidedAt,
        decidedBy,
        source: 'shipped',
      })
    else if (known !== null && known.relation !== relation) found.set(texts, null)
    else if (known !== null && known.evidence.length < evidenceMax)
      found.set(texts, { ...known, evidence: [...known.evidence, evidence] })
  }
  return {
    decisions: [...found.values()].filter((decision) => decision !== null),
    contradictory: [...found].flatMap(([texts, decision]) => (decision === null ? [texts] : [])),
    left,
  }
}

const relationOf = ({ match, polarity, relation }: LabelledPair): MatchRelation =>
  relation ?? (!match ? 'overlap' : polarity === 'inverse' ? 'complement' : 'identity')

const turns: Partial<Record<MatchRelation, MatchRelation>> = { subset: 'superset', superset: 'subset' }
const turnedIf = (turned: boolean, relation: MatchRelation): MatchRelation =>
  turned ? (turns[relation] ?? relation) : relation

/** Lines that exist come first and keep their order. */
export function merged(existing: readonly TemplateDecision[], added: readonly TemplateDecision[]): TemplateDecision[] {
  const known = new Set(existing.map(textsOf))
  const sorted = added.filter((decision) => !known.has(textsOf(decision)))
  return [...existing, ...sorted.sort((x, y) => (textsOf(x) < textsOf(y) ? -1 : 1))]
}

function main(): void {
  const { values } = parseArgs({ options: { by: { type: 'string' }, write: { type: 'boolean', default: false } } })
  const manifest = sharedFixture('MANIFEST.csv')
  if (manifest === null) throw new Error('no shared recordings next to the project')
  if (values.by === undefined) throw new Error('--by <name>: who reviews the decisions')
  const sets = labelledSets(readFileSync(manifest, 'utf8'))
  const pairs = sets.flatMap((name) => {
    const path = sharedFixture(name)
    return path === null ? [] : readPairs(path).map((pair) => ({ pair, name }))
  })
  const { decisions, contradictory, left } = decisionsOf(pairs, {
    decidedAt: new Date().toISOString(),
    decidedBy: values.by,
  })
  const lines = merged(parseDecisions(readFileSync(shippedFile, 'utf8')), decisions)
  const counts = { sets, pairs: pairs.length, left, contradictory, decisions: decisions.length, lines: lines.length }
  process.stdout.write(`${JSON.stringify(counts, null, 2)}\n`)
  if (values.write) writeFileSync(shippedFile, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main()
