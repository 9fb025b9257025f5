// Decisions on template pairs, by their two texts. An operator's decision is used before a shipped one, and that before a judge's.
import type { TemplateDecision } from '#schemas/matchDecisions'
import type { TemplatePair } from './templatePair.ts'

export type { TemplateDecision } from '#schemas/matchDecisions'

const precedence: Readonly<Record<TemplateDecision['source'], number>> = { operator: 0, shipped: 1, judge: 2 }

export class TemplateDecisions {
  private readonly byTexts = new Map<string, TemplateDecision>()
  /** Whether any of them is that two texts differ. */
  readonly separates: boolean

  constructor(list: readonly TemplateDecision[] = []) {
    for (const decision of list) {
      const texts = textsOf(decision)
      const known = this.byTexts.get(texts)
      if (known === undefined || isPreferred(decision, known)) this.byTexts.set(texts, decision)
    }
    this.separates = [...this.byTexts.values()].some(({ verdict }) => verdict === 'different')
  }

  find(pair: Pick<TemplatePair, 'a' | 'b'>): TemplateDecision | null {
    return this.byTexts.get(textsOf(pair)) ?? null
  }

  /** `texts`: as `textsOf` joins them. */
  has(texts: string): boolean {
    return this.byTexts.has(texts)
  }

  /** Texts of the template pairs that the two decide differently, as `textsOf` joins them. */
  changedFrom(before: TemplateDecisions): ReadonlySet<string> {
    const changed = new Set<string>()
    for (const texts of [...this.byTexts.keys(), ...before.byTexts.keys()]) {
      const [old, now] = [before.byTexts.get(texts), this.byTexts.get(texts)]
      if (old === undefined || now === undefined || !isSame(old, now)) changed.add(texts)
    }
    return changed
  }

  /** Template pairs that are decided. */
  get size(): number {
    return this.byTexts.size
  }
}

/** Both texts as one key. */
export const textsOf = ({ a, b }: { a: string; b: string }): string => `${a}\n${b}`

const isSame = (one: TemplateDecision, other: TemplateDecision): boolean =>
  one.verdict === other.verdict &&
  one.relation === other.relation &&
  one.source === other.source &&
  one.decidedBy === other.decidedBy &&
  one.decidedAt === other.decidedAt

/** Of two decisions of one source the later one counts. */
function isPreferred(one: TemplateDecision, other: TemplateDecision): boolean {
  if (one.source !== other.source) return precedence[one.source] < precedence[other.source]
  return Date.parse(one.decidedAt) >= Date.parse(other.decidedAt)
}
