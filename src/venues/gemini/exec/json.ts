// JSON whose whole numbers keep every digit: order ids have 17 or 18, and a double forgets the last ones.

/** Whole numbers beyond 2^53 come out as strings of digits. Undefined when the text is no JSON. */
export function parseExact(text: string): unknown {
  try {
    return JSON.parse(text, exact)
  } catch {
    return undefined
  }
}

/** The third argument carries the literal as it stood (ES2025 source text access). */
function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const { source } = context ?? {}
  return source !== undefined && /^-?\d+$/.test(source) ? source : value
}
