import { expect, test } from 'vitest'
import { createFeed } from '#actors/ingest/feedSink'
import type { IngestBook } from '#actors/ingest/ingestBook'
import type { TapeBuffer } from '#actors/ingest/recordBuffer'
import { silentLog } from '#core/log'

const ignore = () => undefined

test('releases a book whose market stopped trading, and requests it when the market opens again', () => {
  const events: string[] = []
  const watched = new Set(['a'])
  const feed = createFeed({
    venue: 'kalshi',
    bus: { publish: (topic, key) => events.push(`${topic} ${key}`) },
    tape: {} as TapeBuffer,
    find: (bookId) => (watched.has(bookId) ? ({} as IngestBook) : undefined),
    counters: { malformed: 0 },
    log: silentLog,
    send: ignore,
    onBroken: ignore,
    onContradicted: () => false,
    onUnseeded: ignore,
    onRefused: ignore,
    onEnded: (bookId, reason) => events.push(`ended ${bookId}: ${reason}`),
    onReopened: (bookId) => events.push(`reopened ${bookId}`),
    onFailed: ignore,
    onDraining: () => undefined,
  })
  feed.marketStatus('a', 'inactive', 1)
  feed.marketStatus('nobody', 'closed', 1)
  feed.marketStatus('a', 'active', 1)
  expect(events).toEqual([
    'marketStatus kalshi:a',
    'ended a: the venue says that the market is inactive',
    'marketStatus kalshi:nobody',
    'marketStatus kalshi:a',
    'reopened a',
  ])
})

test('counts unreadable frames, and books that one made unreadable, as drift', () => {
  const lost: string[] = []
  const broken: string[] = []
  const counters = { malformed: 0 }
  const feed = createFeed({
    venue: 'kalshi',
    bus: { publish: ignore },
    tape: {} as TapeBuffer,
    find: ignore as () => undefined,
    counters,
    lostField: (field) => lost.push(field),
    log: silentLog,
    send: ignore,
    onBroken: (bookId, reason) => broken.push(`${bookId} ${reason}`),
    onContradicted: () => false,
    onUnseeded: ignore,
    onRefused: ignore,
    onEnded: ignore,
    onReopened: ignore,
    onFailed: ignore,
    onDraining: ignore,
  })
  feed.malformed('no JSON')
  feed.broken('a', 'unreadable')
  feed.broken('a', 'gap')
  expect(lost).toEqual(['socket frame', 'book of a socket frame'])
  expect(broken).toEqual(['a unreadable', 'a gap'])
  expect(counters.malformed).toBe(1)
})

test('ignores a trade of a market that another ingest process feeds', () => {
  const taken: string[] = []
  const feed = createFeed({
    venue: 'kalshi',
    bus: { publish: (topic, key) => taken.push(`${topic} ${key}`) },
    tape: { addPublished: ({ marketId }) => taken.push(`tape ${marketId}`) } as Pick<
      TapeBuffer,
      'addPublished'
    > as TapeBuffer,
    find: ignore as () => undefined,
    isOurs: (bookId) => bookId === 'ours',
    counters: { malformed: 0 },
    log: silentLog,
    send: ignore,
    onBroken: ignore,
    onContradicted: () => false,
    onUnseeded: ignore,
    onRefused: ignore,
    onEnded: ignore,
    onReopened: ignore,
    onFailed: ignore,
    onDraining: ignore,
  })
  const data = { id: 't', time: '', timestamp: 1, type: 'Buy', usd: null, outcome: null, outcomeIndex: null } as const
  for (const marketId of ['theirs', 'ours']) {
    const rest = { shares: 1, price: 0.5, maker: null, transactionHash: null, wallet: null, counterparty: null }
    feed.trade({ venue: 'kalshi', marketId, outcomeId: marketId, recvTs: 1, data: { ...data, ...rest } })
  }
  expect(taken).toEqual(['trades kalshi:ours', 'tape ours'])
})
