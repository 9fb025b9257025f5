// Reads the venue's decimal strings. One strict grammar for the JSON.parse path; the byte scanner accepts a subset of it.

/** Powers of ten that a double holds exactly; the quotient of an integer of at most 15 digits by one of them is correctly rounded. */
export const powersOfTen: readonly number[] = Array.from({ length: 16 }, (_, places) => Number(`1e${places}`))

const plainDecimal = /^(?:\d+(?:\.\d+)?|\.\d+)$/
const plainInteger = /^\d{1,15}$/
/** Longest decimal text we read; the venue's have at most about 20 characters. */
const decimalLengthMax = 40

/** A size in shares: a plain non-negative decimal (no sign, no exponent). Null for anything else. */
export function parseSize(text: string): number | null {
  return text.length <= decimalLengthMax && plainDecimal.test(text) ? Number(text) : null
}

/** Epoch milliseconds from the venue's digit string. Null for anything else. */
export function parseMillis(text: string): number | null {
  return plainInteger.test(text) ? Number(text) : null
}
