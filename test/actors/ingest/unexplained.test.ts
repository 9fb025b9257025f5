// What a whole book sent in addition to the changes shows: levels that differ although no change of them arrived.
import { describe, expect, it } from 'vitest'
import { IngestBook } from '#actors/ingest/ingestBook'
import { TapeBuffer } from '#actors/ingest/recordBuffer'
import { ASK, BID } from '#venues/venue'

type Levels = readonly (readonly [micros: number, size: number])[]

function open() {
  const beat = { at: 0 }
  const ignore = (): void => undefined
  const book = new IngestBook({
    venue: 'v',
    marketId: 'b',
    tickMicros: null,
    tape: new TapeBuffer('v'),
    beat,
    onDirty: ignore,
    onSynced: ignore,
  })
  const whole = (bids: Levels, asks: Levels, isRepeat = true): void => {
    book.beginSnapshot(isRepeat)
    for (const [micros, size] of bids) book.set(BID, micros, size)
    for (const [micros, size] of asks) book.set(ASK, micros, size)
    book.commit(null, beat.at)
  }
  whole([[400_000, 5]], [[600_000, 7]])
  return { book, beat, whole, missing: () => book.unexplained.missing(book) }
}

describe('a whole book in addition to the changes', () => {
  it('shows no difference when it equals the held book, apart from rounding errors of added sizes', () => {
    const { whole, missing } = open()
    whole([[400_000, 5 + 1e-9]], [[600_000, 7]])
    expect(missing()).toBeNull()
  })

  it.each<[string, Levels, Levels]>([
    ['another size', [[400_000, 6]], [[600_000, 7]]],
    [
      'an additional level',
      [[400_000, 5]],
      [
        [600_000, 7],
        [700_000, 1],
      ],
    ],
    ['a missing level', [[400_000, 5]], []],
  ])('shows %s as missing until a change of that level arrives', (_, bids, asks) => {
    const { book, beat, whole, missing } = open()
    beat.at = 4_000
    whole(bids, asks)
    expect([missing(), book.unexplained.since]).toEqual(['all', 4_000])
    book.set(BID, 300_000, 1)
    book.commit(null, 4_000)
    expect(missing()).toBe('some')
    for (const [side, micros] of [
      [BID, 400_000],
      [ASK, 600_000],
      [ASK, 700_000],
    ] as const)
      book.add(side, micros, 1)
    expect(missing()).toBeNull()
  })

  it('shows no difference as the first book, after a break, and for feeds that send only whole books', () => {
    const { book, whole, missing } = open()
    whole([[300_000, 1]], [], false)
    expect(missing()).toBeNull()
    whole([[200_000, 1]], [])
    book.markStale('gap')
    expect(missing()).toBeNull()
    whole([[100_000, 1]], [])
    expect(missing()).toBeNull()
  })

  it('is explained by a change that it already contains and that is therefore skipped', () => {
    const { book, whole, missing } = open()
    whole([[400_000, 6]], [[600_000, 7]])
    book.refused(0)
    expect(missing()).toBeNull()
  })
})
