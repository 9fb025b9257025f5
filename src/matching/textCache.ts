// Texts that many markets share, read once: the rules of an event, the contest that all its markets are about.
import { type Phrase, phraseOf } from './frames/arguments.ts'
import { type RulesText, readRules } from './rulesText.ts'
import { readSettlement, type Settlement } from './sources.ts'

/** Markets of an event are read consecutively, so that few texts of rules have to be cached. */
const rulesMax = 200
const phrasesMax = 2_000

/** Kept only while markets are read: rules are long. */
export class TextCache {
  private readonly texts = new Map<string, RulesText>()
  private readonly settlements = new Map<string, Settlement>()
  private readonly phrases = new Map<string, Phrase>()

  rules(rules: string): RulesText {
    return readCached(this.texts, rules, rulesMax, () => readRules(rules))
  }

  settlement(rules: string, named: string): Settlement {
    return readCached(this.settlements, `${named}\n\n${rules}`, rulesMax, () => readSettlement(rules, named))
  }

  phrase(words: string): Phrase {
    return readCached(this.phrases, words, phrasesMax, () => phraseOf(words))
  }
}

/** The oldest is evicted when full. */
function readCached<T>(known: Map<string, T>, text: string, max: number, read: () => T): T {
  const before = known.get(text)
  if (before !== undefined) return before
  const found = read()
  known.set(text, found)
  if (known.size > max) known.delete(known.keys().next().value as string)
  return found
}
