// Evaluates labelled pairs and hard negatives with each family left out in turn: with the templates that other families show, and with
// simulated judges for what remains open.
import { compareQuestions } from '#matching/compare/compare'
import { secondOpinion } from '#matching/decide/templates/secondOpinion'
import { type TemplateDecision, TemplateDecisions, textsOf } from '#matching/decide/templates/templateDecision'
import { type TemplatePair, templatePairOf } from '#matching/decide/templates/templatePair'
import type { MatchResult } from '#matching/match'
import type { MatchInput } from '#matching/read/input'
import { readQuestion } from '#matching/read/parsedMarket'
import type { Question } from '#matching/read/question'
import type { MatchRelation } from '#schemas/matches'
import type { LabelledPair } from '../labelledPairs.ts'
import { familyOf, isDeveloped } from './families.ts'
import { type HardNegative, hardNegatives, type NegativeKind } from './hardNegatives.ts'
import { bootstrapGroups, bootstrapMean, mean, type Proportion, round, type Share, wilson } from './intervals.ts'
import { isEqual, type JudgeErrors, judgeErrors, type SimulatedJudge, simulatedJudge } from './simulatedJudge.ts'

export interface FamilyOptions {
  /** When the pairs are read, epoch ms. */
  asOf?: number
  /** Shipped decisions: those on texts that only the family under test shows are not used for it. */
  decisions?: readonly TemplateDecision[]
  /** Entries that other sets show, too: they are not left out. */
  otherEntries?: ReadonlySet<string>
  seed?: string
  negativesMax?: number
  /** Runs of a judge that errs, each with another seed. */
  repetitions?: number
  /** Parts of the labelled pairs that are also reported separately. */
  sets?: readonly LabelledSet[]
}

export interface LabelledSet {
  name: string
  pairs: readonly LabelledPair[]
  /** The matcher was developed with this set. */
  developed: boolean
}

/** What is verified, and what of it wrongly. */
export interface Measured {
  /** Equal pairs that are verified. */
  recall: Proportion
  /** The same, resampled by family. */
  recallByFamily: Share
  /** Mean over the families that have equal pairs. */
  familyMean: Share
  /** Labelled pairs that are not equal and yet verified. */
  falseLabelled: Proportion
  /** Hard negatives that are verified, of those in which both sides state what was exchanged. */
  falseNegatives: Proportion
  falsePerKind: Partial<Record<NegativeKind, Proportion>>
  /** The same for the others: without the label, nothing shows that the two differ. */
  falseOneSided: Proportion
  /** Verified equal pairs with a labelled polarity that have the opposite one. */
  wrongPolarity: Proportion
  /** At most 20 that are wrong. */
  examples: string[]
}

export interface Judged extends Measured {
  /** Distinct template pairs given to the judge, counted separately for each family. */
  judgements: { labelled: number; perPair: number; withNegatives: number; undecided: number }
  /** Over all repetitions; `falseShare` is of the labelled pairs that are not equal and of the hard negatives stated by both sides. */
  repetitions: {
    count: number
    falseShare: { mean: number; highest: number }
    recall: { mean: number; lowest: number }
  }
}

export interface SetRow {
  /** How many of its pairs, or pairs of their families, the matcher was developed with. */
  developed: 'all' | 'some' | 'none'
  note?: string
  pairs: number
  equal: number
  families: number
  first: Measured
  withTemplates: Measured
  withPerfectJudge: Measured
}

export interface FamilyRow {
  /** The matcher was developed with other pairs of this family. */
  developed: boolean
  pairs: number
  equal: number
  verified: Proportion
  withPerfectJudge: Proportion
  falseVerified: number
  templates: number
  judgements: number
}

export interface TemplateRow {
  /** Null: the pair reduces to none. */
  texts: readonly [string, string] | null
  families: string[]
  pairs: number
  equal: number
  verified: Proportion
  falseVerified: number
  decision: TemplateDecision['source'] | null
  /** Its labels contradict each other, so no decision is right for all of its pairs. */
  mixed: boolean
}

export interface FamilyEvaluation {
  pairs: number
  equal: number
  families: number
  developedFamilies: string[]
  /** `count` and `perKind` are of those in which both sides state what was exchanged. */
  hardNegatives: { count: number; oneSided: number; families: number; perKind: Record<string, number> }
  /** The comparison alone. */
  first: Measured
  /** With the new vetoes and the templates of other families. */
  withTemplates: Measured
  judges: Record<string, Judged>
  /** Without hard negatives. */
  perSet: Record<string, SetRow>
  /** Equal pairs that even a perfect judge leaves open, with what prevents a decision; at most 100. */
  missed: string[]
  perFamily: Record<string, FamilyRow>
  perTemplate: TemplateRow[]
}

/** A labelled pair or a hard negative, as read for the test of its family. */
interface Case {
  pair: LabelledPair
  family: string
  negative: HardNegative | null
  truth: MatchRelation
  template: TemplatePair | null
  first: MatchResult
  /** Without a judge. */
  result: MatchResult
  decided: TemplateDecision['source'] | null
  /** Set if a judge is needed. */
  open: TemplatePair | null
  /** Why no decision may settle the pair. */
  blocked: string | null
  after(decision: TemplateDecision): MatchResult
}

type Results = ReadonlyMap<Case, MatchResult>

export function evaluateFamilies(labelled: readonly LabelledPair[], options: FamilyOptions = {}): FamilyEvaluation {
  const { seed = 'crossbook', negativesMax = 2_000, repetitions = 20 } = options
  const negatives = hardNegatives(labelled, { seed, max: negativesMax })
  const stated = negatives.filter((negative) => negative.stated)
  const cases = casesOf(labelled, negatives, options)
  const own = cases.filter(({ negative }) => negative === null)
  const resultsBy = (of: (each: Case) => MatchResult): Results => new Map(cases.map((each) => [each, of(each)]))
  const first = resultsBy((each) => each.first)
  const withTemplates = resultsBy(({ result }) => result)
  const perfect = decide(cases, simulatedJudge())
  const families = grouped(own, ({ family }) => family)
  return {
    pairs: own.length,
    equal: own.filter(({ truth }) => isEqual(truth)).length,
    families: families.size,
    developedFamilies: [...families]
      .filter(([, rows]) => rows.some(({ pair }) => isDeveloped(pair)))
      .map(([name]) => name),
    hardNegatives: {
      count: stated.length,
      oneSided: negatives.length - stated.length,
      families: new Set(stated.map(({ family }) => family)).size,
      perKind: countsOf(stated.map(({ kind }) => kind)),
    },
    first: measure(cases, first),
    withTemplates: measure(cases, withTemplates),
    judges: Object.fromEntries(
      Object.entries(judgeErrors).map(([name, errors]) => [name, judgedBy(cases, errors, seed, repetitions)]),
    ),
    missed: own
      .filter((each) => isEqual(each.truth) && !isVerified(perfect.results.get(each)!))
      .slice(0, 100)
      .map((each) => `${describe(each)}: ${each.blocked ?? 'the wording of another pair was decided as different'}`),
    perSet: Object.fromEntries(
      (options.sets ?? []).map((set) => [
        set.name,
        setRow(set, own, { first, withTemplates, perfect: perfect.results }),
      ]),
    ),
    perFamily: Object.fromEntries([...families].map(([name, rows]) => [name, familyRow(rows, withTemplates, perfect)])),
    perTemplate: templateRows(own, withTemplates),
  }
}

const truthOf = ({ relation, match, polarity }: LabelledPair): MatchRelation =>
  relation ?? (match ? (polarity === 'inverse' ? 'complement' : 'identity') : 'overlap')

interface ReadPair {
  pair: LabelledPair
  family: string
  negative: HardNegative | null
  a: Question
  b: Question
  template: TemplatePair | null
}

function casesOf(
  labelled: readonly LabelledPair[],
  negatives: readonly HardNegative[],
  options: FamilyOptions,
): Case[] {
  const asOf = options.asOf ?? Date.now()
  const question = (market: MatchInput): Question => readQuestion(market, { asOf })
  const read = (pair: LabelledPair, family: string, negative: HardNegative | null): ReadPair => {
    const [a, b] = [question(pair.a), question(pair.b)]
    return { pair, family, negative, a, b, template: templatePairOf(a, b) }
  }
  const own = labelled.map((pair) => read(pair, familyOf(pair), null))
  const all = [...own, ...negatives.map((negative) => read(negative.pair, negative.family, negative))]
  const entries = familiesBy(own, ({ a, b }) => {
    const name = a.proposition?.frame.name
    return name !== undefined && name === b.proposition?.frame.name ? name : null
  })
  const texts = familiesBy(own, ({ template }) => (template === null ? null : textsOf(template)))
  const settings = new Map<string, { without: ReadonlySet<string>; decisions: TemplateDecisions }>()
  const settingOf = (family: string): { without: ReadonlySet<string>; decisions: TemplateDecisions } => {
    const known = settings.get(family)
    if (known !== undefined) return known
    const onlyIn = (families: ReadonlySet<string> | undefined): boolean => families?.size === 1 && families.has(family)
    const left = [...entries].filter(([name, seen]) => options.otherEntries?.has(name) !== true && onlyIn(seen))
    const setting = {
      without: new Set(left.map(([name]) => name)),
      decisions: new TemplateDecisions(
        (options.decisions ?? []).filter((decision) => !onlyIn(texts.get(textsOf(decision)))),
      ),
    }
    settings.set(family, setting)
    return setting
  }
  return all.map((each) => caseOf(each, settingOf(each.family)))
}

function familiesBy(pairs: readonly ReadPair[], key: (pair: ReadPair) => string | null): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const pair of pairs) {
    const name = key(pair)
    if (name === null) continue
    const known = found.get(name)
    if (known === undefined) found.set(name, new Set([pair.family]))
    else known.add(pair.family)
  }
  return found
}

function caseOf(
  { pair, family, negative, template, ...questions }: ReadPair,
  { without, decisions }: { without: ReadonlySet<string>; decisions: TemplateDecisions },
): Case {
  const stripped = (question: Question): Question =>
    without.has(question.proposition?.frame.name ?? '') ? { ...question, proposition: null } : question
  const [a, b] = [stripped(questions.a), stripped(questions.b)]
  const first = compareQuestions(a, b)
  const { result, open, decision, blocked } = secondOpinion(a, b, first, decisions)
  const known = new Map<MatchRelation, MatchResult>()
  return {
    pair,
    family,
    negative,
    truth: truthOf(pair),
    template,
    first,
    result,
    decided: decision?.source ?? null,
    open,
    blocked,
    after(given) {
      const settled = known.get(given.relation) ?? secondOpinion(a, b, first, new TemplateDecisions([given])).result
      known.set(given.relation, settled)
      return settled
    },
  }
}

interface Decided {
  results: Results
  /** Template pairs that the judge saw. */
  labelled: number
  withNegatives: number
  undecided: number
}

/** The first pair of a template decides for all of its family; labelled pairs come before hard negatives. */
function decide(cases: readonly Case[], judge: SimulatedJudge): Decided {
  const decisions = new Map<string, TemplateDecision | null>()
  const results = new Map<Case, MatchResult>()
  let labelled = 0
  for (const each of cases) {
    if (each.open === null) {
      results.set(each, each.result)
      continue
    }
    const key = `${each.family}\n${each.open.key}`
    let decision = decisions.get(key)
    if (decision === undefined) {
      decision = judge.decide(each.open, each.truth)
      decisions.set(key, decision)
      if (each.negative === null) labelled++
    }
    results.set(each, decision === null ? each.result : each.after(decision))
  }
  return {
    results,
    labelled,
    withNegatives: decisions.size,
    undecided: [...decisions.values()].filter((decision) => decision === null).length,
  }
}

function judgedBy(cases: readonly Case[], errors: JudgeErrors, seed: string, repetitions: number): Judged {
  const errs = Object.keys(errors).length > 0
  const runs = Array.from({ length: errs ? Math.max(1, repetitions) : 1 }, (_, at) =>
    decide(cases, simulatedJudge({ ...errors, seed: `${seed} ${at}` })),
  )
  const counted = runs.map(({ results }) => countsIn(cases, results))
  const falseShares = counted.map(({ wrong, different }) => wrong / Math.max(1, different))
  const recalls = counted.map(({ found, equal }) => found / Math.max(1, equal))
  const [run] = runs as [Decided]
  const pairs = cases.filter(({ negative }) => negative === null).length
  return {
    ...measure(cases, run.results),
    judgements: {
      labelled: run.labelled,
      perPair: round(run.labelled / Math.max(1, pairs)),
      withNegatives: run.withNegatives,
      undecided: run.undecided,
    },
    repetitions: {
      count: runs.length,
      falseShare: { mean: round(mean(falseShares)), highest: round(Math.max(...falseShares)) },
      recall: { mean: round(mean(recalls)), lowest: round(Math.min(...recalls)) },
    },
  }
}

const isVerified = ({ matchBand }: MatchResult): boolean => matchBand === 'verified'

/** A negative that may be the opposite is wrong only if it is verified as the same. */
const isFalse = ({ negative, truth }: Case, result: MatchResult): boolean =>
  isVerified(result) && (negative === null ? !isEqual(truth) : result.polarity !== negative.allowed)

function countsIn(cases: readonly Case[], results: Results): Record<'wrong' | 'different' | 'found' | 'equal', number> {
  const equal = cases.filter(({ truth }) => isEqual(truth))
  const different = cases.filter(({ truth, negative }) => !isEqual(truth) && negative?.stated !== false)
  return {
    wrong: different.filter((each) => isFalse(each, results.get(each)!)).length,
    different: different.length,
    found: equal.filter((each) => isVerified(results.get(each)!)).length,
    equal: equal.length,
  }
}

function measure(cases: readonly Case[], results: Results): Measured {
  const of = (each: Case): MatchResult => results.get(each)!
  const share = (part: readonly Case[], is: (each: Case) => boolean): Proportion =>
    wilson(part.filter(is).length, part.length)
  const own = cases.filter(({ negative }) => negative === null)
  const negatives = cases.filter(({ negative }) => negative?.stated === true)
  const oneSided = cases.filter(({ negative }) => negative?.stated === false)
  const equal = own.filter(({ truth }) => isEqual(truth))
  const perFamily = [...grouped(equal, ({ family }) => family).values()].map((rows) => ({
    part: rows.filter((each) => isVerified(of(each))).length,
    whole: rows.length,
  }))
  const wrong = (each: Case): boolean => isFalse(each, of(each))
  const oriented = equal.filter((each) => each.pair.polarity !== null && isVerified(of(each)))
  const turned = (each: Case): boolean => each.pair.polarity !== of(each).polarity
  return {
    recall: share(equal, (each) => isVerified(of(each))),
    recallByFamily: bootstrapGroups(perFamily),
    familyMean: bootstrapMean(perFamily.map(({ part, whole }) => part / whole)),
    falseLabelled: share(
      own.filter(({ truth }) => !isEqual(truth)),
      wrong,
    ),
    falseNegatives: share(negatives, wrong),
    falsePerKind: Object.fromEntries(
      [...grouped(negatives, ({ negative }) => negative!.kind)].map(([kind, rows]) => [kind, share(rows, wrong)]),
    ),
    falseOneSided: share(oneSided, wrong),
    wrongPolarity: share(oriented, turned),
    examples: [...own.filter(wrong), ...negatives.filter(wrong), ...oriented.filter(turned), ...oneSided.filter(wrong)]
      .slice(0, 20)
      .map(describe),
  }
}

const titlesOf = ({ title, subtitle }: MatchInput): string => [title, subtitle].filter(Boolean).join(' | ')

function describe({ pair, negative, truth, family }: Case): string {
  const why = negative === null ? truth : `${negative.kind} ${negative.change}`
  return `${family}, ${why}: ${titlesOf(pair.a)} || ${titlesOf(pair.b)}`
}

const notes = {
  all: 'developed with these pairs: expect less of others',
  some: 'some of its families were used in development: expect less of others',
} as const

function setRow(
  set: LabelledSet,
  own: readonly Case[],
  results: Record<'first' | 'withTemplates' | 'perfect', Results>,
): SetRow {
  const members = new Set(set.pairs)
  const rows = own.filter(({ pair }) => members.has(pair))
  const known = rows.filter(({ pair }) => set.developed || isDeveloped(pair)).length
  const developed = known === 0 ? 'none' : known === rows.length ? 'all' : 'some'
  return {
    developed,
    ...(developed === 'none' ? {} : { note: notes[developed] }),
    pairs: rows.length,
    equal: rows.filter(({ truth }) => isEqual(truth)).length,
    families: new Set(rows.map(({ family }) => family)).size,
    first: measure(rows, results.first),
    withTemplates: measure(rows, results.withTemplates),
    withPerfectJudge: measure(rows, results.perfect),
  }
}

function familyRow(rows: readonly Case[], withTemplates: Results, perfect: Decided): FamilyRow {
  const equal = rows.filter(({ truth }) => isEqual(truth))
  const verified = (results: Results): Proportion =>
    wilson(equal.filter((each) => isVerified(results.get(each)!)).length, equal.length)
  const distinct = (of: (each: Case) => TemplatePair | null): number =>
    new Set(rows.flatMap((each) => of(each)?.key ?? [])).size
  return {
    developed: rows.some(({ pair }) => isDeveloped(pair)),
    pairs: rows.length,
    equal: equal.length,
    verified: verified(withTemplates),
    withPerfectJudge: verified(perfect.results),
    falseVerified: rows.filter((each) => isFalse(each, withTemplates.get(each)!)).length,
    templates: distinct(({ template }) => template),
    judgements: distinct(({ open }) => open),
  }
}

/** Those with the most pairs first. */
function templateRows(own: readonly Case[], results: Results): TemplateRow[] {
  return [...grouped(own, ({ template }) => template?.key ?? '').values()]
    .map((rows): TemplateRow => {
      const template = rows[0]!.template
      const equal = rows.filter(({ truth }) => isEqual(truth))
      return {
        texts: template === null ? null : [template.a, template.b],
        families: [...new Set(rows.map(({ family }) => family))].sort(),
        pairs: rows.length,
        equal: equal.length,
        verified: wilson(equal.filter((each) => isVerified(results.get(each)!)).length, equal.length),
        falseVerified: rows.filter((each) => isFalse(each, results.get(each)!)).length,
        decision: rows.find(({ decided }) => decided !== null)?.decided ?? null,
        mixed: template !== null && equal.length > 0 && equal.length < rows.length,
      }
    })
    .sort((x, y) => y.pairs - x.pairs)
}

function grouped<T>(rows: readonly T[], by: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(by(row))
    if (group === undefined) groups.set(by(row), [row])
    else group.push(row)
  }
  return groups
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
