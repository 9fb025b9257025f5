// Texts that many markets share, read once: the rules of an event, the contest that all its markets are about.
import { Cache } from '#core/cache'
import { type Phrase, phraseOf } from '../compare/frames/arguments.ts'
import { type RulesText, readRules } from './rulesText.ts'
import { readSettlement, type Settlement } from './sources.ts'

/** Markets of an event are read consecutively, so that few texts of rules have to be cached. */
const rulesMax = 200
const phrasesMax = 2_000

/** Kept only while markets are read: rules are long. */
export class TextCache {
  private readonly texts = new Cache<RulesText>(rulesMax)
  private readonly settlements = new Cache<Settlement>(rulesMax)
  private readonly phrases = new Cache<Phrase>(phrasesMax)

  rules(rules: string): RulesText {
    return readCached(this.texts, rules, () => readRules(rules))
  }

  settlement(rules: string, named: string): Settlement {
    return readCached(this.settlements, `${named}\n\n${rules}`, () => readSettlement(rules, named))
  }

  phrase(words: string): Phrase {
    return readCached(this.phrases, words, () => phraseOf(words))
  }
}

function readCached<T>(known: Cache<T>, text: string, read: () => T): T {
  const before = known.get(text)
  if (before !== undefined) return before
  const found = read()
  known.set(text, found)
  return found
}
