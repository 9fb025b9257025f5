// Numbers and times for readers. Unknown values are a dash, never a zero.

export const unknown = '—'
type Maybe<T> = T | null | undefined

export interface Format {
  /** Probability in venue format: 0.44. */
  price(value: Maybe<number>): string
  usd(value: Maybe<number>): string
  count(value: Maybe<number>): string
  /** Contracts: from a thousand on without decimals. */
  size(value: Maybe<number>): string
  /** 12.3K */
  compact(value: Maybe<number>): string
  /** A ratio as percent: 0.0125 is 1.25%. */
  percent(value: Maybe<number>): string
  /** With an explicit sign. */
  change(value: Maybe<number>): string
  /** A decimal written as text: two digits after the point, four below 1, and never rounded to zero. */
  decimal(text: Maybe<string>): string
  /** The same with an explicit sign. */
  gain(text: Maybe<string>): string
  /** Milliseconds as ms, s, min, h or d. */
  span(ms: Maybe<number>): string
  /** ISO time or epoch ms. */
  time(at: Maybe<string | number>): string
  date(at: Maybe<string | number>): string
  /** `YYYY-MM-DD` in UTC, so that it is the same day everywhere. */
  day(day: Maybe<string>): string
  /** Date and time. */
  moment(at: Maybe<string | number>): string
  /** The same without seconds: for scheduled times that have only minutes. */
  minute(at: Maybe<string | number>): string
}

export function createFormat(locale?: string): Format {
  const numbers = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, options)
    return (value: Maybe<number>): string =>
      value === null || value === undefined || !Number.isFinite(value) ? unknown : format.format(value)
  }
  const times = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options)
    return (at: Maybe<string | number>): string => {
      if (at === null || at === undefined) return unknown
      const date = new Date(at)
      return Number.isNaN(date.getTime()) ? unknown : format.format(date)
    }
  }
  const decimals = (options: Intl.NumberFormatOptions) => {
    const two = numbers({ ...options, maximumFractionDigits: 2 })
    const four = numbers({ ...options, maximumFractionDigits: 4 })
    const significant = numbers({ ...options, maximumSignificantDigits: 2 })
    return (text: Maybe<string>): string => {
      if (text === null || text === undefined) return unknown
      const value = Number(text)
      const magnitude = Math.abs(value)
      if (magnitude >= 1) return two(value)
      return magnitude === 0 || magnitude >= 0.001 ? four(value) : significant(value)
    }
  }
  const tenths = numbers({ maximumFractionDigits: 1 })
  const hundredths = numbers({ maximumFractionDigits: 2 })
  const whole = numbers({ maximumFractionDigits: 0 })
  return {
    price: numbers({ minimumFractionDigits: 2, maximumFractionDigits: 4 }),
    usd: numbers({ style: 'currency', currency: 'USD', maximumFractionDigits: 2 }),
    count: hundredths,
    size: (value) => (Math.abs(value ?? 0) < 1_000 ? hundredths(value) : whole(value)),
    compact: numbers({ notation: 'compact', maximumFractionDigits: 1 }),
    percent: numbers({ style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    change: numbers({ signDisplay: 'exceptZero', minimumFractionDigits: 2, maximumFractionDigits: 4 }),
    decimal: decimals({}),
    gain: decimals({ signDisplay: 'exceptZero' }),
    span(ms) {
      if (ms === null || ms === undefined || !Number.isFinite(ms)) return unknown
      const [unit, each] = units.find(([, size]) => Math.abs(ms) >= size) ?? units.at(-1)!
      return `${unit === 'ms' ? Math.round(ms) : tenths(ms / each)} ${unit}`
    },
    time: times({ timeStyle: 'medium' }),
    date: times({ dateStyle: 'medium' }),
    day: times({ dateStyle: 'medium', timeZone: 'UTC' }),
    moment: times({ dateStyle: 'medium', timeStyle: 'medium' }),
    minute: times({ dateStyle: 'medium', timeStyle: 'short' }),
  }
}

const units: readonly [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
]

export const format = createFormat()
