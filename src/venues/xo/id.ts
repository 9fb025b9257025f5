// Markets are numbered, and outcomes have tokens whose form is not documented: an outcome is called by both, `1234.5678`, so that nobody takes it for
// another venue's. Each has a book of its own.
import { ownBook } from '../shared/data/binary.ts'

const form = /^(\d{1,12})\.([0-9A-Za-z]{1,80})$/

export const isMarketId = (text: string): boolean => /^\d{1,12}$/.test(text)
export const isToken = (text: string): boolean => /^[0-9A-Za-z]{1,80}$/.test(text)
export const outcomeIdOf = (marketId: string, token: string): string => `${marketId}.${token}`

/** Null for what is no outcome of this venue. */
export const tokenOf = (outcomeId: string): string | null => form.exec(outcomeId)?.[2] ?? null
export const bookRef = ownBook((text) => form.test(text))
