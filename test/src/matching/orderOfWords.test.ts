// The same words in another order, with another preposition or of another thing: neither the same question nor a certain implication.
import { describe, expect, test } from 'vitest'
import { readQuestion, relationOf } from '#matching/candidateIndex'
import { compareQuestions } from '#matching/compare/compare'
import { eventRelations } from '#matching/relate/eventRelations'

function certainRelation(one: string, other: string): string {
  const [a, b] = [
    readQuestion({ venue: 'north', marketId: '1', title: one }),
    readQuestion({ venue: 'south', marketId: '1', title: other }),
  ]
  const { relation, relationBand } = relationOf(a, b, compareQuestions(a, b))
  return relationBand === 'verified' ? relation : 'not sure'
}

const cases = {
  'who does it to whom, in any letter case': [
    ['Will gold outperform silver in 2027?', 'Will silver outperform gold in 2027?'],
    ['Will stocks outperform bonds in 2027?', 'Will bonds outperform stocks in 2027?'],
    ['Will eggs cost more than milk in December 2026?', 'Will milk cost more than eggs in December 2026?'],
    ['Will a chess engine beat a human by June 30, 2027?', 'Will a human beat a chess engine by June 30, 2027?'],
    ['Will a senator sue a governor before 2028?', 'Will a governor sue a senator before 2028?'],
    ['Will wheat be dearer than corn in May 2027?', 'Will corn be dearer than wheat in May 2027?'],
    ['Will A Trump Ally Sue A Biden Ally Before 2027?', 'Will A Biden Ally Sue A Trump Ally Before 2027?'],
    ['will israel strike iran by december 31, 2026?', 'will iran strike israel by december 31, 2026?'],
    ['WILL KENYA OUTGROW GHANA IN 2027?', 'WILL GHANA OUTGROW KENYA IN 2027?'],
    ['FORD OVERTAKES TOYOTA BY JUNE 30, 2027?', 'TOYOTA OVERTAKES FORD BY JUNE 30, 2027?'],
    ['Will more women than men vote in 2027?', 'Will more men than women vote in 2027?'],
    ['Will Peru trade copper for oil in 2027?', 'Will Peru trade oil for copper in 2027?'],
    ['Will the army side with the police in 2027?', 'Will the police side with the army in 2027?'],
    ['will peru invite chile in 2027?', 'will peru be invited by chile in 2027?'],
    ['will peru borrow from chile in 2027?', 'will chile borrow from peru in 2027?'],
    ['will peru sell copper to chile in 2027?', 'Will Chile sell copper to Peru in 2027?'],
    ['peru cedes land to chile by june 30, 2027?', 'chile cedes land to peru by june 30, 2027?'],
    ['Will a union endorse a party in 2027?', 'Will a party endorse a union in 2027?'],
    ['Will Israel end the ceasefire by June 30, 2027?', 'Will the ceasefire end Israel by June 30, 2027?'],
    ['Will Ada Finch divorce Iris Boyd by June 30, 2027?', 'Will Iris Boyd divorce Ada Finch by June 30, 2027?'],
    [
      'Will a son of Ada Finch marry a daughter of Iris Boyd in 2027?',
      'Will a son of Iris Boyd marry a daughter of Ada Finch in 2027?',
    ],
    [
      'will the king of spain meet the queen of norway in 2027?',
      'will the queen of spain meet the king of norway in 2027?',
    ],
    ['Will eur/usd close above 1.20 on June 30, 2027?', 'Will usd/eur close above 1.20 on June 30, 2027?'],
  ],
  'a variant, in any letter case': [
    ['iphone 19 pro released before October 2027?', 'iphone 19 released before October 2027?'],
    ['IPHONE 19 PRO RELEASED BEFORE OCTOBER 2027?', 'iPhone 19 released before October 2027?'],
    ['Galaxy S28 ULTRA released before May 2027?', 'Galaxy S28 released before May 2027?'],
  ],
  'verbs with another meaning for a firm or a product': [
    ['Will the US buy Greenland by June 30, 2027?', 'Will the US take over Greenland by June 30, 2027?'],
    ['Will the US acquire Greenland by June 30, 2027?', 'Will the US buy Greenland by June 30, 2027?'],
    ['Will Peru launch missiles by June 30, 2027?', 'Will Peru release missiles by June 30, 2027?'],
    ['Will Peru launch drones by June 30, 2027?', 'Will Peru release drones by June 30, 2027?'],
    ['Will a hurricane hit Florida in 2027?', 'Will a hurricane touch Florida in 2027?'],
    ['Will rebels hit Lima by June 30, 2027?', 'Will rebels reach Lima by June 30, 2027?'],
    [
      'Will Trump nominate a Fed governor by June 30, 2027?',
      'Will Trump be the nominee for Fed governor by June 30, 2027?',
    ],
    ['Will Trump say he should run by June 30, 2027?', 'Will Trump say he will run by June 30, 2027?'],
  ],
  'words that are optional elsewhere but essential here': [
    ['Will Ukraine join the EU by June 30, 2029?', 'Will Ukraine be a candidate to join the EU by June 30, 2029?'],
    ['Will Musk create a party by June 30, 2027?', 'Will Musk create an award by June 30, 2027?'],
    ['Will Haiti hold an election by June 30, 2027?', 'Will Haiti hold a championship by June 30, 2027?'],
    ['Will SpaceX launch a company by June 30, 2027?', 'Will SpaceX launch by June 30, 2027?'],
    ['Will Apple open a market in India by June 30, 2027?', 'Will Apple open in India by June 30, 2027?'],
    ['Will Nike found a club by June 30, 2027?', 'Will Nike found a tournament by June 30, 2027?'],
  ],
  'another preposition': [
    ['Will Trump speak to Putin by June 30, 2027?', 'Will Trump speak for Putin by June 30, 2027?'],
    ['Will Trump fly with Putin by June 30, 2027?', 'Will Trump fly to Putin by June 30, 2027?'],
    ['Will Messi play in Peru in 2027?', 'Will Messi play for Peru in 2027?'],
    ['Will Iris Boyd testify for Ada Finch in 2027?', 'Will Iris Boyd testify against Ada Finch in 2027?'],
    ['Will rebels fire at Lima in 2027?', 'Will rebels fire Lima in 2027?'],
    ['Will Iris Boyd train with Ada Finch in 2027?', 'Will Iris Boyd train under Ada Finch in 2027?'],
  ],
  'an amount of something else': [
    [
      'Will at least 5 countries recognize Palestine in 2027?',
      'Will at least 5% of countries recognize Palestine in 2027?',
    ],
    ['Will 3 Fed rate cuts happen in 2027?', 'Will the Fed cut rates by 3 bps in 2027?'],
    ['Will 3 Fed rate cuts happen in 2027?', 'Will the Fed cut rates by 3 basis points in 2027?'],
    ['Will the Fed cut rates by 75 bps in 2027?', 'Will the Fed cut rates by 75 bps at any meeting in 2027?'],
    ['Will the Fed cut rates by 50 bps in 2027?', 'Will the Fed cut rates by 50 bps at a single meeting in 2027?'],
    ['Will Acme win 10+ awards in 2027?', 'Will Acme win 10+ games in 2027?'],
    ['Will Acme win 10+ national awards in 2027?', 'Will Acme win 10+ awards in 2027?'],
    ['Will Acme lay off at least 10 workers in 2027?', 'Will Acme lay off at least 10% of workers in 2027?'],
  ],
  'the source of a measurement, in brackets': [
    [
      "Will Trump's approval rating be above 45% on December 4, 2026 (Gallup)?",
      "Will Trump's approval rating be above 45% on December 4, 2026 (Silver Bulletin)?",
    ],
    [
      "Will Trump's approval rating be above 45% on December 4, 2026 (Emerson)?",
      "Will Trump's approval rating be above 45% on December 4, 2026 (Quinnipiac)?",
    ],
  ],
} satisfies Record<string, [string, string][]>

describe.each(Object.entries(cases))('not the same question: %s', (_, pairs) => {
  test.each(pairs)('%s | %s', (one, other) => {
    expect(certainRelation(one, other)).toBe('not sure')
    expect(certainRelation(other, one)).toBe('not sure')
  })
})

describe('an implication is certain only if everything but the ordered part agrees', () => {
  test.each([
    ['Will Israel strike Iran by November 30, 2026?', 'Will Iran strike Israel before Jan 1, 2027?'],
    ['will israel strike iran by november 30, 2026?', 'will iran strike israel before jan 1, 2027?'],
    ['Will Elon Musk sue Sam Altman by November 30, 2026?', 'Will Sam Altman sue Elon Musk before 2027?'],
    ['Will gold outperform silver by November 30, 2026?', 'Will silver outperform gold by December 31, 2026?'],
    ['Will a senator sue a governor by June 30, 2027?', 'Will a governor sue a senator by December 31, 2027?'],
    ['Will Iran launch 10+ missiles at Israel in 2027?', 'Will Israel launch 5+ missiles at Iran in 2027?'],
    ['Will Chile ship 20+ tanks to Peru in 2027?', 'Will Peru ship 10+ tanks to Chile in 2027?'],
    ['Will a hurricane hit Florida by November 30, 2027?', 'Will a major hurricane hit Florida by December 31, 2027?'],
    ['Will 5+ hurricanes hit the US in 2027?', 'Will 4+ major hurricanes hit the US in 2027?'],
    ['Will at least 10 countries join BRICS in 2027?', 'Will at least 5% of countries join BRICS in 2027?'],
    [
      'Will PlayStation 6 be released by November 30, 2027?',
      'Will PlayStation 6 Pro be released by December 31, 2027?',
    ],
    ['Will Pixel 12 be released by June 30, 2027?', 'Will pixel 12 ultra be released by December 31, 2027?'],
    [
      'Will Austin Reaves be traded to the Lakers by January 31, 2027?',
      'Will Austin Reaves be traded from the Lakers by February 5, 2027?',
    ],
    [
      'Will the Lakers trade for Trae Young by January 31, 2027?',
      'Will the Lakers trade Trae Young by February 5, 2027?',
    ],
    ['Will Backpack launch by November 30, 2026?', 'Will Backpack launch a token by December 31, 2026?'],
    ['Will the US buy Greenland by June 30, 2027?', 'Will the US take over Greenland by December 31, 2027?'],
    ['Will Trump speak to Putin by June 30, 2027?', 'Will Trump speak for Putin by December 31, 2027?'],
    ['Will Ada Finch win a match by June 30, 2027?', 'Will Ada Finch win a prize by December 31, 2027?'],
    [
      "Will Trump's approval rating be above 45% on December 4, 2026 (Gallup)?",
      "Will Trump's approval rating be above 40% on December 4, 2026 (Silver Bulletin)?",
    ],
  ])('%s | %s', (one, other) => {
    expect(certainRelation(one, other)).toBe('not sure')
    expect(certainRelation(other, one)).toBe('not sure')
  })

  test.each([
    ['Will Israel strike Iran by November 30, 2026?', 'Will Israel strike Iran before Jan 1, 2027?'],
    ['Will gold outperform silver by November 30, 2026?', 'Will gold outperform silver by December 31, 2026?'],
    ['Will 5+ hurricanes hit the US in 2027?', 'Will 4+ hurricanes hit the US in 2027?'],
    ['Will at least 10 countries join BRICS in 2027?', 'Will at least 5 countries join BRICS in 2027?'],
    ['Will PlayStation 6 be released by November 30, 2027?', 'Will PlayStation 6 be released by December 31, 2027?'],
  ])('reports a certain implication: %s | %s', (one, other) => {
    expect(certainRelation(one, other)).toBe('subset')
    expect(certainRelation(other, one)).toBe('superset')
  })
})

describe('within one event, questions that only share their words are not on one ladder', () => {
  const relations = (titles: readonly string[]): string[] =>
    eventRelations({
      venue: 'north',
      eventId: 'E',
      markets: titles.map((title, at) => readQuestion({ venue: 'north', marketId: String(at), title, eventId: 'E' })),
      exclusive: [],
      listing: { open: null, grows: null },
    }).map(({ id }) => id)

  test.each([
    ['Will Israel strike Iran by November 30, 2026?', 'Will Iran strike Israel by December 31, 2026?'],
    ['Will gold outperform silver by November 30, 2026?', 'Will silver outperform gold by December 31, 2026?'],
    ['Will Iran launch 10+ missiles at Israel in 2027?', 'Will Israel launch 5+ missiles at Iran in 2027?'],
    ['Will 5+ hurricanes hit the US in 2027?', 'Will 4+ major hurricanes hit the US in 2027?'],
    ['Will the US buy Greenland by June 30, 2027?', 'Will the US take over Greenland by December 31, 2027?'],
    ['Will a senator sue a governor by June 30, 2027?', 'Will a governor sue a senator by December 31, 2027?'],
  ])('%s | %s', (one, other) => {
    expect(relations([one, other])).toEqual([])
  })

  test('keeps the rest of the ladder', () => {
    expect(
      relations([
        'Will 5+ hurricanes hit the US in 2027?',
        'Will 4+ major hurricanes hit the US in 2027?',
        'Will 3+ hurricanes hit the US in 2027?',
      ]),
    ).toEqual(['event:north:E:ladder:0>2'])
  })
})

describe('finds the same question in another order of words', () => {
  test.each([
    ['Will Trump and Putin meet by June 30, 2027?', 'Will Putin and Trump meet by June 30, 2027?'],
    ['Will Israel strike Iran in June 2027?', 'In June 2027, will Israel strike Iran?'],
    ['will gold outperform silver in 2027?', 'Will gold outperform silver in 2027?'],
    ['Who will acquire Acme Robotics? : Globex', 'Will Globex acquire Acme Robotics?'],
  ])('%s | %s', (one, other) => {
    expect(certainRelation(one, other)).toBe('identity')
  })
})
