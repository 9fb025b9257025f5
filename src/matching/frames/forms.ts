// Written forms of offices, parties, prizes and acts, put into one form each before words are compared.
import { economyForms } from './knowledge/economy.ts'
import { quotedForms } from './knowledge/quoted.ts'
import { forms, offices } from './knowledge/shortForms.ts'

const table = [...offices, ...forms, ...economyForms, ...quotedForms]

export function unified(words: string): string {
  let text = words
  for (const [pattern, form] of table) text = text.replace(pattern, form)
  return text
}
