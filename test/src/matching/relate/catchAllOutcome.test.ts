// A listed "Other" completes the outcomes of an event only where its text, the venue's list and the case of no winner allow it.
import { describe, expect, test } from 'vitest'
import { buildCatalog } from '#lab/catalog/catalog'
import { relatedEvents } from '#lab/catalog/related'
import { eventRelations, type MatchInput, marketKey, readQuestion } from '#matching/candidateIndex'
import type { Listing } from '#matching/read/input'

type Words = Pick<MatchInput, 'title'> & Partial<MatchInput>

/** Bands of the complete set and of the exclusive one, with the reasons. */
function outcomeSets(markets: readonly Words[], listing: Listing, exclusive = true) {
  const inputs = markets.map((words, at): MatchInput => ({ venue: 'north', marketId: `m${at}`, ...words }))
  return eventRelations({
    venue: 'north',
    eventId: 'E',
    markets: inputs.map((input) => readQuestion(input)),
    exclusive: exclusive ? inputs.map(marketKey) : [],
    listing,
  }).map((relation) => {
    if (relation.kind !== 'outcomes') throw new Error(`a ${relation.kind} was reported`)
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
const expectRefused = (found: ReturnType<typeof outcomeSets>, reason: string, of = 3): void => {
  const [first, second] = refused(reason, of)
  expect(found).toEqual([first])
  expect(found[0]).toMatchObject(second!)
}

describe('complete', () => {
  test.each<[string, Words[], Listing]>([
    ['everyone not listed, with a closed list', candidates(), closed],
    [
      'in the wording of an event',
      candidates('If another candidate wins, this market will resolve to "Other".'),
      closed,
    ],
    [
      'all others by name, even if the list changes',
      candidates('Resolves to Yes if anyone other than Ada Finch or Iris Boyd wins.'),
      { open: null, grows: null },
    ],
    ['someone else', candidates(unlisted, 'Someone else', 'someone else'), closed],
    [
      'one title for all outcomes',
      candidates().map((words) => ({ ...words, title: 'Who will win the 2027 Osmark mayoral election?' })),
      closed,
    ],
  ])('%s', (_, markets, listing) => {
    expect(outcomeSets(markets, listing)).toEqual(complete(3))
  })

  test('completes the event of the demo', () => {
    const [event] = buildCatalog('polymarket', {
      seed: 'demo',
      nowMs: Date.UTC(2026, 10, 23),
      related: relatedEvents.lower,
    }).filter(({ key }) => key === 'related-rest')
    const { markets, rules } = event!
    const listed = markets.map(({ question, label }) => ({ title: question, subtitle: label, rules }))
    expect(outcomeSets(listed, closed)).toEqual(complete(3))
  })

  test('includes placeholders in the complete set, so outcomes named later are covered', () => {
    const held = [
      ...candidates().slice(0, 2),
      ...['A', 'B'].map((letter) => ({
        title: `Will Person ${letter} win the 2027 Osmark mayoral election?`,
        subtitle: `Person ${letter}`,
        rules: unlisted,
      })),
      candidates()[2]!,
    ]
    expect(outcomeSets(held, { open: 5, grows: true })).toEqual(complete(5))
    expectRefused(
      outcomeSets(held.slice(0, 4).toSpliced(2, 1, held[4]!), { open: 5, grows: true }),
      'what is named later is taken out of "Other"',
      4,
    )
  })

  test('is complete with an outcome for no winner', () => {
    const rules = 'Resolves to Yes if anyone other than Ada Finch or Iris Boyd is next.'
    const office = (name: string, phrase = name): Words => ({
      title: `Will ${phrase} be the next Mayor of Osmark?`,
      subtitle: name,
      rules,
    })
    const three = [office('Ada Finch'), office('Iris Boyd'), office('Someone else', 'someone else')]
    expect(outcomeSets(three, closed)).toEqual(open('there may be no winner'))
    const other = ' If no such Mayor takes office by July 1, 2027, this market will resolve to "Other".'
    const ending = three.map((words) => ({ ...words, rules: rules + other }))
    expect(outcomeSets(ending, closed)).toEqual(complete(3))
    const named = three.map((words) => ({
      ...words,
      rules: 'Resolves to Yes if anyone other than Ada Finch, Iris Boyd or No one is next.',
    }))
    expect(outcomeSets([...named, office('No one', 'no one')], { open: 4, grows: false })).toEqual(complete(4))
  })
})

describe('left open, with the reason', () => {
  test.each<[string, Words[], Listing, string]>([
    ['no rules', candidates(''), closed, 'no rules say what "Other" covers'],
    [
      'a venue that does not say whether its list is closed',
      candidates(),
      { open: 3, grows: null },
      'nothing states that the list is closed',
    ],
    [
      'an unknown number of outcomes',
      candidates(),
      { open: null, grows: false },
      'nothing states that the list is closed',
    ],
    [
      'rules about a named person',
      candidates('Resolves to Yes if the named individual wins. Otherwise, it resolves to No.'),
      closed,
      'do not say that it covers everything the others do not',
    ],
    [
      'a listed name that has no outcome here',
      candidates('Resolves to Yes if anyone other than Ada Finch, Iris Boyd or Jonas Lind wins.'),
      { open: null, grows: null },
      'do not say that it covers everything the others do not',
    ],
    [
      'rules that leave out a listed name',
      candidates('Resolves to Yes if anyone other than Ada Finch wins.'),
      { open: null, grows: null },
      'do not say that it covers everything the others do not',
    ],
    [
      'a narrower word in the rules',
      candidates('Resolves to Yes if any Democratic candidate not listed wins.'),
      closed,
      'do not say that it covers everything the others do not',
    ],
    [
      'a narrower word after it',
      candidates('Resolves to Yes if any candidate not listed who is a Democrat wins.'),
      closed,
      'do not say that it covers everything the others do not',
    ],
    [
      'other words than the rest',
      candidates(unlisted, 'Other', 'a candidate of another party'),
      closed,
      'is worded differently',
    ],
    [
      'No for all outcomes without a winner',
      candidates(
        'Resolves to Yes if any candidate not listed wins. If no winner is declared by July 1, it resolves to No.',
      ),
      closed,
      'there may be no winner',
    ],
  ])('%s', (_, markets, listing, reason) => {
    expect(outcomeSets(markets, listing)).toEqual(open(reason))
  })
})

describe('not complete, with the reason', () => {
  test.each<[string, Words[], Listing, string]>([
    [
      'only a part of the remaining outcomes',
      candidates(unlisted, 'Other Democrat', 'another Democrat'),
      closed,
      'may be less than all',
    ],
    [
      'an outcome that cannot be bought here',
      candidates(),
      { open: 4, grows: false },
      "1 of the event's answers cannot be bought here",
    ],
    [
      'a growing list of unknown length',
      candidates(),
      { open: null, grows: true },
      'what is named later is taken out of "Other"',
    ],
  ])('%s', (_, markets, listing, reason) => {
    expectRefused(outcomeSets(markets, listing), reason)
  })

  test('rejects two catch-all outcomes', () => {
    expectRefused(
      outcomeSets([...candidates(), candidates(unlisted, 'Field', 'the field')[2]!], { open: 4, grows: false }),
      'two answers',
      4,
    )
  })

  test('reports nothing unless the venue says that at most one outcome resolves Yes', () => {
    expect(outcomeSets(candidates(), closed, false)).toEqual([])
  })
})
