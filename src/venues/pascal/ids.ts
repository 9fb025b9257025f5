// The form of a Pascal symbol: its event, a dot, its outcome. It has one book, of YES; NO is that book seen from the other side, just as a position
// below zero is at the venue.
import { withOutcomeSuffix } from '../shared/data/binary.ts'

/** At most 32 bytes, as an order signs it. */
const form = /^(?=.{3,32}$)([A-Za-z][A-Za-z0-9_]*)\.[A-Za-z0-9_]+$/
export const isSymbol = (text: string): boolean => form.test(text)

/** `ME_SEN_2026` of `ME_SEN_2026.REP`. */
export const eventOf = (symbol: string): string => form.exec(symbol)?.[1] ?? symbol
export const isEvent = (text: string): boolean => /^[A-Za-z][A-Za-z0-9_]{0,29}$/.test(text)

export const { idsOf, bookRef } = withOutcomeSuffix({ yes: '', no: '-NO' }, isSymbol)
