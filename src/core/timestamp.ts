// Moments as callers write them: ISO, or epoch milliseconds as a number or as digits. Invalid ones get a helpful message.

const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i
/** Latest moment a Date can represent, epoch ms. */
const epochMsMax = 8_640_000_000_000_000
/** As milliseconds these are days of 1970 to 1973; as seconds they are 1973 to 5138, which is what is meant. */
const secondsFrom = 100_000_000
const secondsBefore = 100_000_000_000

export const timestampHelp = 'must be an ISO timestamp or epoch milliseconds'

/** Epoch ms, or an error message. A time without a zone is UTC, wherever the server is. */
export function parseTimestamp(given: string | number, latestMs = epochMsMax): { ms: number } | { refusal: string } {
  const isNumber = typeof given === 'number' || /^\d{1,16}$/.test(given)
  if (isNumber) {
    const ms = Number(given)
    if (ms >= secondsFrom && ms < secondsBefore) {
      return { refusal: 'looks like epoch seconds: it is read as epoch milliseconds' }
    }
    return Number.isInteger(ms) && ms >= 0 && ms <= latestMs ? { ms } : { refusal: timestampHelp }
  }
  const match = iso.exec(given)
  if (match === null) return { refusal: timestampHelp }
  const [, year, month, day, zone] = match
  // Date turns 30 February into 2 March.
  if (Number(month) > 12 || Number(day) > daysOf(Number(year), Number(month))) {
    return { refusal: `is not a real date: ${given.slice(0, 10)}` }
  }
  const ms = Date.parse(given.length === 10 || zone !== undefined ? given : `${given}Z`)
  return ms >= 0 && ms <= latestMs ? { ms } : { refusal: timestampHelp }
}

const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()
