// Questions that are logically related without being the same: an implication across two venues, a ladder and its ranges, two that
// exclude each other, exhaustive outcomes (by their amounts, and by an "Other"); and one question in two wordings. Priced separately, so that
// structures exist in the books.
import type { EventSeed, OutcomeSeed } from './questions.ts'

const temperature = (
  key: string,
  city: string,
  series: string,
  endDays: number,
  exclusive: boolean,
  rows: readonly (readonly [label: string, probability: number, code: string])[],
): EventSeed => ({
  key,
  title: `Highest temperature in ${city} on {date}?`,
  category: 'Climate and Weather',
  tags: ['Weather'],
  series: [series, `Highest temperature in ${city}`],
  endDays,
  exclusive,
  shared: true,
  rules: `resolves by the highest temperature recorded in ${city} on {date} in the final climatological report.`,
  outcomes: rows.map(
    ([label, probability, code]): OutcomeSeed => ({
      label,
      question: `Will the highest temperature in ${city} be ${label} on {date}?`,
      probability,
      code,
    }),
  ),
})

/** One threshold of a coin; the higher one, on another venue, is priced above the lower. */
const threshold = (strike: string, probability: number): EventSeed => ({
  key: `related-threshold-${strike}`,
  title: 'Bitcoin above ___ on {date}?',
  category: 'Crypto',
  tags: ['Crypto', 'Bitcoin'],
  series: ['KXBTCD', 'Bitcoin price Above/below'],
  endDays: 45,
  exclusive: false,
  shared: true,
  rules: 'resolves to Yes if the Bitcoin price is above the strike at 12:00 ET on {date}.',
  outcomes: [
    {
      label: `$${strike}`,
      question: `Will the price of Bitcoin be above $${strike} on {date}?`,
      probability,
      code: `T${strike.replace(',', '')}`,
    },
  ],
})

/** An "Other" that, by its own rules, covers everything not listed: all three together cost less than 1. */
const election: EventSeed = {
  key: 'related-rest',
  title: 'Mayor of Osmark: who wins?',
  category: 'Politics',
  tags: ['Politics', 'Elections'],
  series: ['KXOSMARK', 'Osmark mayor'],
  endDays: 253,
  exclusive: true,
  shared: true,
  rules:
    'resolves to Yes if the named candidate wins the 2027 Osmark mayoral election. If any candidate not listed wins, or the election is not held by {date}, this market resolves to Other.',
  outcomes: (
    [
      ['Ada Finch', 'Ada Finch', 0.33, 'AF'],
      ['Iris Boyd', 'Iris Boyd', 0.27, 'IB'],
      ['Other', 'another candidate', 0.18, 'OT'],
    ] as const
  ).map(([label, who, probability, code]) => ({
    label,
    question: `Will ${who} win the 2027 Osmark mayoral election?`,
    probability,
    code,
  })),
}

/** One question in the words of each venue: the matcher leaves it to a person, and a decision makes the difference of prices executable. */
const reworded = (code: string, question: string, probability: number): EventSeed => ({
  key: `related-reworded-${code.toLowerCase()}`,
  title: question,
  category: 'Entertainment',
  tags: ['Culture'],
  series: ['KXMENTOR', 'Mentors'],
  endDays: 60,
  exclusive: false,
  shared: true,
  rules: 'resolves to Yes if Nora Quist announces by {date} that Theo Amsel is her trainee.',
  outcomes: [{ label: 'Yes', question, probability, code }],
})

/** Two lists for two venues: the implication and the reworded question are between them, all other relations within one. */
export const relatedEvents: { higher: readonly EventSeed[]; lower: readonly EventSeed[] } = {
  higher: [
    threshold('145,000', 0.6),
    temperature('related-ladder', 'Chicago', 'KXHIGHCHI', 250, false, [
      ['70° or above', 0.7, 'T70'],
      ['70° to 74°', 0.25, 'B72'],
      ['75° or above', 0.22, 'T75'],
    ]),
    // Like the ladder, with one more threshold: the implied question is cheaper than the implying one.
    temperature('related-combination', 'Boston', 'KXHIGHBOS', 254, false, [
      ['70° or above', 0.7, 'T70'],
      ['70° to 74°', 0.2, 'B72'],
      ['75° or above', 0.3, 'T75'],
      ['72° or above', 0.2, 'T72'],
    ]),
    temperature('related-partition', 'Miami', 'KXHIGHMIA', 251, true, [
      ['79° or below', 0.14, 'T79'],
      ['80° to 84°', 0.36, 'B82'],
      ['85° or above', 0.24, 'T85'],
    ]),
    reworded('MENTOR', 'Will Nora Quist mentor Theo Amsel by {date}?', 0.36),
  ],
  lower: [
    threshold('135,000', 0.38),
    temperature('related-exclusion', 'Denver', 'KXHIGHDEN', 252, false, [
      ['60° or below', 0.62, 'T60'],
      ['75° or above', 0.6, 'T75'],
    ]),
    election,
    reworded('TRAINEE', 'Will Nora Quist take Theo Amsel on as a trainee by {date}?', 0.58),
  ],
}
