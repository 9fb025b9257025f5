// Sockets split by repeated gaps: the book that loses messages ends up alone, and the others are merged again. The venue here sends one
// shared sequence per socket: a book that loses a message breaks all books of its socket.
import { describe, expect, it } from 'vitest'
import type { IngestEffect, IngestMessage } from '#actors/ingest/messages'
import { reprievePeriodMs, splitsMax, stormCooldownMs } from '#actors/ingest/shardSplitting'
import { type IngestLimits, initialIngestState } from '#actors/ingest/state'
import { stepIngest } from '#actors/ingest/step'

const limits: IngestLimits = {
  mode: 'stream',
  booksPerSocket: 250,
  silenceMs: 15_000,
  idleUnwatchMs: 3_600_000,
  resyncInBand: true,
}

function world(books: number) {
  const state = initialIngestState()
  const names = Array.from({ length: books }, (_, i) => `b${i}`)
  let now = 1_000_000
  let crowded = 0
  /** Sockets that deliver nothing any more. */
  const silent = new Set<number>()
  function send(message: IngestMessage): void {
    for (const effect of stepIngest(limits, state, message, now)) act(effect)
  }
  function act(effect: IngestEffect): void {
    if (effect.kind === 'connect') send({ kind: 'opened', shard: effect.shard })
    if (effect.kind === 'resyncLater') send({ kind: 'resyncDue', shard: effect.shard })
    if (effect.kind === 'crowded') crowded = effect.books
    if (
      (effect.kind === 'subscribe' || effect.kind === 'resync' || effect.kind === 'renew') &&
      !silent.has(effect.shard)
    )
      send({ kind: 'books', messages: effect.bookIds.map((bookId) => ({ kind: 'synced', bookId })) })
  }
  send({ kind: 'demand', gatewayId: 'g', marketIds: names })
  const shardOf = (bookId: string) => state.shards.get(state.books.get(bookId)!.shard!)!
  return {
    state,
    names,
    send,
    shardOf,
    silent,
    get crowded() {
      return crowded
    },
    neighbours: (bookId: string): number => shardOf(bookId).books.size - 1,
    live: (): number => names.filter((name) => state.books.get(name)!.state === 'live').length,
    /** Runs for this many milliseconds, in which each of these loses a message this often, ten a second by default. */
    pass(ms: number, losing: readonly string[] = [], everyMs = 100): void {
      const until = now + ms
      while (now < until) {
        now += losing.length > 0 ? everyMs : 10_000
        for (const culprit of losing) {
          const messages = [...shardOf(culprit).books].map((bookId) => ({
            kind: 'broken' as const,
            bookId,
            reason: 'gap' as const,
          }))
          send({ kind: 'books', messages })
        }
        if (now % 1_000 !== 0) continue
        send({ kind: 'demand', gatewayId: 'g', marketIds: names })
        send({ kind: 'sweep', lastDataAt: new Map([...state.shards.keys()].map((shard) => [shard, now])) })
      }
    },
  }
}

describe('books that share a socket with one that loses messages', () => {
  it.each([0, 37, 124, 125, 249])('are all split from it within log2 steps, book %i of 250', (at) => {
    const w = world(250)
    w.pass(20_000, [`b${at}`])
    expect(w.neighbours(`b${at}`)).toBe(0)
    expect(w.state.shards.size).toBeLessThanOrEqual(1 + splitsMax)
    expect(w.live()).toBeGreaterThanOrEqual(249)
    expect(w.crowded).toBe(0)
  })

  // On a slow connection books break no more often: a missing number counts again only once the snapshot has arrived.
  it.each([500, 1_000, 5_000, 8_000])('are all split from it when it loses a message every %i ms', (everyMs) => {
    const w = world(250)
    w.pass(150 * everyMs, ['b37'], everyMs)
    expect(w.neighbours('b37')).toBe(0)
    expect(w.live()).toBeGreaterThanOrEqual(249)
  })

  it('stay on its socket when it loses a message only every half minute', () => {
    const w = world(250)
    w.pass(3_600_000, ['b37'], 30_000)
    expect(w.state.shards.size).toBe(1)
  })

  it('are merged without it while the storm lasts, and with it some time after the storm is over', () => {
    const w = world(250)
    w.pass(20_000, ['b37'])
    w.pass(reprievePeriodMs + 20_000, ['b37'])
    expect(w.state.shards.size).toBe(2)
    expect([w.neighbours('b37'), w.neighbours('b38')]).toEqual([0, 248])
    w.pass(stormCooldownMs + 20_000)
    expect(w.state.shards.size).toBe(1)
    expect(w.live()).toBe(250)
  })

  const hours = process.env.CROSSBOOK_TEST_LONG === '1' ? 24 : 8

  it(`are split again from each book that loses messages, through ${hours} hours of storms`, () => {
    const w = world(250)
    for (let hour = 0; hour < hours; hour++) {
      const culprit = `b${(hour * 71) % 250}`
      w.pass(20_000, [culprit])
      expect(w.neighbours(culprit), `hour ${hour}`).toBe(0)
      w.pass(3_580_000)
      expect(w.state.shards.size, `hour ${hour}`).toBe(1)
    }
    expect(w.live()).toBe(250)
  })

  it('are counted while more of them lose messages than sockets may be opened, until the calm ones have been merged', () => {
    const w = world(250)
    const losing = ['b3', 'b77', 'b140', 'b222']
    w.pass(20_000, losing)
    expect(w.state.shards.size).toBeLessThanOrEqual(1 + splitsMax)
    expect(w.crowded).toBeGreaterThan(0)
    w.pass(5 * reprievePeriodMs, losing)
    expect(losing.map(w.neighbours)).toEqual([0, 0, 0, 0])
    expect(w.crowded).toBe(0)
    expect(w.live()).toBeGreaterThanOrEqual(246)
  })

  it('are not merged into a socket that is not healthy', () => {
    const w = world(250)
    w.pass(20_000, ['b37'])
    const innocents = [...w.state.shards].filter(([, { books }]) => !books.has('b37'))
    for (const [shard] of innocents) w.send({ kind: 'closed', shard, reason: 'disconnected' })
    const before = w.state.shards.size
    w.pass(reprievePeriodMs + 20_000, ['b37'])
    expect(w.state.shards.size).toBe(before)
  })
})

it('leaves sockets alone that the books need, however few books remain on them', () => {
  const w = world(500)
  w.send({ kind: 'demand', gatewayId: 'g', marketIds: w.names.filter((_, i) => i % 5 === 0) })
  const before = w.state.shards.size
  w.pass(stormCooldownMs)
  expect(w.state.shards.size).toBe(before)
})
