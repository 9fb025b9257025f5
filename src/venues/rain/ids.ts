// Ids of Rain's items here: a pool is its contract's address, a market one of its options, an outcome a side of that: `0x…:3:2` is No of the third.
import { ownBook, withOutcomeSuffix } from '../shared/data/binary.ts'

/** Arbitrum One. */
export const chainId = 42_161
/** Ten seconds of a chain with a single sequencer. */
export const confirmations = 40

const poolForm = /^0x[0-9a-fA-F]{40}$/
/** Options are counted from 1. */
const marketForm = /^(0x[0-9a-fA-F]{40}):([1-9]\d{0,3})$/

export const isPool = (text: string): boolean => poolForm.test(text)
export const isMarketId = (text: string): boolean => marketForm.test(text)

/** As the contracts number the sides. */
export const sides = { yes: 1, no: 2 } as const

export const { idsOf, bookRef } = withOutcomeSuffix({ yes: `:${sides.yes}`, no: `:${sides.no}` }, isMarketId)
/** One book per option, of Yes. */
export const marketBook = ownBook(isMarketId)

export const marketIdOf = (pool: string, option: number): string => `${pool}:${option}`

/** Null for anything but a market of this venue. */
export function optionOf(marketId: string): { pool: string; option: number } | null {
  const [, pool, option] = marketForm.exec(marketId) ?? []
  return pool === undefined ? null : { pool, option: Number(option) }
}
