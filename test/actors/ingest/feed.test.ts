import { expect, test } from 'vitest'
import { createFeed } from '#actors/ingest/feed'
import type { IngestBook } from '#actors/ingest/ingestBook'
import type { TapeBuffer } from '#actors/ingest/tapeBuffer'
import { silentLog } from '#lib/log'

const ignore = () => undefined

test('a book of a market that trades no more is let go of, and asked for when the market opens again', () => {
  const told: string[] = []
  const watched = new Set(['a'])
  const feed = createFeed({
    venue: 'kalshi',
    bus: { publish: (topic, key) => told.push(`${topic} ${key}`) },
    tape: {} as TapeBuffer,
    find: (bookId) => (watched.has(bookId) ? ({} as IngestBook) : undefined),
    counters: { malformed: 0 },
    log: silentLog,
    send: ignore,
    onBroken: ignore,
    onContradicted: () => false,
    onUnseeded: ignore,
    onRefused: ignore,
    onEnded: (bookId, reason) => told.push(`ended ${bookId}: ${reason}`),
    onReopened: (bookId) => told.push(`reopened ${bookId}`),
    onFailed: ignore,
    onDraining: () => undefined,
  })
  feed.marketStatus('a', 'inactive', 1)
  feed.marketStatus('nobody', 'closed', 1)
  feed.marketStatus('a', 'active', 1)
  expect(told).toEqual([
    'marketStatus kalshi:a',
    'ended a: the venue says that the market is inactive',
    'marketStatus kalshi:nobody',
    'marketStatus kalshi:a',
    'reopened a',
  ])
})
