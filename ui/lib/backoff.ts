const firstMs = 500
const mostMs = 30_000

/** Delay before attempt `n` (from 0), ms. `random` in [0, 1) keeps many pages from reconnecting at once. */
export const backoffMs = (n: number, random: number): number => Math.min(mostMs, firstMs * 2 ** n) * (0.5 + random / 2)
