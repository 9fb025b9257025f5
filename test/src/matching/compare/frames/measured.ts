// Makers of measured values: prices, rates, figures, counts, ranks.
import fc from 'fast-check'
import type { MatchInput } from '#matching/read/input'
import { anyPerson, both, inAmount, type Maker, type Meaning, title, wholeAmount } from './makers.ts'

/** Prices between two round ones are odd numbers, so that an inclusive bound differs from an exclusive one. Even ones are round. */
const price: fc.Arbitrary<Partial<Meaning>> = fc
  .record({
    at: fc.integer({ min: 700, max: 760 }),
    width: fc.integer({ min: 1, max: 8 }),
    form: fc.constantFrom('above', 'more', 'tick', 'below', 'less', 'tickBelow', 'range', 'tickRange'),
  })
  .map(({ at, width, form }): Partial<Meaning> => {
    const dollars = (value: number): string => `$${(value * 100).toLocaleString('en-US')}`
    const tick = (value: number): string => `$${(value * 100 - 0.01).toFixed(2)}`
    const [low, high] = [at * 2, (at + width) * 2]
    if (form === 'above') return { low: low + 1, amount: `above ${dollars(at)}` }
    if (form === 'more') return { low, amount: `${dollars(at)} or above` }
    if (form === 'tick') return { low, amount: `above ${tick(at)}` }
    if (form === 'below') return { high: low - 1, amount: `below ${dollars(at)}` }
    if (form === 'less') return { high: low, amount: `${dollars(at)} or below` }
    if (form === 'tickBelow') return { high: low - 1, amount: `${tick(at)} or below` }
    if (form === 'range') return { low, high: high - 1, amount: `between ${dollars(at)} and ${dollars(at + width)}` }
    return { low, high: high - 1, amount: `between ${dollars(at)} and ${tick(at + width)}` }
  })

/** Changes in basis points; without a number, any change. */
const change: fc.Arbitrary<Partial<Meaning>> = fc
  .record({
    by: fc.constantFrom(25, 50, 75),
    up: fc.boolean(),
    form: fc.constantFrom('exact', 'least', 'above', 'any', 'none'),
  })
  .map(({ by, up, form }): Partial<Meaning> => {
    if (form === 'none') return { low: 0, high: 0, denied: up, amount: 'none' }
    const [least, most, amount] =
      form === 'exact'
        ? [by, by, ` by ${by} bps`]
        : form === 'least'
          ? [by, null, ` by ${by}+ bps`]
          : form === 'above'
            ? [by + 1, null, ` by >${by}bps`]
            : [1, null, '']
    return up
      ? { low: least, high: most, amount }
      : { low: most === null ? null : -most, high: -least, amount, who: 'down' }
  })

const verbs = (m: Meaning, up: string, down: string): string => (m.who === 'down' ? down : up)

/** Tenths of a percent, each published as such. */
const tenths: fc.Arbitrary<Partial<Meaning>> = fc
  .record({
    at: fc.integer({ min: 11, max: 60 }),
    width: fc.integer({ min: 1, max: 8 }),
    form: fc.constantFrom('exact', 'more', 'above', 'less', 'below', 'range'),
  })
  .map(({ at, width, form }): Partial<Meaning> => {
    const n = (value: number): string => (value / 10).toFixed(1)
    if (form === 'exact') return { low: at, high: at, amount: `${n(at)}%` }
    if (form === 'more') return { low: at, amount: `${n(at)}% or more` }
    if (form === 'above') return { low: at + 1, amount: `above ${n(at)}%` }
    if (form === 'less') return { high: at, amount: `at most ${n(at)}%` }
    if (form === 'below') return { high: at - 1, amount: `less than ${n(at)}%` }
    return { low: at, high: at + width, amount: `between ${n(at)}% and ${n(at + width)}%` }
  })

/** "#3" is one rank, "top 3" are three; ranks start at 1. */
const place: fc.Arbitrary<Partial<Meaning>> = fc
  .record({ at: fc.integer({ min: 1, max: 9 }), top: fc.boolean() })
  .map(({ at, top }) => ({ low: top || at === 1 ? null : at, high: at, amount: top ? `top ${at} in` : `#${at} in` }))

const inRange = (m: Meaning, w: Parameters<Maker['yes']>[1]): boolean => inAmount(m, w.value)
const may = 'on May 3, 2027 at 5pm ET'
const question = (text: string): Omit<MatchInput, 'venue' | 'marketId'> => title(text)

export const measured: readonly Maker[] = [
  {
    frame: 'price at a time',
    manners: [
      (m) => question(`Will the price of Bitcoin be ${m.amount} ${may}?`),
      (m) => question(`Will BTC be ${m.amount} ${may}?`),
      (m) => title(`Bitcoin price ${may}?`, m.amount),
      (m) => title(`Bitcoin price range ${may}?`, m.amount),
    ],
    draw: both(price),
    yes: inRange,
  },
  {
    frame: 'price at the close',
    manners: [
      (m) => question(`Will Nvidia (NVDA) close ${m.amount} on May 3, 2027?`),
      (m) => question(`Will the price of Nvidia settle ${m.amount} on May 3, 2027?`),
    ],
    draw: both(price),
    yes: inRange,
  },
  {
    frame: 'rate decision',
    manners: [
      (m) =>
        m.amount === 'none'
          ? question('Will there be no change in Fed interest rates after the May 2027 meeting?')
          : question(
              `Will the Fed ${verbs(m, 'increase', 'decrease')} interest rates${m.amount} after the May 2027 meeting?`,
            ),
      (m) =>
        m.amount === 'none'
          ? question('Will the Federal Reserve hike rates by 0bps at their May 2027 meeting?')
          : question(`Will the Federal Reserve ${verbs(m, 'hike', 'cut')} rates${m.amount} at their May 2027 meeting?`),
    ],
    draw: both(change).map((m) => ({ ...m, denied: false })),
    yes: inRange,
  },
  {
    frame: 'figure of an economy',
    manners: [
      (m) => question(`Will the US unemployment rate be ${m.amount} in May 2027?`),
      (m) => title('Unemployment rate in May 2027?', m.amount),
    ],
    draw: both(tenths),
    yes: inRange,
  },
  {
    frame: 'count',
    manners: [
      (m) => question(`Will Maria Keller post ${m.amount} tweets in May 2027?`),
      (m) => title('How many tweets will Maria Keller post in May 2027?', m.amount),
    ],
    draw: both(wholeAmount('', 20, 90)),
    yes: inRange,
  },
  {
    frame: 'rank',
    manners: [
      (m) => question(`Will ${m.who} be ${m.amount} the Billboard Hot 100 on May 3, 2027?`),
      (m) => question(`Will ${m.who} rank ${m.amount} the Billboard Hot 100 on May 3, 2027?`),
    ],
    draw: both(anyPerson, place),
    yes: (m, w) => inAmount(m, w.ranks.get(m.who) ?? Number.POSITIVE_INFINITY),
  },
]
