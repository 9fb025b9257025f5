// One reader of numbers that callers write as text. `Number` takes an empty text, ` 5`, `0x10` and `1e3`: slips that would be answered as something else.
const plain = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/

/** Digits as a person writes them, with a point and a minus where there is one; null for everything else. */
export function plainNumber(text: string): number | null {
  if (!plain.test(text)) return null
  const value = Number(text)
  // A zero has no sign here.
  return value === 0 ? 0 : value
}
