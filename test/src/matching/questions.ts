// Made-up questions in the wording of two venues, built from parameters. The metamorphic tests change one parameter at a time.
import fc from 'fast-check'
import type { MatchInput } from '#matching/read/input'

type Values = Record<string, string | number>

export interface Template {
  name: string
  /** Values of every parameter; two different values give two different questions. */
  parameters: Readonly<Record<string, readonly (string | number)[]>>
  /** The two wordings; both mean the same. */
  manners: readonly [
    (v: Values) => Omit<MatchInput, 'venue' | 'marketId'>,
    (v: Values) => Omit<MatchInput, 'venue' | 'marketId'>,
  ]
}

const people = ['Maria Keller', 'Jonas Lindqvist', 'Priya Raman', 'Tomas Herrera', 'Aisha Bello', 'Viktor Novak']
const months = ['January', 'February', 'April', 'June', 'July', 'September', 'October', 'November']
const short = (month: string | number | undefined): string => String(month).slice(0, 3)
const grouped = (amount: string | number | undefined): string => Number(amount).toLocaleString('en-US')

export const templates: readonly Template[] = [
  {
    name: 'house race',
    parameters: {
      party: ['Republican', 'Democratic'],
      state: ['TX', 'CA', 'OH', 'VA'],
      district: [2, 5, 17, 23],
      year: [2026, 2028],
    },
    manners: [
      (v) => ({
        title: `Will ${v.party} win the House race for ${v.state}-${v.district}?`,
        closeTime: `${v.year}-11-05T00:00:00Z`,
        rules: `Elections of ${v.year}.`,
      }),
      (v) => ({
        title: `Will the ${v.party} Party win the ${v.state}-${String(v.district).padStart(2, '0')} House seat in ${v.year}?`,
        closeTime: `${v.year}-11-03T00:00:00Z`,
      }),
    ],
  },
  {
    name: 'governor',
    parameters: {
      party: ['Republican', 'Democratic'],
      state: ['Ohio', 'New Mexico', 'West Virginia', 'Virginia', 'Texas'],
      office: ['governor', 'lieutenant governor', 'attorney general'],
      year: [2026, 2028],
    },
    manners: [
      (v) => ({ title: `Will the ${v.party} party win the ${v.office} race in ${v.state} in ${v.year}?` }),
      (v) => ({
        title: `Will the ${v.party === 'Republican' ? 'Republicans' : 'Democrats'} win the ${v.state} ${v.office} election in ${v.year}?`,
      }),
    ],
  },
  {
    name: 'nominee',
    parameters: { person: people, party: ['Republican', 'Democratic'], year: [2028, 2032] },
    manners: [
      (v) => ({ title: `Will ${v.person} be the ${v.party} Presidential nominee in ${v.year}?` }),
      (v) => ({ title: `Will ${v.person} win the ${v.year} ${v.party} presidential nomination?` }),
    ],
  },
  {
    name: 'award',
    parameters: {
      person: people,
      award: ['AL Cy Young', 'NL Cy Young', 'AL MVP', 'NL Rookie of the Year'],
      year: [2026, 2027],
    },
    manners: [
      (v) => ({ title: `Who will win the ${v.year} ${v.award}?`, subtitle: String(v.person) }),
      (v) => ({ title: `Will ${v.person} win the ${v.year} ${v.award} Award?` }),
    ],
  },
  {
    name: 'stage of a cup',
    parameters: {
      country: ['Brazil', 'Japan', 'Senegal', 'Norway'],
      stage: ['final', 'semifinals', 'quarterfinals', 'round of 16'],
      year: [2026, 2030],
    },
    manners: [
      (v) => ({ title: `Will ${v.country} qualify for the ${v.stage} at the ${v.year} FIFA World Cup?` }),
      (v) => ({ title: `Will ${v.country} reach the ${v.year} Men's World Cup ${v.stage}?` }),
    ],
  },
  {
    name: 'deadline',
    parameters: {
      person: people,
      act: ['arrested', 'impeached', 'indicted', 'pardoned'],
      month: months,
      year: [2026, 2027],
    },
    manners: [
      (v) => ({ title: `Will ${v.person} be ${v.act} by ${v.month} 28, ${v.year}?` }),
      (v) => ({ title: `${v.person} ${v.act} by ${short(v.month)} 28, ${v.year}?` }),
    ],
  },
  {
    name: 'price strike',
    parameters: {
      asset: ['Bitcoin', 'Ethereum', 'Solana'],
      side: ['above', 'below'],
      strike: [1500, 58000, 60000, 60500],
      month: months,
      day: [1, 12, 25],
      hour: [9, 12, 5],
    },
    manners: [
      (v) => ({
        title: `${v.asset} price on ${short(v.month)} ${v.day}, 2026 at ${v.hour}pm ET?`,
        subtitle: `${v.side} $${grouped(v.strike)}`,
        rules: 'Settles to the BRTI of CF Benchmarks.',
      }),
      (v) => ({
        title: `Will the price of ${v.asset} be ${v.side} $${grouped(v.strike)} on ${v.month} ${v.day}, 2026, ${v.hour}:00 PM ET?`,
        rules: 'According to the CF Benchmarks Real-Time Index.',
      }),
    ],
  },
  {
    name: 'weather',
    parameters: {
      city: ['Houston', 'Seattle', 'Miami'],
      low: [84, 86, 90],
      day: [3, 4, 5],
      metric: ['highest', 'lowest'],
    },
    manners: [
      (v) => ({
        title: `Will the ${v.metric} temperature in ${v.city} be ${v.low}-${Number(v.low) + 1}° on Aug ${v.day}, 2026?`,
        rules: `National Weather Service Climatological Report at ${v.city} International Airport.`,
      }),
      (v) => ({
        title: `Will the ${v.metric} temperature in ${v.city} be between ${v.low} and ${Number(v.low) + 1}°F on August ${v.day}, 2026?`,
        rules: `As reported by the National Weather Service from ${v.city} International Airport.`,
      }),
    ],
  },
  {
    name: 'count',
    parameters: { count: [1500, 3000, 10000], direction: ['at least', 'at most'], year: [2026, 2027] },
    manners: [
      (v) => ({ title: `Will there be ${v.direction} ${v.count} measles cases in ${v.year}?` }),
      (v) => ({
        title: `${v.direction === 'at least' ? 'At least' : 'At most'} ${grouped(v.count)} measles cases in the US in ${v.year}?`,
      }),
    ],
  },
  {
    name: 'central bank',
    parameters: {
      bank: ['Federal Reserve', 'Bank of England', 'ECB'],
      move: ['cut', 'hike'],
      size: [25, 50],
      month: ['March', 'June', 'September'],
      year: [2026, 2027],
    },
    manners: [
      (v) => ({ title: `Will the ${v.bank} ${v.move} rates by ${v.size}bps at their ${v.month} ${v.year} meeting?` }),
      (v) => ({
        title: `${v.bank} interest rate decision in ${v.month} ${v.year}?`,
        subtitle: `${v.size} bps ${v.move === 'cut' ? 'decrease' : 'increase'}`,
      }),
    ],
  },
  {
    name: 'game',
    parameters: {
      pair: ['Houston Astros|Cincinnati Reds', 'Texas Rangers|Boston Red Sox', 'Chicago Cubs|Chicago White Sox'],
      day: [10, 11, 12],
    },
    manners: [
      (v) => ({
        title: `MLB: ${String(v.pair).replace('|', ' vs ')}`,
        subtitle: String(v.pair).split('|')[0] as string,
        eventTitle: `MLB: ${String(v.pair).replace('|', ' vs ')} on May ${v.day}, 2026`,
        closeTime: `2026-05-${v.day}T23:00:00Z`,
      }),
      (v) => ({
        title: `Will the ${String(v.pair).split('|')[0]} win on 2026-05-${v.day}?`,
        eventTitle: `${String(v.pair).replace('|', ' vs. ')}`,
      }),
    ],
  },
  {
    name: 'spread',
    parameters: { team: ['Getafe', 'Como', 'Fulham'], margin: [1.5, 2.5, 3.5], day: [14, 15] },
    manners: [
      (v) => ({
        title: `${v.team} wins by over ${v.margin} goals?`,
        eventTitle: `${v.team} vs Mallorca: Spread on May ${v.day}, 2026`,
      }),
      (v) => ({
        title: `Spread: ${v.team} (-${v.margin})`,
        eventTitle: `${v.team} vs. Mallorca on May ${v.day}, 2026`,
      }),
    ],
  },
]

export interface Drawn {
  template: Template
  values: Values
}

export const drawn: fc.Arbitrary<Drawn> = fc
  .constantFrom(...templates)
  .chain((template) =>
    fc
      .record(
        Object.fromEntries(
          Object.entries(template.parameters).map(([name, values]) => [name, fc.constantFrom(...values)]),
        ),
      )
      .map((values) => ({ template, values: values as Values })),
  )

/** The same question with exactly one parameter changed. */
export const changed: fc.Arbitrary<Drawn & { other: Values; parameter: string }> = drawn.chain((each) =>
  fc
    .constantFrom(...Object.keys(each.template.parameters))
    .chain((parameter) =>
      fc
        .constantFrom(
          ...(each.template.parameters[parameter] as readonly (string | number)[]).filter(
            (value) => value !== each.values[parameter],
          ),
        )
        .map((value) => ({ ...each, parameter, other: { ...each.values, [parameter]: value } })),
    ),
)

export const market = ({ template, values }: Drawn, manner: 0 | 1, venue: string): MatchInput => ({
  venue,
  marketId: `${template.name.replaceAll(' ', '_')}.${manner}`,
  ...template.manners[manner](values),
})
