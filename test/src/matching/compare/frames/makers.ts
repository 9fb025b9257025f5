// Two wordings of a proposition for every frame, and what it means: in which of the possible worlds it resolves Yes.
import fc from 'fast-check'
import type { MatchInput } from '#matching/read/input'

/** Meaning of a made-up question. Amounts are in steps of its scale, days are counted from an arbitrary origin. */
export interface Meaning {
  who: string
  /** Which of several occasions of one kind, as a year. */
  occasion: number
  low: number | null
  high: number | null
  /** Wording of the amount. */
  amount: string
  until: number | null
  window: string
  denied: boolean
}

/** Everything that could happen, as far as two questions can distinguish it. */
export interface World {
  /** The winner of each occasion; `some` lists all participants where several are allowed. */
  first: ReadonlyMap<number, string | null>
  some: ReadonlySet<string>
  value: number
  day: number | null
  /** Rank of each person in a list. */
  ranks: ReadonlyMap<string, number>
  /** Highest value up to each day. */
  highest: (day: number | null) => number
}

export interface Maker {
  frame: string
  manners: readonly ((m: Meaning) => Omit<MatchInput, 'venue' | 'marketId'>)[]
  draw: fc.Arbitrary<Meaning>
  yes: (m: Meaning, w: World) => boolean
}

const people = ['Maria Keller', 'Jonas Lindqvist', 'Priya Raman']
const years = [2027, 2031]
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October']
const base: Meaning = {
  who: people[0] as string,
  occasion: 2027,
  low: null,
  high: null,
  amount: '',
  until: null,
  window: '',
  denied: false,
}

const who = fc.constantFrom(...people)
const occasion = fc.constantFrom(...years)
const dayOf = (month: number, day: number): number => Math.round(Date.UTC(2027, month, day) / 86_400_000)

/** A deadline in one of several wordings, or none. */
export const deadline = fc
  .record({
    month: fc.nat(9),
    day: fc.integer({ min: 2, max: 28 }),
    form: fc.constantFrom('by', 'before', 'month', 'none'),
  })
  .map(({ month, day, form }): Pick<Meaning, 'until' | 'window'> => {
    const name = months[month] as string
    if (form === 'none') return { until: null, window: '' }
    if (form === 'by') return { until: dayOf(month, day), window: ` by ${name} ${day}, 2027` }
    if (form === 'before') return { until: dayOf(month, day) - 1, window: ` before ${name.slice(0, 3)} ${day}, 2027` }
    return { until: dayOf(month, 1) - 1, window: ` before ${name} 2027` }
  })

/** An amount on a scale of whole steps, in one of several wordings. */
export const wholeAmount = (unit: string, least: number, most: number): fc.Arbitrary<Partial<Meaning>> =>
  fc
    .record({
      at: fc.integer({ min: least + 2, max: most - 12 }),
      width: fc.integer({ min: 1, max: 8 }),
      form: fc.constantFrom('more', 'above', 'least', 'less', 'most', 'below', 'range'),
    })
    .map(({ at, width, form }): Partial<Meaning> => {
      const n = `${at}${unit}`
      if (form === 'more') return { low: at, amount: `${n} or more` }
      if (form === 'above') return { low: at + 1, amount: `above ${n}` }
      if (form === 'least') return { low: at, amount: `at least ${n}` }
      if (form === 'less') return { high: at - 1, amount: `less than ${n}` }
      if (form === 'most') return { high: at, amount: `${n} or fewer` }
      if (form === 'below') return { high: at - 1, amount: `below ${n}` }
      return { low: at, high: at + width, amount: `${at}-${at + width}${unit}` }
    })

/** Shares in tenths of a percent; a range ends where the next begins, or a tenth below. */
const shareAmount: fc.Arbitrary<Partial<Meaning>> = fc
  .record({
    at: fc.integer({ min: 20, max: 600 }),
    width: fc.integer({ min: 10, max: 80 }),
    form: fc.constantFrom('more', 'above', 'less', 'range', 'toFull', 'fromNone'),
  })
  .map(({ at, width, form }): Partial<Meaning> => {
    // Always written with one decimal: on a scale of whole numbers a bound may mean something else.
    const tenths = (value: number): string => (value / 10).toFixed(1)
    const from = at % 10 === 0 ? at + 1 : at
    if (form === 'more') return { low: from, amount: `${tenths(from)}% or more` }
    if (form === 'above') return { low: from + 1, amount: `more than ${tenths(from)}%` }
    if (form === 'less') return { high: from - 1, amount: `less than ${tenths(from)}%` }
    if (form === 'toFull') return { low: from, amount: `between ${tenths(from)}% and 100%` }
    if (form === 'fromNone') return { high: from, amount: `between 0% and ${tenths(from)}%` }
    const to = from + width
    const end = to % 10 === 0 ? to + 1 : to
    return { low: from, high: end, amount: `between ${tenths(from)}% and ${tenths(end)}%` }
  })

export const inAmount = (m: Meaning, value: number): boolean =>
  (m.low === null || value >= m.low) && (m.high === null || value <= m.high)
export const inWindow = (m: Meaning, day: number | null): boolean =>
  day !== null && (m.until === null || day <= m.until)
const of = (parts: fc.Arbitrary<Partial<Meaning>>): fc.Arbitrary<Meaning> => parts.map((part) => ({ ...base, ...part }))
export const both = (...parts: fc.Arbitrary<Partial<Meaning>>[]): fc.Arbitrary<Meaning> =>
  of(fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Partial<Meaning>))
export const anyPerson = who.map((each) => ({ who: each }))
const when = occasion.map((each) => ({ occasion: each }))
export const title = (text: string, subtitle?: string): Omit<MatchInput, 'venue' | 'marketId'> =>
  subtitle === undefined ? { title: text } : { title: text, subtitle }
const cameFirst = (m: Meaning, w: World): boolean => w.first.get(m.occasion) === m.who

export const makers: readonly Maker[] = [
  {
    frame: 'nominee of a party',
    manners: [
      (m) => title(`Will ${m.who} be the Republican presidential nominee in ${m.occasion}?`),
      (m) => title(`Will ${m.who} win the ${m.occasion} Republican presidential nomination?`),
    ],
    draw: both(anyPerson, when),
    yes: cameFirst,
  },
  {
    frame: 'winner',
    manners: [
      (m) => title(`Will ${m.who} win the ${m.occasion} Kroll Prize?`),
      (m) => title(`Who will win the ${m.occasion} Kroll Prize?`, m.who),
      (m) => title(`Will ${m.who} be the winner of the Kroll Prize in ${m.occasion}?`),
    ],
    draw: both(anyPerson, when),
    yes: cameFirst,
  },
  {
    frame: 'nominated for a prize',
    manners: [
      (m) => title(`Will ${m.who} be nominated for Best Rap Album at the ${m.occasion} Grammys?`),
      (m) => title(`${m.occasion} Grammy nominees for Best Rap Album?`, m.who),
    ],
    draw: both(anyPerson),
    yes: (m, w) => w.some.has(m.who),
  },
  {
    frame: 'vote of one',
    manners: [
      (m) => title(`Will ${m.who} vote for Tomas Herrera?`),
      (m) => title(`Will ${m.who} vote to confirm Tomas Herrera as Secretary of Labor?`),
    ],
    draw: both(anyPerson),
    yes: (m, w) => w.some.has(m.who),
  },
  {
    frame: 'first to leave',
    manners: [
      (m) => title(`Will ${m.who} be the first to leave the Raman Cabinet${m.window}?`),
      (m) => title(`Will ${m.who} be the first person to leave the Raman Cabinet${m.window}?`),
    ],
    draw: both(anyPerson, deadline),
    yes: (m, w) => cameFirst(m, w) && inWindow(m, w.day),
  },
  {
    frame: 'next to hold an office',
    manners: [
      (m) => title(`Will ${m.who} be the next Mayor of Boston${m.window}?`),
      (m) => title(`Will ${m.who} be appointed as the next Mayor of Boston${m.window}?`),
    ],
    draw: both(anyPerson, deadline),
    yes: (m, w) => cameFirst(m, w) && inWindow(m, w.day),
  },
  {
    frame: 'in office',
    manners: [
      (m) =>
        title(
          `Will ${m.who} ${m.denied ? 'remain' : 'no longer be'} Governor of Ohio${m.denied ? m.window.replace(' by', ' through') : m.window}?`,
        ),
    ],
    draw: both(
      deadline.filter(({ until }) => until !== null),
      fc.boolean().map((denied) => ({ denied })),
    ),
    yes: (m, w) => inWindow(m, w.day) !== m.denied,
  },
  {
    frame: 'loses a seat',
    manners: [
      (m) => title(`Will ${m.who} ${m.denied ? 'keep' : 'lose'} her seat in the Ohio election?`),
      (m) => title(`Will ${m.who} ${m.denied ? 'retain' : 'lose'} their seat?`),
    ],
    draw: both(
      anyPerson,
      fc.boolean().map((denied) => ({ denied })),
    ),
    yes: (m, w) => w.some.has(m.who) !== m.denied,
  },
  {
    frame: 'gives up a race',
    manners: [
      (m) => title(`Will ${m.who} drop out of the Ohio governor race?`),
      (m) => title(`Will ${m.who} withdraw from the race for Ohio governor?`),
    ],
    draw: both(anyPerson),
    yes: (m, w) => w.some.has(m.who),
  },
  {
    frame: 'seats won',
    manners: [
      (m) => title(`Will the Harvest Party win ${m.amount} seats in the 2027 Norwegian election?`),
      (m) => title('How many seats will the Harvest Party win in the 2027 Norwegian election?', m.amount),
    ],
    draw: both(wholeAmount('', 20, 90)),
    yes: (m, w) => inAmount(m, w.value),
  },
  {
    frame: 'approval in polls',
    manners: [
      (m) => title(`Will Maria Keller's approval rating be ${m.amount} on May 3, 2027?`),
      (m) => title("What will Maria Keller's approval rating be on May 3, 2027?", m.amount),
    ],
    // A net rating may be negative: that scale has no minimum.
    draw: both(shareAmount.filter(({ amount }) => amount?.startsWith('between 0%') !== true)),
    yes: (m, w) => inAmount(m, w.value),
  },
  {
    frame: 'votes counted',
    manners: [
      (m) => title(`Will ${m.amount} Senators vote to confirm Tomas Herrera as Secretary of Labor?`),
      (m) => title(`Will Tomas Herrera receive ${m.amount} YEA votes in his confirmation vote?`),
      (m) => title(`Will ${m.amount} Senators will vote for Tomas Herrera as Secretary of Labor?`),
    ],
    draw: both(wholeAmount('', 40, 70)),
    // The vote may not take place.
    yes: (m, w) => w.some.size > 0 && inAmount(m, w.value),
  },
  {
    frame: 'ballots until one is elected',
    manners: [
      (m) => title(`Will it take ${m.amount} ballots to elect a Speaker of the House?`),
      (m) => title(`Will the next US Speaker be elected in ${m.amount} ballots?`),
    ],
    draw: both(wholeAmount('', 1, 24)),
    yes: (m, w) => inAmount(m, w.value),
  },
  {
    frame: 'score of critics',
    manners: [
      (m) => title(`"The Long Reef" Rotten Tomatoes score ${m.amount}?`),
      (m) => title(`Will "The Long Reef" Rotten Tomatoes score be ${m.amount}?`),
      (m) => title('The Long Reef Rotten Tomatoes score?', m.amount),
    ],
    draw: both(wholeAmount('', 40, 100)),
    yes: (m, w) => inAmount(m, w.value),
  },
  {
    frame: 'share of the vote',
    manners: [
      (m) => title(`Will ${m.who} get ${m.amount} of the vote in the 2027 Boston mayoral election?`),
      (m) => title(`What share of the vote will ${m.who} get in the 2027 Boston mayoral election?`, m.amount),
    ],
    draw: both(shareAmount),
    yes: (m, w) => inAmount(m, w.value),
  },
  {
    frame: 'margin of victory',
    manners: [
      (m) => title(`Will ${m.who} win by ${m.amount} in Ohio?`),
      (m) => title(`Will ${m.who} win Ohio by ${m.amount}?`),
    ],
    draw: both(shareAmount),
    // Another candidate may win.
    yes: (m, w) => w.some.has(m.who) && inAmount(m, w.value),
  },
  {
    frame: 'price touched',
    manners: [
      (m) => title(`Will Bitcoin hit $${m.low},000${m.window}?`),
      (m) => title(`Will the price of Bitcoin reach $${m.low}k${m.window}?`),
    ],
    draw: both(
      fc.integer({ min: 100, max: 140 }).map((low) => ({ low })),
      deadline.filter(({ until }) => until !== null),
    ),
    yes: (m, w) => w.highest(m.until) >= (m.low as number),
  },
]
