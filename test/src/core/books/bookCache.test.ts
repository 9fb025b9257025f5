import { describe, expect, it } from 'vitest'
import { createBook } from '#core/books/book'
import { BookCache } from '#core/books/bookCache'
import { complementCore, encodeCore } from '#core/books/encode'
import type { BookUpdate } from '#schemas/topics'

function update(marketId: string, seq: number, epoch = 1, venue = 'kalshi'): BookUpdate {
  const book = createBook(10_000)
  book.set(0, 400_000, seq + 1)
  return {
    venue,
    marketId,
    state: 'live',
    seq,
    epoch,
    eventTs: null,
    recvTs: 1,
    core: encodeCore(book, seq),
    lastTradeMicros: null,
  }
}

describe('the book cache', () => {
  it('accepts newer updates only, by epoch, then seq; counts duplicates and older ones', () => {
    const cache = new BookCache()
    expect(
      [update('A', 1), update('A', 3), update('A', 3), update('A', 2), update('A', 1, 2), update('A', 99, 1)].map(
        (each) => cache.apply(each),
      ),
    ).toEqual(['applied', 'applied', 'duplicate', 'older', 'applied', 'older'])
    expect([cache.applied, cache.duplicates, cache.older]).toEqual([3, 1, 2])
    expect([cache.get('kalshi', 'A')?.epoch, cache.get('kalshi', 'A')?.seq, cache.get('polymarket', 'A')]).toEqual([
      2,
      1,
      undefined,
    ])
  })

  it('lists the books of a venue that it holds', () => {
    const cache = new BookCache()
    for (const one of [update('A', 1), update('B', 1), update('C', 1, 1, 'polymarket')]) cache.apply(one)
    cache.delete('kalshi', 'A')
    expect([...cache.marketsOf('kalshi')]).toEqual(['B'])
    expect([cache.has('kalshi', 'A'), cache.has('kalshi', 'B'), cache.has('novig', 'B')]).toEqual([false, true, false])
    expect([...cache.marketsOf('novig')]).toEqual([])
  })

  it('computes the complement once per core', () => {
    const cache = new BookCache()
    const first = update('A', 1)
    cache.apply(first)
    const complement = cache.complementOf('kalshi', 'A')
    expect(complement?.equals(complementCore(first.core))).toBe(true)
    expect(cache.complementOf('kalshi', 'A')).toBe(complement)
    const second = update('A', 2)
    cache.apply(second)
    expect(cache.complementOf('kalshi', 'A')?.equals(complementCore(second.core))).toBe(true)
    expect(cache.complementOf('kalshi', 'B')).toBeUndefined()
  })

  it('marks one book or all of a venue stale without changing the given update', () => {
    const cache = new BookCache()
    const given = update('A', 1)
    cache.apply(given)
    cache.apply(update('B', 1))
    cache.apply(update('C', 1, 1, 'polymarket'))
    expect([cache.markStale('kalshi', 'A', 'silence'), cache.markStale('kalshi', 'X', 'silence')]).toEqual([
      true,
      false,
    ])
    expect([cache.get('kalshi', 'A')?.state, cache.get('kalshi', 'A')?.staleReason, given.state]).toEqual([
      'stale',
      'silence',
      'live',
    ])
    expect(cache.markVenueStale('kalshi', () => 'owner_silent').map((changed) => changed.marketId)).toEqual(['B'])
    expect(cache.get('polymarket', 'C')?.state).toBe('live')
    cache.apply(update('A', 2))
    expect(cache.get('kalshi', 'A')?.state).toBe('live')
  })

  it('marks only those books of a venue stale whose last update is void', () => {
    const cache = new BookCache()
    cache.apply({ ...update('A', 1), part: '1/2' })
    cache.apply({ ...update('B', 1), part: '2/2' })
    const changed = cache.markVenueStale(
      'kalshi',
      () => 'owner_silent',
      ({ part }) => part === '2/2',
    )
    expect(changed).toMatchObject([{ marketId: 'B', state: 'stale', part: '2/2' }])
    expect(cache.get('kalshi', 'A')?.state).toBe('live')
  })

  it('evicts the least recently used unwatched books and never a watched one', () => {
    const cache = new BookCache({ idleMax: 2 })
    cache.watch('kalshi', 'W')
    for (const id of ['W', 'A', 'B']) cache.apply(update(id, 1))
    cache.get('kalshi', 'A')
    cache.apply(update('C', 1))
    expect(['W', 'A', 'B', 'C'].map((id) => cache.get('kalshi', id) !== undefined)).toEqual([true, true, false, true])
    cache.unwatch('kalshi', 'W')
    expect([cache.size, cache.evicted, cache.get('kalshi', 'A')]).toEqual([2, 2, undefined])
    cache.watch('kalshi', 'C')
    for (let i = 0; i < 10; i++) cache.apply(update(`M${i}`, 1))
    expect([cache.size, cache.get('kalshi', 'C')?.seq]).toEqual([3, 1])
  })

  it('keeps a book until both of its watchers leave', () => {
    const cache = new BookCache({ idleMax: 0 })
    cache.watch('kalshi', 'A')
    cache.watch('kalshi', 'A')
    cache.apply(update('A', 1))
    cache.unwatch('kalshi', 'A')
    expect(cache.get('kalshi', 'A')).toBeDefined()
    cache.unwatch('kalshi', 'A')
    cache.unwatch('kalshi', 'A')
    expect([cache.get('kalshi', 'A'), cache.size]).toEqual([undefined, 0])
  })

  it('forgets deleted books', () => {
    const cache = new BookCache()
    cache.apply(update('A', 5))
    expect([cache.delete('kalshi', 'A'), cache.delete('kalshi', 'A'), cache.size]).toEqual([true, false, 0])
    expect(cache.apply(update('A', 1))).toBe('applied')
  })
})
