// A listed "Other" completes the answers of an event where its own words, the venue's list and the case of nobody allow it, and nowhere else.
import { describe, expect, test } from 'vitest'
import { buildCatalog } from '#lab/catalog/catalog'
import { relatedEvents } from '#lab/catalog/related'
import { eventRelations, type MatchInput, marketKey, readQuestion } from '#matching/candidateIndex'
import type { Listing } from '#matching/relations/catchAllOutcome'

type Words = Pick<MatchInput, 'title'> & Partial<MatchInput>

/** Bands of the complete set and of the exclusive one, with what is said of them. */
function told(markets: readonly Words[], listing: Listing, exclusive = true) {
  const inputs = markets.map((words, at): MatchInput => ({ venue: 'north', marketId: `m${at}`, ...words }))
  return eventRelations({
    venue: 'north',
    eventId: 'E',
    markets: inputs.map((input) => readQuestion(input)),
    exclusive: exclusive ? inputs.map(marketKey) : [],
    listing,
  }).map((relation) => {
    if (relation.kind !== 'outcomes') throw new Error(`a ${relation.kind} was told`)
    return { complete: relation.complete, band: relation.band, of: relation.members.length, reason: relation.reason }
  })
}

const unlisted =
  'This market resolves to "Yes" if any candidate not listed wins. If the election is cancelled, it resolves to Other.'
const candidates = (rules = unlisted, other = 'Other', phrase = 'another candidate'): Words[] => [
  ...['Ada Finch', 'Iris Boyd'].map((name) => ({
    title: `Will ${name} win the 2027 Osmark mayoral election?`,
    subtitle: name,
    rules,
  })),
  { title: `Will ${phrase} win the 2027 Osmark mayoral election?`, subtitle: other, rules },
]
const closed: Listing = { open: 3, grows: false }
const complete = (of: number) => [{ complete: true, band: 'verified', of, reason: undefined }]
const open = (reason: string, of = 3) => [
  { complete: false, band: 'verified', of, reason: undefined },
  { complete: true, band: 'minor', of, reason: expect.stringContaining(reason) },
]
const refused = (reason: string, of = 3) => [
  { complete: false, band: 'verified', of, reason: expect.stringContaining(`not complete: `) },
  { reason: expect.stringContaining(reason) },
]
const expectRefused = (found: ReturnType<typeof told>, reason: string, of = 3): void => {
  const [first, second] = refused(reason, of)
  expect(found).toEqual([first])
  expect(found[0]).toMatchObject(second!)
}

describe('complete', () => {
  test.each<[string, Words[], Listing]>([
    ['what is not listed, of a list that is closed', candidates(), closed],
    ['in the words of an event', candidates('If another candidate wins, this market will resolve to "Other".'), closed],
    [
      'all others by their names, whatever the list becomes',
      candidates('Resolves to Yes if anyone other than Ada Finch or Iris Boyd wins.'),
      { open: null, grows: null },
    ],
    ['someone else', candidates(unlisted, 'Someone else', 'someone else'), closed],
    [
      'one title for all',
      candidates().map((words) => ({ ...words, title: 'Who will win the 2027 Osmark mayoral election?' })),
      closed,
    ],
  ])('%s', (_, markets, listing) => {
    expect(told(markets, listing)).toEqual(complete(3))
  })

  test("the demo's", () => {
    const [event] = buildCatalog('polymarket', {
      seed: 'demo',
      nowMs: Date.UTC(2026, 10, 23),
      related: relatedEvents.lower,
    }).filter(({ key }) => key === 'related-rest')
    const { markets, rules } = event!
    const listed = markets.map(({ question, label }) => ({ title: question, subtitle: label, rules }))
    expect(told(listed, closed)).toEqual(complete(3))
  })

  test('placeholders are held with it: whatever is named later was in the set before', () => {
    const held = [
      ...candidates().slice(0, 2),
      ...['A', 'B'].map((letter) => ({
        title: `Will Person ${letter} win the 2027 Osmark mayoral election?`,
        subtitle: `Person ${letter}`,
        rules: unlisted,
      })),
      candidates()[2]!,
    ]
    expect(told(held, { open: 5, grows: true })).toEqual(complete(5))
    expectRefused(
      told(held.slice(0, 4).toSpliced(2, 1, held[4]!), { open: 5, grows: true }),
      'what is named later is taken out of "Other"',
      4,
    )
  })

  test('an answer for nobody beside it covers what never ends', () => {
    const rules = 'Resolves to Yes if anyone other than Ada Finch or Iris Boyd is next.'
    const office = (name: string, phrase = name): Words => ({
      title: `Will ${phrase} be the next Mayor of Osmark?`,
      subtitle: name,
      rules,
    })
    const three = [office('Ada Finch'), office('Iris Boyd'), office('Someone else', 'someone else')]
    expect(told(three, closed)).toEqual(open('nobody may come true'))
    const other = ' If no such Mayor takes office by July 1, 2027, this market will resolve to "Other".'
    const ending = three.map((words) => ({ ...words, rules: rules + other }))
    expect(told(ending, closed)).toEqual(complete(3))
    const named = three.map((words) => ({
      ...words,
      rules: 'Resolves to Yes if anyone other than Ada Finch, Iris Boyd or No one is next.',
    }))
    expect(told([...named, office('No one', 'no one')], { open: 4, grows: false })).toEqual(complete(4))
  })
})

describe('left open, with the reason', () => {
  test.each<[string, Words[], Listing, string]>([
    ['no rules', candidates(''), closed, 'no rules say what "Other" covers'],
    [
      'a venue that does not say whether its list is closed',
      candidates(),
      { open: 3, grows: null },
      'nobody says that the list is closed',
    ],
    ['a count that nobody made', candidates(), { open: null, grows: false }, 'nobody says that the list is closed'],
    [
      'rules of somebody who is named',
      candidates('Resolves to Yes if the named individual wins. Otherwise, it resolves to No.'),
      closed,
      'do not say that it is all the others are not',
    ],
    [
      'a name of the list that is no other answer here',
      candidates('Resolves to Yes if anyone other than Ada Finch, Iris Boyd or Jonas Lind wins.'),
      { open: null, grows: null },
      'do not say that it is all the others are not',
    ],
    [
      'a list that leaves one out',
      candidates('Resolves to Yes if anyone other than Ada Finch wins.'),
      { open: null, grows: null },
      'do not say that it is all the others are not',
    ],
    [
      'a narrower word in the rules',
      candidates('Resolves to Yes if any Democratic candidate not listed wins.'),
      closed,
      'do not say that it is all the others are not',
    ],
    [
      'a narrower word behind it',
      candidates('Resolves to Yes if any candidate not listed who is a Democrat wins.'),
      closed,
      'do not say that it is all the others are not',
    ],
    [
      'other words than the rest',
      candidates(unlisted, 'Other', 'a candidate of another party'),
      closed,
      'in other words',
    ],
    [
      'No for all where nobody wins',
      candidates(
        'Resolves to Yes if any candidate not listed wins. If no winner is declared by July 1, it resolves to No.',
      ),
      closed,
      'nobody may come true',
    ],
  ])('%s', (_, markets, listing, reason) => {
    expect(told(markets, listing)).toEqual(open(reason))
  })
})

describe('refused, with the reason', () => {
  test.each<[string, Words[], Listing, string]>([
    [
      'a part of what is left',
      candidates(unlisted, 'Other Democrat', 'another Democrat'),
      closed,
      'may be less than all',
    ],
    [
      'an answer that cannot be bought here',
      candidates(),
      { open: 4, grows: false },
      "1 of the event's answers cannot be bought here",
    ],
    [
      'a list that grows, and nobody counted',
      candidates(),
      { open: null, grows: true },
      'what is named later is taken out of "Other"',
    ],
  ])('%s', (_, markets, listing, reason) => {
    expectRefused(told(markets, listing), reason)
  })

  test('two answers that are called what is left over', () => {
    expectRefused(
      told([...candidates(), candidates(unlisted, 'Field', 'the field')[2]!], { open: 4, grows: false }),
      'two answers',
      4,
    )
  })

  test('nothing at all where the venue does not say that one at most comes true', () => {
    expect(told(candidates(), closed, false)).toEqual([])
  })
})
