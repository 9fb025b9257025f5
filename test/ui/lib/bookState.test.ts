import { describe, expect, it } from 'vitest'
import { type BookState, nextBook, none } from '../../../ui/lib/bookState.ts'
import type { Frame } from '../../../ui/lib/frame.ts'

const of = { venue: 'kalshi', marketId: 'KX', ts: 1 }
const data = { bids: [{ price: 0.4, size: 1 }], asks: [], timestamp: 5 }
const snapshot: Frame = { type: 'snapshot', ...of, sequence: 0, data }
const error: Frame = { type: 'error', code: 'NETWORK_ERROR', message: 'book is stale: silence', ...of }
const stateAfter = (...frames: (Frame | null)[]): BookState => frames.reduce(nextBook, none)

describe('a book from the stream', () => {
  it('is live from its snapshot on', () => {
    expect(stateAfter(snapshot)).toEqual({ book: { ...data, staleBecause: null }, refusal: null })
  })
  it('stays visible, marked as stale, once the stream reports it as stale', () => {
    expect(stateAfter(snapshot, error).book).toEqual({ ...data, staleBecause: 'book is stale: silence' })
  })
  it('is stale when the connection is lost, and live again with the next snapshot', () => {
    expect(stateAfter(snapshot, null).book?.staleBecause).toMatch(/connection/)
    expect(stateAfter(snapshot, null, snapshot).book?.staleBecause).toBeNull()
  })
  it('that never came shows the refusal with its reason, or is loading', () => {
    expect(stateAfter(error)).toEqual({ book: null, refusal: 'book is stale: silence' })
    expect(stateAfter(error, null)).toEqual(none)
  })
})
