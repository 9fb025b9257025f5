// Written forms of offices, parties, prizes and acts, normalized to one form each before words are compared.
import { economyForms } from './knowledge/economy.ts'
import { quotedForms } from './knowledge/quoted.ts'
import { forms, offices } from './knowledge/shortForms.ts'

const table = [...offices, ...forms, ...economyForms, ...quotedForms]

/** Any of them: names contain none. */
const any = new RegExp(table.map(([{ source }]) => `(?:${source})`).join('|'))

export function unified(words: string): string {
  if (!any.test(words)) return words
  let text = words
  for (const [pattern, form] of table) text = text.replace(pattern, form)
  return text
}
