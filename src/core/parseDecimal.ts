// The only reader of numbers that callers write as text. `Number` accepts an empty text, ` 5`, `0x10` and `1e3`: typing mistakes that would
// be read as other numbers.
const plain = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/

/** Plain digits, with an optional point and minus; null for anything else. */
export function parseDecimalNumber(text: string): number | null {
  if (!plain.test(text)) return null
  const value = Number(text)
  // Normalizes negative zero.
  return value === 0 ? 0 : value
}
