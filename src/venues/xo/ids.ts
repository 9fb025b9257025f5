// Markets are numbered, and outcomes have tokens of undocumented form: an outcome is named by both, `1234.5678`, so that it is not mistaken for
// another venue's. Each has a book of its own.
import { ownBook } from '../shared/data/binary.ts'

const form = /^(\d{1,12})\.([0-9A-Za-z]{1,80})$/

export const isMarketId = (text: string): boolean => /^\d{1,12}$/.test(text)
export const isToken = (text: string): boolean => /^[0-9A-Za-z]{1,80}$/.test(text)
export const outcomeIdOf = (marketId: string, token: string): string => `${marketId}.${token}`

/** Null for anything but an outcome of this venue. */
export const tokenOf = (outcomeId: string): string | null => form.exec(outcomeId)?.[2] ?? null
export const bookRef = ownBook((text) => form.test(text))
