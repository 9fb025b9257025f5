import { describe, expect, it } from 'vitest'
import { finishedDelayMs, rejectedDelayMs } from '#actors/ingest/demand'
import { busSilenceMs, resyncDeadlineMs, sweepMs } from '#actors/ingest/housekeeping'
import type { IngestEffect, IngestMessage } from '#actors/ingest/messages'
import { type IngestLimits, initialIngestState } from '#actors/ingest/state'
import { stepIngest } from '#actors/ingest/step'
import { demandRenewMs, everyMarket } from '#schemas/topics'

const limits: IngestLimits = {
  mode: 'stream',
  booksPerSocket: 2,
  silenceMs: 15_000,
  idleUnwatchMs: 30_000,
  resyncInBand: false,
}

function machine(over: Partial<IngestLimits> = {}) {
  const state = initialIngestState()
  let now = 1_000_000
  return {
    state,
    send: (message: IngestMessage): IngestEffect[] => stepIngest({ ...limits, ...over }, state, message, now),
    wait: (ms: number) => {
      now += ms
    },
    now: () => now,
  }
}

const kinds = (effects: IngestEffect[]): string[] => effects.map((effect) => effect.kind)
const sweep = (data: [number, number][] = []): IngestMessage => ({ kind: 'sweep', lastDataAt: new Map(data) })
const demand = (...marketIds: string[]): IngestMessage => ({ kind: 'demand', gatewayId: 'g', marketIds })

function live(over: Partial<IngestLimits> = {}) {
  const m = machine(over)
  m.send(demand('a'))
  m.send({ kind: 'opened', shard: 0 })
  m.send({ kind: 'synced', bookId: 'a' })
  return m
}

function liveBooks(...bookIds: string[]) {
  const m = machine({ booksPerSocket: 10, resyncInBand: true })
  m.send(demand(...bookIds))
  m.send({ kind: 'opened', shard: 0 })
  m.send({ kind: 'books', messages: bookIds.map((bookId) => ({ kind: 'synced', bookId })) })
  return m
}

/** Sweeps every second, while the socket sends something every second. */
function secondsUntil(
  m: ReturnType<typeof machine>,
  kind: IngestEffect['kind'],
  note: (effect: IngestEffect) => void = () => undefined,
): number {
  for (let seconds = 1; seconds <= 60; seconds++) {
    m.wait(1_000)
    const effects = m.send(sweep([[0, m.now()]]))
    effects.forEach(note)
    if (kinds(effects).includes(kind)) return seconds
  }
  return Number.POSITIVE_INFINITY
}

describe('ingest step', () => {
  it('opens one upstream subscription however many gateways want the book', () => {
    const m = machine()
    expect(kinds(m.send(demand('a')))).toEqual(['connect', 'openBook'])
    expect(m.send({ kind: 'demand', gatewayId: 'h', marketIds: ['a'] })).toEqual([])
    expect(m.send({ kind: 'opened', shard: 0 })).toEqual([{ kind: 'subscribe', shard: 0, bookIds: ['a'] }])
  })

  it('reads over REST a book whose feed sends no first snapshot, and allows time for the read', () => {
    const m = machine()
    m.send(demand('a'))
    m.send({ kind: 'opened', shard: 0 })
    expect(m.send({ kind: 'unseeded', bookId: 'a' })).toEqual([{ kind: 'resync', shard: 0, bookIds: ['a'] }])
    m.wait(29_000)
    expect(m.send(sweep([[0, m.now()]]))).toEqual([])
    m.wait(1_000)
    expect(m.send(sweep([[0, m.now()]]))).toEqual([{ kind: 'renew', shard: 0, bookIds: ['a'] }])
    m.send({ kind: 'synced', bookId: 'a' })
    expect(m.send({ kind: 'unseeded', bookId: 'a' })).toEqual([])
  })

  it('fills a socket to its limit before opening the next', () => {
    const m = machine()
    const effects = m.send(demand('a', 'b', 'c'))
    expect(effects.filter((effect) => effect.kind === 'connect')).toHaveLength(2)
    expect([...m.state.shards.values()].map((shard) => shard.books.size)).toEqual([2, 1])
  })

  it('keeps an unwanted book for the idle time, then releases book and socket', () => {
    const m = live()
    m.send(demand())
    m.wait(29_000)
    expect(kinds(m.send(sweep([[0, m.now()]])))).not.toContain('dropBook')
    m.wait(1_000)
    expect(kinds(m.send(sweep([[0, m.now()]])))).toEqual(['coverage', 'dropBook', 'unsubscribe', 'disconnect'])
    expect(m.state.books.size + m.state.shards.size).toBe(0)
  })

  it('keeps a book that is wanted again within the idle time', () => {
    const m = live()
    m.send(demand())
    m.wait(20_000)
    m.send(demand('a'))
    m.wait(20_000)
    expect(kinds(m.send({ kind: 'demand', gatewayId: 'g', marketIds: ['a'] }))).toEqual([])
    m.send(sweep([[0, m.now()]]))
    expect(m.state.books.has('a')).toBe(true)
  })

  it('drops the demand of a gateway that stops renewing it while others continue', () => {
    const m = live()
    m.wait(demandRenewMs * 3 + 1)
    m.send({ kind: 'demand', gatewayId: 'other', marketIds: [] })
    m.send(sweep([[0, m.now()]]))
    m.wait(limits.idleUnwatchMs)
    m.send({ kind: 'demand', gatewayId: 'other', marketIds: [] })
    expect(m.send(sweep([[0, m.now()]]))).toContainEqual({ kind: 'dropBook', bookId: 'a' })
  })

  it('keeps the demand while no gateway renews at all, for the longest tolerated bus outage', () => {
    const m = live()
    m.wait(busSilenceMs)
    m.send(sweep([[0, m.now()]]))
    m.wait(limits.idleUnwatchMs)
    expect(kinds(m.send(sweep([[0, m.now()]])))).not.toContain('dropBook')
    m.wait(limits.idleUnwatchMs)
    expect(kinds(m.send(sweep([[0, m.now()]])))).toContain('dropBook')
  })

  it('marks every book of a closed socket stale, records the gap and reconnects with growing attempts', () => {
    const m = live()
    expect(m.send({ kind: 'closed', shard: 0, reason: 'disconnected' })).toEqual([
      { kind: 'coverage', bookId: 'a', event: 'gap', reason: 'disconnected', at: m.now() + 1 },
      { kind: 'stale', bookIds: ['a'], reason: 'disconnected' },
      { kind: 'retryLater', shard: 0, attempt: 0 },
    ])
    expect(kinds(m.send({ kind: 'retry', shard: 0 }))).toEqual(['connect'])
    expect(m.send({ kind: 'closed', shard: 0, reason: 'disconnected' })).toEqual([
      { kind: 'retryLater', shard: 0, attempt: 1 },
    ])
    m.send({ kind: 'retry', shard: 0 })
    expect(kinds(m.send({ kind: 'opened', shard: 0 }))).toEqual(['subscribe'])
    expect(m.send({ kind: 'synced', bookId: 'a' })).toEqual([
      { kind: 'coverage', bookId: 'a', event: 'resumed', reason: null, at: m.now() },
    ])
  })

  it('reopens a socket whose messages are too old, with its books stale meanwhile, and less often while it repeats', () => {
    const m = live()
    const lagging = (): IngestEffect[] => m.send({ kind: 'lagging', shard: 0 })
    for (const attempt of [0, 1, 2]) {
      expect(lagging()).toEqual([
        { kind: 'coverage', bookId: 'a', event: 'gap', reason: 'lagging', at: m.now() + 1 },
        { kind: 'stale', bookIds: ['a'], reason: 'lagging' },
        { kind: 'disconnect', shard: 0, reason: 'lagging' },
        { kind: 'retryLater', shard: 0, attempt },
      ])
      expect(lagging()).toEqual([])
      m.send({ kind: 'retry', shard: 0 })
      m.send({ kind: 'opened', shard: 0 })
      m.send({ kind: 'synced', bookId: 'a' })
    }
    m.wait(120_000)
    expect(lagging().at(-1)).toEqual({ kind: 'retryLater', shard: 0, attempt: 0 })
  })

  describe('records on the tape when an event happened, however late its message was processed', () => {
    const coverage = (effects: IngestEffect[]): [string, number][] =>
      effects.flatMap((effect) => (effect.kind === 'coverage' ? [[effect.event, effect.at] as [string, number]] : []))

    it('starts coverage when the book arrived', () => {
      const m = machine()
      m.send(demand('a'))
      m.send({ kind: 'opened', shard: 0 })
      const came = m.now()
      m.wait(7_000)
      expect(coverage(m.send({ kind: 'synced', bookId: 'a', at: came }))).toEqual([['opened', came]])
    })

    it('starts the gap when the socket last delivered something', () => {
      const m = live()
      m.wait(20_000)
      const lastDataAt = m.now() - 9_000
      expect(coverage(m.send({ kind: 'closed', shard: 0, reason: 'disconnected', at: lastDataAt }))).toEqual([
        ['gap', lastDataAt],
      ])
      const silent = live()
      silent.wait(15_000)
      expect(coverage(silent.send(sweep([[0, silent.now() - 14_500]])))).toEqual([['gap', silent.now() - 14_500]])
    })

    it('starts the gap when the book was last proven, and never before it came alive', () => {
      const m = live()
      m.wait(60_000)
      const proven = m.now() - 40_000
      expect(coverage(m.send({ kind: 'broken', bookId: 'a', reason: 'frozen', feed: 'silent', at: proven }))).toEqual([
        ['gap', proven],
      ])
      m.send({ kind: 'synced', bookId: 'a' })
      const came = m.now()
      m.wait(500)
      expect(coverage(m.send({ kind: 'broken', bookId: 'a', reason: 'gap', at: proven }))).toEqual([['gap', came + 1]])
    })
  })

  it('answers a broken book with stale, a gap and one resync', () => {
    const m = live()
    expect(m.send({ kind: 'broken', bookId: 'a', reason: 'gap' })).toEqual([
      { kind: 'coverage', bookId: 'a', event: 'gap', reason: 'gap', at: m.now() + 1 },
      { kind: 'stale', bookIds: ['a'], reason: 'gap' },
      { kind: 'resync', shard: 0, bookIds: ['a'] },
    ])
  })

  it('requests all books of a broken socket at once', () => {
    const m = liveBooks('a', 'b', 'c')
    const broken = ['a', 'b', 'c'].map((bookId) => ({ kind: 'broken' as const, bookId, reason: 'gap' as const }))
    const effects = m.send({ kind: 'books', messages: broken })
    expect(effects.filter(({ kind }) => kind === 'resync')).toEqual([
      { kind: 'resync', shard: 0, bookIds: ['a', 'b', 'c'] },
    ])
  })

  it('waits longer for a venue that sends a book and closes again and again, until a connection lasts', () => {
    const m = live()
    const attempts: number[] = []
    const close = () => {
      for (const effect of m.send({ kind: 'closed', shard: 0, reason: 'disconnected' }))
        if (effect.kind === 'retryLater') attempts.push(effect.attempt)
      m.send({ kind: 'retry', shard: 0 })
      m.send({ kind: 'opened', shard: 0 })
      m.send({ kind: 'synced', bookId: 'a' })
    }
    for (let i = 0; i < 4; i++) close()
    m.wait(10_000)
    close()
    close()
    expect(attempts).toEqual([0, 1, 2, 3, 0, 1])
  })

  it('requests nothing while the socket is closed, because reopening it brings the books', () => {
    const m = live()
    m.send({ kind: 'closed', shard: 0, reason: 'disconnected' })
    expect(m.send({ kind: 'broken', bookId: 'a', reason: 'gap' })).toEqual([])
    m.wait(60_000)
    expect(m.send(sweep())).toEqual([])
  })

  it('splits the book that loses messages from those that share its socket, and they stay live', () => {
    const names = Array.from({ length: 80 }, (_, i) => `b${i}`)
    const m = machine({ booksPerSocket: 100, resyncInBand: true })
    const culprit = 'b37'
    let disturbed = Number.POSITIVE_INFINITY
    const act = (effects: IngestEffect[]): void => {
      for (const effect of effects) {
        if (effect.kind === 'connect') act(m.send({ kind: 'opened', shard: effect.shard }))
        if (effect.kind === 'resyncLater') act(m.send({ kind: 'resyncDue', shard: effect.shard }))
        if (effect.kind === 'subscribe' || effect.kind === 'resync' || effect.kind === 'renew')
          m.send({ kind: 'books', messages: effect.bookIds.map((bookId) => ({ kind: 'synced', bookId })) })
      }
    }
    act(m.send(demand(...names)))
    for (let n = 0; n < 1_000; n++) {
      const shard = m.state.shards.get(m.state.books.get(culprit)!.shard!)!
      disturbed = shard.books.size
      const messages = [...shard.books].map((bookId) => ({ kind: 'broken' as const, bookId, reason: 'gap' as const }))
      act(m.send({ kind: 'books', messages }))
      m.wait(100)
    }
    expect(disturbed).toBe(1)
    expect(m.state.shards.size).toBeLessThan(10)
    expect([...m.state.shards.values()].reduce((sum, { books }) => sum + books.size, 0)).toBe(80)
    const stale = names.filter((name) => m.state.books.get(name)!.state !== 'live')
    expect(stale.every((name) => name === culprit)).toBe(true)
  })

  it('bounds the cost of a socket that breaks with every message', () => {
    const m = liveBooks('a')
    let requestCount = 0
    const effects = (message: IngestMessage): void => {
      for (const effect of m.send(message)) {
        if (effect.kind === 'resync') requestCount++
        if (effect.kind === 'resyncLater') due.push(m.now() + Math.min(2_000, 250 * 2 ** effect.attempt))
      }
    }
    const due: number[] = []
    const minute = m.now() + 60_000
    while (m.now() < minute) {
      effects({ kind: 'synced', bookId: 'a' })
      effects({ kind: 'broken', bookId: 'a', reason: 'gap' })
      m.wait(10)
      if (due.length > 0 && due[0]! <= m.now()) {
        due.shift()
        effects({ kind: 'resyncDue', shard: 0 })
      }
      expect(due.length).toBeLessThan(2)
    }
    expect(requestCount).toBeGreaterThan(20)
    expect(requestCount).toBeLessThan(90)
  })

  it('repeats a REST resync that did not arrive, and resubscribes when the feed itself must send the book', () => {
    const m = live()
    m.send({ kind: 'broken', bookId: 'a', reason: 'gap' })
    const requested: string[] = []
    for (let round = 0; round < 8; round++) {
      m.wait(resyncDeadlineMs)
      requested.push(...kinds(m.send(sweep([[0, m.now()]]))))
    }
    expect(requested).toEqual(['renew', 'renew', 'resync', 'renew', 'resync', 'resync', 'resync', 'renew'])
  })

  it('pauses after a failed REST resync', () => {
    const m = live()
    m.send({ kind: 'broken', bookId: 'a', reason: 'gap' })
    m.send({ kind: 'resyncFailed', bookId: 'a', retryMs: 1_000 })
    m.wait(900)
    expect(m.send(sweep([[0, m.now()]]))).toEqual([])
    m.wait(100)
    expect(m.send(sweep([[0, m.now()]]))).toHaveLength(1)
  })

  it('closes a socket whose requested snapshot never arrives when nothing else does', () => {
    const m = live({ resyncInBand: true })
    m.send({ kind: 'broken', bookId: 'a', reason: 'gap' })
    m.wait(resyncDeadlineMs)
    expect(kinds(m.send(sweep([[0, m.now()]])))).toEqual(['renew'])
    const lastDataAt = m.now() - 1
    m.wait(resyncDeadlineMs)
    expect(kinds(m.send(sweep([[0, lastDataAt]])))).toEqual(['disconnect', 'retryLater'])
  })

  it('keeps a socket that misses one book while others arrive', () => {
    const m = liveBooks('a', 'b')
    m.send({ kind: 'broken', bookId: 'a', reason: 'gap' })
    for (let round = 0; round < 20; round++) {
      m.wait(resyncDeadlineMs)
      expect(kinds(m.send(sweep([[0, m.now()]])))).toHaveLength(1)
    }
    expect(m.state.books.get('b')!.state).toBe('live')
  })

  it('closes a socket that answers no request for a book and makes none live, whatever else it sends', () => {
    const m = machine({ resyncInBand: true })
    m.send(demand('a', 'b'))
    m.send({ kind: 'opened', shard: 0 })
    const seconds = secondsUntil(m, 'disconnect')
    expect(seconds).toBeGreaterThan(resyncDeadlineMs / 1_000)
    expect(seconds).toBeLessThanOrEqual(15)
  })

  it('reopens a socket that was given up before it brought a book less and less often, until one does', () => {
    const m = machine({ resyncInBand: true })
    m.send(demand('a'))
    const attempts: unknown[] = []
    for (let n = 0; n < 3; n++) {
      m.send({ kind: 'opened', shard: 0 })
      secondsUntil(m, 'disconnect', (effect) => effect.kind === 'retryLater' && attempts.push(effect.attempt))
      m.send({ kind: 'retry', shard: 0 })
    }
    expect(attempts).toEqual([0, 1, 2])
    m.send({ kind: 'opened', shard: 0 })
    m.send({ kind: 'synced', bookId: 'a' })
    m.send({ kind: 'broken', bookId: 'a', reason: 'gap' })
    secondsUntil(m, 'disconnect', (effect) => effect.kind === 'retryLater' && attempts.push(effect.attempt))
    expect(attempts).toEqual([0, 1, 2, 0])
  })

  it('probes a silent socket halfway to the limit and reports it as frozen at the limit', () => {
    const m = live()
    m.wait(7_500)
    expect(m.send(sweep())).toEqual([{ kind: 'probe', shard: 0, bookIds: ['a'] }])
    m.wait(7_500)
    expect(kinds(m.send(sweep()))).toEqual(['coverage', 'stale', 'disconnect', 'retryLater'])
  })

  it('is not delayed by requests for more books, which on a busy server would hide a frozen feed', () => {
    const m = live({ booksPerSocket: 10 })
    for (let n = 0; n < 7; n++) {
      m.wait(2_000)
      m.send(demand('a', ...Array.from({ length: n + 1 }, (_, i) => `b${i}`)))
    }
    expect(kinds(m.send(sweep())).slice(-2)).toEqual(['disconnect', 'retryLater'])
  })

  it('treats a market as quiet when the venue confirms the book', () => {
    const m = live()
    m.wait(7_500)
    m.send(sweep())
    m.send({ kind: 'probed', shard: 0, same: true })
    m.wait(7_400)
    expect(m.send(sweep())).toEqual([])
  })

  it('reports a feed as frozen when a snapshot requested on the socket stays unanswered', () => {
    const m = live({ resyncInBand: true })
    m.wait(7_500)
    expect(kinds(m.send(sweep()))).toEqual(['probe'])
    m.wait(resyncDeadlineMs)
    expect(kinds(m.send(sweep()))).toEqual(['coverage', 'stale', 'disconnect', 'retryLater'])
  })

  it('keeps a socket that answered the requested snapshot', () => {
    const m = live({ resyncInBand: true })
    m.wait(7_500)
    m.send(sweep())
    m.wait(1)
    const answeredAt = m.now()
    m.wait(resyncDeadlineMs)
    expect(m.send(sweep([[0, answeredAt]]))).toEqual([])
  })

  it('decides about a silent socket before the limit has passed, not up to a sweep later', () => {
    const m = live()
    m.wait(limits.silenceMs - sweepMs)
    expect(kinds(m.send(sweep()))).toEqual(['coverage', 'stale', 'disconnect', 'retryLater'])
  })

  describe('when the venue shows another book than a silent socket', () => {
    const differs: IngestMessage = { kind: 'probed', shard: 0, same: false, bookId: 'a' }

    it('compares the same book once more, and reports the feed as frozen when it still differs', () => {
      const m = live()
      m.wait(7_500)
      m.send(sweep())
      expect(m.send(differs)).toEqual([])
      m.wait(sweepMs)
      expect(m.send(sweep())).toEqual([{ kind: 'probe', shard: 0, bookIds: ['a'] }])
      expect(kinds(m.send(differs))).toEqual([
        'coverage',
        'stale',
        'awaitFeed',
        'disconnect',
        'retryLater',
        'awaitFeed',
      ])
    })

    it('clears the suspicion when data arrives meanwhile', () => {
      const m = live()
      m.wait(7_500)
      m.send(sweep())
      m.send(differs)
      m.wait(sweepMs)
      expect(m.send(sweep([[0, m.now()]]))).toEqual([])
      m.wait(7_500)
      m.send(sweep([[0, m.now() - 7_500]]))
      expect(m.send(differs)).toEqual([])
    })

    it('makes the connection’s books wait for data of the new connection, and this book for a message of its own', () => {
      const m = liveBooks('a', 'b')
      m.wait(7_500)
      m.send(sweep())
      m.send(differs)
      const awaited = m.send(differs).filter(({ kind }) => kind === 'awaitFeed')
      expect(awaited).toEqual([
        { kind: 'awaitFeed', bookIds: ['a', 'b'], awaits: 'connection' },
        { kind: 'awaitFeed', bookIds: ['a'], awaits: 'message' },
      ])
      m.send({ kind: 'retry', shard: 0 })
      m.send({ kind: 'opened', shard: 0 })
      expect(m.send({ kind: 'delivering', shard: 0 })).toEqual([{ kind: 'resync', shard: 0, bookIds: ['a', 'b'] }])
      expect(m.send({ kind: 'delivering', shard: 0 })).toEqual([])
    })
  })

  it('makes a book whose own feed is silent wait for a message of its own, but not one whose feed lost some', () => {
    const m = liveBooks('a', 'b')
    const broken = (bookId: string, feed: 'silent' | 'lossy') =>
      m.send({ kind: 'broken', bookId, reason: 'frozen', feed })
    expect(kinds(broken('a', 'silent'))).toEqual(['coverage', 'stale', 'awaitFeed', 'renew'])
    expect(kinds(broken('b', 'lossy'))).toEqual(['coverage', 'stale', 'renew'])
  })

  it('republishes live books to a gateway that comes later', () => {
    const m = live()
    expect(m.send({ kind: 'demand', gatewayId: 'late', marketIds: ['a'] })).toEqual([
      { kind: 'republish', bookIds: ['a'] },
    ])
  })

  it('drops a market the venue rejects and closes its coverage only when it had any', () => {
    const m = machine()
    m.send(demand('ghost'))
    m.send({ kind: 'opened', shard: 0 })
    expect(kinds(m.send({ kind: 'refused', bookId: 'ghost', reason: 'unknown' }))).toEqual([
      'dropBook',
      'unsubscribe',
      'disconnect',
    ])
  })

  it('does not request a rejected market again while its demand is renewed', () => {
    const m = machine()
    m.send(demand('ghost'))
    m.send({ kind: 'opened', shard: 0 })
    m.send({ kind: 'refused', bookId: 'ghost', reason: 'unknown' })
    expect(m.send(demand('ghost'))).toEqual([])
    m.wait(rejectedDelayMs)
    expect(kinds(m.send(demand('ghost')))).toEqual(['connect', 'openBook'])
  })

  it('releases a book whose market stopped trading, until the venue reopens it or the catalog had time to notice', () => {
    for (const again of ['told', 'waited'] as const) {
      const m = live()
      expect(kinds(m.send({ kind: 'ended', bookId: 'a', reason: 'closed' }))).toEqual([
        'coverage',
        'dropBook',
        'unsubscribe',
        'disconnect',
      ])
      m.wait(rejectedDelayMs)
      expect(m.send(demand('a'))).toEqual([])
      expect(m.send(sweep())).toEqual([])
      m.wait(again === 'told' ? 0 : finishedDelayMs)
      expect(kinds(m.send(again === 'told' ? { kind: 'reopened', bookId: 'a' } : demand('a')))).toContain('openBook')
    }
  })

  it('ranks readers’ books before those of surfaces, and alternates between the surfaces’ nearest legs', () => {
    const m = machine({ mode: 'poll' })
    const rank = (effects: IngestEffect[]) => effects.find((effect) => effect.kind === 'rank')
    m.send(demand('a', 'b'))
    const surface = { kind: 'demand', purpose: 'surface', gatewayId: 's', marketIds: ['b', 'c', 'd', 'e'] } as const
    m.send({ ...surface, near: ['c', 'b'] })
    const effects = m.send({ ...surface, gatewayId: 't', near: ['d', 'c', 'e'] })
    expect(rank(effects)).toEqual({ kind: 'rank', readers: new Set(['a', 'b']), near: ['c', 'd', 'b', 'e'] })
    m.wait(demandRenewMs * 3 + 1)
    m.send({ ...surface, near: [] })
    expect(rank(m.send(sweep()))).toEqual({ kind: 'rank', readers: new Set(), near: [] })
  })

  it('polls without a socket', () => {
    const m = machine({ mode: 'poll' })
    expect(kinds(m.send(demand('a')))).toEqual(['openBook', 'rank'])
    m.send({ kind: 'synced', bookId: 'a' })
    expect(kinds(m.send({ kind: 'pollFailed', bookIds: ['a'], reason: 'unreachable' }))).toEqual(['coverage', 'stale'])
  })
})

describe('demand with an inbox', () => {
  const from = (gatewayId: string, inbox: number, marketIds: string[], lacking?: number[]): IngestMessage => ({
    kind: 'demand',
    gatewayId,
    marketIds,
    inbox,
    ...(lacking && { lacking }),
  })
  const sent = (effects: IngestEffect[]): IngestEffect[] =>
    effects.filter(({ kind }) => kind === 'republish' || kind === 'withdraw')

  it('republishes a book that others already read to a reader that comes later', () => {
    const m = liveBooks('a', 'b')
    expect(sent(m.send(from('h', 1, ['a'])))).toEqual([{ kind: 'republish', bookIds: ['a'] }])
    expect(sent(m.send(from('h', 1, ['a'])))).toEqual([])
  })

  it('republishes to a later reader that a book is stale, and nothing of one that has not arrived', () => {
    const m = liveBooks('a')
    m.send({ kind: 'broken', bookId: 'a', reason: 'gap' })
    m.send(demand('a', 'b'))
    expect(sent(m.send(from('h', 1, ['a', 'b'])))).toEqual([{ kind: 'republish', bookIds: ['a'] }])
  })

  it('republishes a book that a reader reports missing, although its demand has not changed', () => {
    const m = liveBooks('a', 'b', 'c')
    m.send(from('h', 1, ['a', 'b', 'c']))
    expect(sent(m.send(from('h', 1, ['a', 'b', 'c'], [0, 2, 9])))).toEqual([{ kind: 'republish', bookIds: ['a', 'c'] }])
  })

  it('republishes every book to a reader of the whole venue, and opens no book named like the venue', () => {
    const m = liveBooks('a', 'b')
    expect(m.send(from('h', 1, [everyMarket]))).toEqual([{ kind: 'republish', bookIds: ['a', 'b'] }])
    expect(sent(m.send(from('h', 1, [everyMarket])))).toEqual([])
    expect(sent(m.send(from('h', 1, [everyMarket], [0])))).toEqual([{ kind: 'republish', bookIds: ['a', 'b'] }])
    expect(sent(m.send(from('h', 1, [])))).toEqual([{ kind: 'withdraw', inbox: 1, bookIds: ['a', 'b'] }])
  })

  it('withdraws a book from an inbox with the last demand for it there', () => {
    const m = liveBooks('a', 'b')
    m.send(from('gateway', 1, ['a', 'b']))
    m.send(from('surface', 1, ['b']))
    m.send(from('elsewhere', 2, ['a', 'b']))
    expect(sent(m.send(from('gateway', 1, [])))).toEqual([{ kind: 'withdraw', inbox: 1, bookIds: ['a'] }])
    expect(sent(m.send(from('surface', 1, ['a'])))).toEqual([
      { kind: 'withdraw', inbox: 1, bookIds: ['b'] },
      { kind: 'republish', bookIds: ['a'] },
    ])
  })

  it('withdraws the books of a demand that has lapsed', () => {
    const m = liveBooks('a')
    m.send(from('h', 1, ['a']))
    for (let ms = 0; ms < 3 * demandRenewMs; ms += 1_000) {
      m.wait(1_000)
      m.send(demand('a'))
      expect(sent(m.send(sweep([[0, m.now()]])))).toEqual([])
    }
    m.wait(1_000)
    expect(sent(m.send(sweep([[0, m.now()]])))).toEqual([{ kind: 'withdraw', inbox: 1, bookIds: ['a'] }])
  })

  it('republishes everything to a sender that reads another inbox after a restart', () => {
    const m = liveBooks('a', 'b')
    m.send(from('h', 1, ['a', 'b']))
    expect(sent(m.send(from('h', 2, ['a', 'b'])))).toEqual([
      { kind: 'withdraw', inbox: 1, bookIds: ['a', 'b'] },
      { kind: 'republish', bookIds: ['a', 'b'] },
    ])
  })
})
