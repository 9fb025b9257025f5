// Which pairs of markets reduce to which template pair: those without a decision are reported, and when a decision changes, the markets
// of its pairs are compared again.
import type { Question } from '../../read/question.ts'
import { type TemplateDecisions, textsOf } from './templateDecision.ts'
import { type TemplatePair, templatePairOf } from './templatePair.ts'

/** A template pair without a decision. */
export interface OpenTemplatePair {
  pair: TemplatePair
  /** Market keys, at most five; `a` is the market with the first text. */
  examples: readonly { a: string; b: string }[]
  /** Pairs of markets that reduce to it. */
  count: number
}

interface Entry {
  readonly texts: string
  /** The market with the first text. */
  readonly a: string
  readonly b: string
}

/** Pairs beyond this number are not remembered. */
const entriesMax = 100_000
/** Template pairs reported by a run: those with the most pairs of markets. */
export const openMax = 1_000
const examplesMax = 5

export class TemplateIndex {
  private readonly byTexts = new Map<string, Set<Entry>>()
  private readonly byMarket = new Map<string, Set<Entry>>()
  private entries = 0

  /** `a` and `b`: keys of the two questions, in the order in which they were reduced. */
  add(pair: TemplatePair, a: string, b: string): void {
    if (this.entries >= entriesMax) return
    const texts = textsOf(pair)
    const entry: Entry = pair.turned ? { texts, a: b, b: a } : { texts, a, b }
    put(this.byTexts, texts, entry)
    put(this.byMarket, a, entry)
    put(this.byMarket, b, entry)
    this.entries++
  }

  /** Forgets the pairs of markets that are gone or are about to be compared again. */
  drop(keys: Iterable<string>): void {
    for (const key of keys) {
      for (const entry of this.byMarket.get(key) ?? []) {
        take(this.byTexts, entry.texts, entry)
        take(this.byMarket, entry.a === key ? entry.b : entry.a, entry)
        this.entries--
      }
      this.byMarket.delete(key)
    }
  }

  clear(): void {
    this.byTexts.clear()
    this.byMarket.clear()
    this.entries = 0
  }

  /** One market of every pair that reduces to these texts. */
  marketsOf(texts: string): string[] {
    return [...(this.byTexts.get(texts) ?? [])].map(({ a }) => a)
  }

  /** Those without a decision, the most frequent first. */
  open(decisions: TemplateDecisions, questionOf: (key: string) => Question): OpenTemplatePair[] {
    return [...this.byTexts]
      .filter(([texts]) => !decisions.has(texts))
      .sort(([x, one], [y, other]) => other.size - one.size || (x < y ? -1 : 1))
      .slice(0, openMax)
      .flatMap(([, entries]): OpenTemplatePair[] => {
        const sorted = [...entries].sort((x, y) => (x.a < y.a || (x.a === y.a && x.b < y.b) ? -1 : 1))
        const examples = sorted.slice(0, examplesMax).map(({ a, b }) => ({ a, b }))
        const [first] = examples
        const pair = first === undefined ? null : templatePairOf(questionOf(first.a), questionOf(first.b))
        return pair === null ? [] : [{ pair, examples, count: entries.size }]
      })
  }
}

function put(map: Map<string, Set<Entry>>, key: string, entry: Entry): void {
  const set = map.get(key)
  if (set === undefined) map.set(key, new Set([entry]))
  else set.add(entry)
}

function take(map: Map<string, Set<Entry>>, key: string, entry: Entry): void {
  const set = map.get(key)
  if (set === undefined) return
  set.delete(entry)
  if (set.size === 0) map.delete(key)
}
