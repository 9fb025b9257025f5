// Kalshi's number formats: dollars with four decimals, contract counts with two, RFC 3339 times.

const dollarTexts = Array.from({ length: 1001 }, (_, milli) => (milli / 1000).toFixed(4))

/** `0.4100` from micros. */
export const dollars = (micros: number): string => dollarTexts[micros / 1000] ?? (micros / 1_000_000).toFixed(4)

/** `12.00` from hundredths of a contract. */
export const countText = (hundredths: number): string => (hundredths / 100).toFixed(2)

export const rfc3339 = (ms: number): string => new Date(ms).toISOString()

export const structures = { cent: 'linear_cent', milli: 'deci_cent', tapered: 'tapered_deci_cent' } as const
