// Amounts in titles and queries: "100k", "$100,000", "100 thousand" and "100000" are one number.

const powers: Readonly<Record<string, number>> = {
  k: 3,
  thousand: 3,
  m: 6,
  mm: 6,
  mn: 6,
  mil: 6,
  million: 6,
  b: 9,
  bn: 9,
  billion: 9,
  t: 12,
  tn: 12,
  trillion: 12,
}

/** A letter must follow its digits directly ("5 m" may be metres); a word may be separated by a space. */
const amount =
  /(?<![\p{L}\p{N}.,])(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d{1,12}))?(?:(k|m|mm|mn|b|bn|t|tn|mil)|[ -]?(thousand|million|billion|trillion))?(?![\p{L}\p{N}]|[.,]\d)/giu

export interface Amount {
  /** Digits of a whole number. */
  digits: string
  /** Place of its text. */
  start: number
  end: number
}

/** Whole numbers of at least 1,000, wherever they are written with a separator or a unit, or plainly. */
export function amountsOf(text: string): Amount[] {
  // Most titles have no digit.
  if (!/\d/.test(text)) return []
  const found: Amount[] = []
  for (const match of text.matchAll(amount)) {
    const [all, whole = '', fraction = '', letters, word] = match
    const power = powers[(letters ?? word ?? '').toLowerCase()] ?? 0
    const decimals = fraction.replace(/0+$/, '')
    if (decimals.length > power) continue
    const digits = `${whole.replaceAll(',', '')}${decimals.padEnd(power, '0')}`.replace(/^0+/, '')
    if (digits.length >= 4) found.push({ digits, start: match.index, end: match.index + all.length })
  }
  return found
}
