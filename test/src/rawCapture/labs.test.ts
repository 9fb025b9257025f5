// Messages that ingest received from a simulated venue, captured and replayed, give the same books and the same tape; and the books are the
// simulated venue's own.
import { afterEach, describe, expect, it } from 'vitest'
import { captureLab, replayFolder, temporaryFolder } from '#test/support/raw/capturedLab'
import { isLong } from '#test/support/shortRuns'
import { venueCases } from '#test/support/venueCases'
import { streamsTrades } from '#venues/venue'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Two with a feed, and one that is polled; in the long form all. */
const short: ReadonlySet<string> = new Set(['kalshi', 'polymarket', 'rain'])
const cases = Object.values(venueCases).filter(({ manifest }) => isLong || short.has(manifest.slug))

describe.each(cases.map((one) => [one.manifest.slug, one] as const))('%s', (_slug, one) => {
  it('gives the same books and trades when its capture is replayed', async () => {
    const { folder, remove } = await temporaryFolder()
    stops.push(remove)
    const { bookIds, truth } = await captureLab(one, folder)
    const report = await replayFolder(folder)
    expect(report).toMatchObject({ first: null, dropped: 0, unanswered: 0, framesUnplayed: 0, partial: 0, torn: false })
    expect(report.books).toMatchObject({ equal: bookIds.length, different: 0, unknown: 0 })
    expect(report.books.notes).toBeGreaterThan(bookIds.length)
    expect(report.trades).toMatchObject({ different: 0, unknown: 0 })
    if (streamsTrades(one.manifest.data) && one.lab !== 'opinion') expect(report.trades.equal).toBeGreaterThan(0)
    for (const [bookId, { bids, asks }] of truth) {
      const book = report.final.books.get(bookId)!
      expect(book.state).toBe('live')
      expect(JSON.parse(`${book.core}}`)).toMatchObject({ bids, asks })
    }
  }, 180_000)
})
