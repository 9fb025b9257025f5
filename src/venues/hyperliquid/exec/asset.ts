// How HIP-4 names an outcome's side: one number, three spellings.
// https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/asset-ids

export type Side = 'YES' | 'NO'

const assetBase = 100_000_000

/** 10 × outcome + side; side 0 is the first entry of `sideSpecs`, which is YES. */
export const encodingOf = (outcome: number, side: Side): number => outcome * 10 + (side === 'YES' ? 0 : 1)

/** Field `a` of an order, `asset` of a cancel by cloid. */
export const assetOf = (encoding: number): number => assetBase + encoding

/** Books, trades, orders and fills. */
export const coinOf = (encoding: number): string => `#${encoding}`

/** Balances. */
export const tokenOf = (encoding: number): string => `+${encoding}`

/** Null when the number belongs to no side. */
export const sideOf = (encoding: number): Side | null => (['YES', 'NO'] as const)[encoding % 10] ?? null

export const encodingOfAsset = (asset: number): number => asset - assetBase
