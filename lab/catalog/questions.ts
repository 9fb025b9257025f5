// The hand-written questions: the shared ones exist on every venue with the same meaning and date.

export interface OutcomeSeed {
  /** Short name inside a group: `Gavin Newsom`, `$150,000 or above`. */
  label: string
  /** The full yes/no question. `{date}` is the resolution date. */
  question: string
  /** Anchor probability. */
  probability: number
  /** Tail of a ticker. */
  code: string
}

export interface EventSeed {
  key: string
  title: string
  category: string
  tags: readonly string[]
  /** Its series, as ticker-based venues name it. */
  series: readonly [ticker: string, title: string]
  /** Days from today's UTC midnight to resolution. */
  endDays: number
  /** Exactly one outcome can be yes. */
  exclusive: boolean
  /** Two outcomes that name the two sides of one market, on venues that list it so. */
  headToHead?: boolean
  /** Every venue lists it, and it stays open. */
  shared?: boolean
  /** Finer ticks than cents, on venues that have such markets. */
  fine?: boolean
  rules: string
  outcomes: readonly OutcomeSeed[]
}

const field = (
  rows: readonly (readonly [label: string, probability: number, code: string])[],
  question: (label: string) => string,
): OutcomeSeed[] => rows.map(([label, probability, code]) => ({ label, question: question(label), probability, code }))

/** Listed on every venue: true cross-venue pairs. */
export const sharedEvents: readonly EventSeed[] = [
  {
    key: 'fed-decision',
    title: 'Fed decision in {month}?',
    category: 'Economics',
    tags: ['Economy', 'Fed'],
    series: ['KXFEDDECISION', 'Fed decision'],
    endDays: 47,
    exclusive: true,
    shared: true,
    rules:
      'resolves by the change in the upper bound of the target federal funds rate after the meeting ending {date}.',
    outcomes: field(
      [
        ['50+ bps decrease', 0.04, 'C26'],
        ['25 bps decrease', 0.57, 'C25'],
        ['No change', 0.36, 'H0'],
        ['25+ bps increase', 0.03, 'H25'],
      ],
      (label) => `Will the Fed decide on "${label}" at its meeting ending {date}?`,
    ),
  },
  {
    key: 'bitcoin-above',
    title: 'Bitcoin above ___ on {date}?',
    category: 'Crypto',
    tags: ['Crypto', 'Bitcoin'],
    series: ['KXBTCD', 'Bitcoin price Above/below'],
    endDays: 31,
    exclusive: false,
    shared: true,
    rules: 'resolves to Yes if the Bitcoin price is above the strike at 12:00 ET on {date}.',
    outcomes: field(
      [
        ['$100,000', 0.82, 'T100000'],
        ['$110,000', 0.63, 'T110000'],
        ['$120,000', 0.41, 'T120000'],
        ['$130,000', 0.22, 'T130000'],
        ['$150,000', 0.06, 'T150000'],
      ],
      (label) => `Will the price of Bitcoin be above ${label} on {date}?`,
    ),
  },
  {
    key: 'us-recession',
    title: 'US recession by {date}?',
    category: 'Economics',
    tags: ['Economy'],
    series: ['KXRECSSNBER', 'Recession'],
    endDays: 160,
    exclusive: false,
    shared: true,
    rules: 'resolves to Yes if two consecutive quarters of negative real GDP growth are reported by {date}.',
    outcomes: [{ label: 'Yes', question: 'Will there be a US recession by {date}?', probability: 0.18, code: 'R' }],
  },
  {
    key: 'democratic-nominee-2028',
    title: 'Democratic Presidential Nominee 2028',
    category: 'Politics',
    tags: ['Politics', 'Elections'],
    series: ['KXPRESNOMD', 'Democratic Presidential nominee'],
    endDays: 750,
    exclusive: true,
    shared: true,
    fine: true,
    rules: 'resolves to Yes if the named person wins and accepts the 2028 nomination of the Democratic Party.',
    outcomes: field(
      [
        ['Gavin Newsom', 0.285, 'GN'],
        ['Alexandria Ocasio-Cortez', 0.112, 'AOC'],
        ['Pete Buttigieg', 0.083, 'PB'],
        ['Josh Shapiro', 0.071, 'JS'],
        ['Jon Ossoff', 0.062, 'JO'],
        ['Gretchen Whitmer', 0.034, 'GW'],
        ['Andy Beshear', 0.028, 'AB'],
      ],
      (label) => `Will ${label} win the 2028 Democratic presidential nomination?`,
    ),
  },
  {
    key: 'government-shutdown',
    title: 'Government shutdown by {date}?',
    category: 'Politics',
    tags: ['Politics'],
    series: ['KXGOVSHUT', 'Government shutdown'],
    endDays: 20,
    exclusive: false,
    shared: true,
    rules: 'resolves to Yes if OPM announces a federal government shutdown due to a lapse in appropriations by {date}.',
    outcomes: [
      { label: 'Yes', question: 'Will there be a US government shutdown by {date}?', probability: 0.44, code: 'S' },
    ],
  },
  {
    key: 'nfl-champion',
    title: 'Pro football champion',
    category: 'Sports',
    tags: ['Sports', 'NFL'],
    series: ['KXSB', 'Pro football championship'],
    endDays: 140,
    exclusive: true,
    shared: true,
    fine: true,
    rules: 'resolves to Yes if the named team wins the championship game of the season ending by {date}.',
    outcomes: field(
      [
        ['Buffalo', 0.142, 'BUF'],
        ['Philadelphia', 0.118, 'PHI'],
        ['Green Bay', 0.094, 'GB'],
        ['Kansas City', 0.091, 'KC'],
        ['Baltimore', 0.081, 'BAL'],
        ['Detroit', 0.079, 'DET'],
      ],
      (label) => `Will ${label} win the pro football championship?`,
    ),
  },
  {
    key: 'best-picture',
    title: 'Oscars: Best Picture winner',
    category: 'Entertainment',
    tags: ['Culture', 'Oscars'],
    series: ['KXOSCARPIC', 'Oscar for Best Picture'],
    endDays: 170,
    exclusive: true,
    shared: true,
    rules: 'resolves to Yes if the named film wins the Academy Award for Best Picture at the ceremony held by {date}.',
    outcomes: field(
      [
        ['The Odyssey', 0.31, 'ODY'],
        ['Dune: Part Three', 0.16, 'DUN'],
        ['Disclosure Day', 0.12, 'DIS'],
      ],
      (label) => `Will "${label}" win Best Picture at the Oscars?`,
    ),
  },
  {
    key: 'unemployment',
    title: 'Unemployment rate in {month}',
    category: 'Economics',
    tags: ['Economy', 'Jobs'],
    series: ['KXU3', 'Unemployment'],
    endDays: 38,
    exclusive: false,
    shared: true,
    rules: 'resolves to Yes if the unemployment rate in the BLS report released by {date} is above the strike.',
    outcomes: field(
      [
        ['Above 4.2%', 0.78, 'T4.2'],
        ['Above 4.4%', 0.46, 'T4.4'],
        ['Above 4.6%', 0.17, 'T4.6'],
      ],
      (label) => `Will the unemployment rate be ${label.toLowerCase()} in the report released by {date}?`,
    ),
  },
]
