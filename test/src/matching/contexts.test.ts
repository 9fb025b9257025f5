// Context around the question: the exact word to mention, the hour in the rules, the title of the event. Each separates
// two questions with the same wording. A structure must not rest on a pair that ignores one of them.
import { describe, expect, test } from 'vitest'
import { compareQuestions, type MatchInput, readQuestion, relationOf } from '#matching/candidateIndex'

type MarketText = Partial<MatchInput> & { title: string }

function certainRelation(one: MarketText, other: MarketText): string {
  const asOf = Date.UTC(2026, 10, 24)
  const [a, b] = [
    readQuestion({ venue: 'opinion', marketId: '71', ...one }, { asOf }),
    readQuestion({ venue: 'polymarket', marketId: '500001', ...other }, { asOf }),
  ]
  const { relation, relationBand } = relationOf(a, b, compareQuestions(a, b))
  return relationBand === 'verified' ? relation : 'not sure'
}

function expectUnsure(one: MarketText, other: MarketText): void {
  expect(certainRelation(one, other)).toBe('not sure')
  expect(certainRelation(other, one)).toBe('not sure')
}

describe('mentions of different words', () => {
  const words = [
    ['China', 'Chinese'],
    ['Iran', 'Iranian'],
    ['US', 'United States'],
    ['United States', 'America'],
    ['AI', 'Artificial Intelligence'],
    ['win', 'winner'],
    ['movie', 'film'],
    ['tariff', 'tariffs'],
    ['crypto', 'cryptocurrency'],
    ['UN', 'United Nations'],
    ['tax', 'taxes'],
    ['Ukraine', "Ukraine's"],
  ] as const
  const speech = 'during his speech on December 1, 2026?'

  test.each(words)('%s | %s', (one, other) => {
    const labelled = { title: `What will Trump say ${speech}`, subtitle: other }
    expectUnsure({ title: `Will Trump say "${one}" ${speech}` }, { title: `Will Trump say "${other}" ${speech}` })
    expectUnsure({ title: `Will Trump say "${one}" ${speech}` }, labelled)
    expectUnsure({ title: `Will Trump say ${one} ${speech}` }, labelled)
    // Neither question implies the other.
    expectUnsure(
      { title: `Will Trump say "${one}" by June 30, 2027?` },
      { title: `Will Trump say "${other}" by December 31, 2027?` },
    )
    expectUnsure(
      { title: `Will Trump say "${one}" 5+ times ${speech}` },
      { title: `Will Trump say "${other}" 3+ times ${speech}` },
    )
  })

  test('treats "should" and "will" as different words', () => {
    expectUnsure(
      { title: 'Will Ada Finch say he should run by December 31, 2026?' },
      { title: 'Will Ada Finch say he will run by December 31, 2026?' },
    )
  })

  test('matches a word regardless of case and quotes, and its plural if both rules count plurals', () => {
    const one = { title: `Will Trump say "China" ${speech}` }
    expect(certainRelation(one, { title: `What will Trump say ${speech}`, subtitle: 'china' })).toBe('identity')
    const rules = 'The plural or possessive form of the term counts.'
    const plural = { title: `Will Trump say "tariffs" ${speech}`, rules }
    expect(certainRelation({ title: `Will Trump say "tariff" ${speech}`, rules }, plural)).toBe('identity')
  })
})

describe('settlement hours in the rules', () => {
  const title = 'Bitcoin above $100,000 on December 31, 2026?'
  const at = (hour: string): MarketText => ({
    title,
    rules: `By the Binance 1 minute candle for BTC/USDT at ${hour} that day.`,
  })

  test.each([
    ['12:00 in the ET timezone (noon)', '12:00 UTC'],
    ['12:00 ET', '16:00 ET'],
    ['noon ET', '12:00 UTC'],
    ['5:00 PM EST', '4:00 PM EST'],
    ['12:00 PM Eastern Time', '12:00 PM Pacific Time'],
    ['8 AM UTC', '8 PM UTC'],
  ])('%s | %s', (one, other) => {
    expectUnsure(at(one), at(other))
    expectUnsure(at(one), { ...at(other), title: 'Bitcoin above $90,000 on December 31, 2026?' })
  })

  test('is unsure when only one side names the hour', () => {
    expectUnsure(at('12:00 ET'), { title, rules: 'By the Binance candle for BTC/USDT of that day.' })
    expectUnsure(at('12:00 ET'), {
      title: 'Bitcoin above $100,000 on December 31, 2026, 12PM UTC?',
      rules: 'Binance BTC/USDT',
    })
  })

  test('matches one hour in two notations, and the end of a day in one time zone', () => {
    expect(certainRelation(at('12:00 in the ET timezone (noon)'), at('noon EST'))).toBe('identity')
    const marry = (zone: string): MarketText => ({
      title: 'Will Ada Finch marry by December 31, 2026?',
      rules: `Yes if it happens by December 31, 2026, 11:59 PM ${zone}.`,
    })
    expect(certainRelation(marry('ET'), marry('ET'))).toBe('identity')
    expectUnsure(marry('ET'), marry('PT'))
  })
})

describe('event titles that contradict each other', () => {
  test.each([
    [
      'Will Duke win the NCAA Tournament?',
      "2027 Women's NCAA Tournament Winner",
      "2027 Men's College Basketball Champion",
    ],
    ['Will Duke win the NCAA Tournament?', "2027 Women's NCAA Tournament Winner", ''],
    ['Will Duke win the national championship?', "NCAA women's basketball 2027", "NCAA men's basketball 2027"],
    ['Will Nikola Jokic win MVP?', 'NBA MVP 2026-27', 'NBA Finals MVP 2027'],
    ['Will Gavin Newsom win?', '2028 Democratic presidential nominee', '2028 presidential election winner'],
    ['Will Ken Paxton win?', 'Texas Republican Senate Primary', 'Texas Senate race'],
    ['Will the Democrats win?', 'Ohio Governor Election 2030', 'Ohio Senate Election 2030'],
    ['Will Taylor Swift win?', 'Grammys 2027: Album of the Year', 'Grammys 2027: Record of the Year'],
    ['Will Max Verstappen win?', 'Abu Dhabi Grand Prix 2026', 'F1 Drivers Championship 2026'],
    ['Carlos Alcaraz', "2027 US Open winner (men's tennis)", 'US Open golf 2027 winner'],
    ['Will 50-51 Senators vote yes?', 'Hegseth confirmation vote', 'Patel confirmation vote'],
    ['Will Jannik Sinner win the tournament?', 'Miami Open 2027', 'Madrid Open 2027'],
    ['Will Ada Finch win?', 'Boston mayoral election 2027', 'Denver mayoral election 2027'],
    ['Will Ada Finch win?', 'Golden Globes 2027: Best Actress, Drama', 'Golden Globes 2027: Best Actress, Comedy'],
    ['Will Ada Finch win the final?', 'Oscars 2027: Best Director', 'Oscars 2027: Best Original Screenplay'],
    ['Will JD Vance win the 2028 Republican nomination?', '2028 Republican vice presidential nominee', ''],
  ])('%s: %s | %s', (title, one, other) => {
    expectUnsure({ title, eventTitle: one }, { title, eventTitle: other })
  })

  test.each([[' (Game 1)'], ['']])('separates two games of one day: " (Game 2)" | "%s"', (other) => {
    const game = { title: 'Yankees vs. Red Sox', outcomes: ['Yankees', 'Red Sox'], gameStart: '2027-05-12T23:05:00Z' }
    expectUnsure(
      { ...game, eventTitle: 'Yankees vs. Red Sox (Game 2)' },
      { ...game, eventTitle: `Yankees vs. Red Sox${other}` },
    )
  })

  test.each([
    [
      'Will Arsenal win the 2026-27 Premier League?',
      'English Premier League Winner',
      'Premier League champion 2026-27',
    ],
    ['Will Gavin Newsom win the 2028 Democratic nomination?', 'Democratic nominee 2028', 'Who will win the primaries?'],
    ['Will Ada Finch win the 2027 Kroll Prize?', 'Kroll Prize', ''],
  ])('matches events that differ only in wording: %s', (title, one, other) => {
    expect(certainRelation({ title, eventTitle: one }, { title, eventTitle: other })).toBe('identity')
  })
})
