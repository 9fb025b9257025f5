// Written forms of offices, parties, prizes and acts, normalized to one form each before words are compared.
import { rewritten } from '../patternFilter.ts'
import { economyForms } from './knowledge/economy.ts'
import { quotedForms } from './knowledge/quoted.ts'
import { forms, offices } from './knowledge/shortForms.ts'

const table = [...offices, ...forms, ...economyForms, ...quotedForms]

export const unified = (words: string): string => rewritten(words, table)
