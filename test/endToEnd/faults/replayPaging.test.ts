// The tape over HTTP, page by page: whatever the page sizes, and while new rows arrive, the pages together equal the unpaged response; a
// changed cursor is a 400.
import { beforeAll, describe, expect, it } from 'vitest'
import { createPrng } from '#lab/prng'
import { eventually, type Served, type StreamClient } from '#test/support/cluster/client'
import { isLong, seedOf, watching, withEngine } from '#test/support/engine'
import { DrivenMarket } from './drivenMarket.ts'

const engine = withEngine()
const rowsWanted = 2_000
const mutations = isLong ? 10_000 : 300

interface Page {
  status: number
  lines: string[]
  next: string | null
  code: string | undefined
}

async function page({ url, apiKey }: Served, query: Record<string, string | number>): Promise<Page> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const response = await fetch(`${url}/v1/history/replay?${parameters}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const text = await response.text()
  if (response.status !== 200) {
    const code = (JSON.parse(text) as { error: { code: string } }).error.code
    return { status: response.status, lines: [], next: null, code }
  }
  const lines = text.trimEnd().split('\n')
  const cursors = lines.filter((line) => (JSON.parse(line) as { k: string }).k === 'cursor')
  expect(cursors).toHaveLength(1)
  expect(lines.at(-1)).toBe(cursors[0])
  const end = JSON.parse(cursors[0]!) as { next: string | null; rows: number }
  expect(end.rows).toBe(lines.length - 1)
  return { status: 200, lines: lines.slice(0, -1), next: end.next, code: undefined }
}

describe.each(['polymarket', 'kalshi'] as const)('%s', (venue) => {
  let market: DrivenMarket
  let client: StreamClient
  let window: Record<string, string | number>

  beforeAll(async () => {
    market = new DrivenMarket(engine.lab, venue, engine.fresh(venue), seedOf('paging'))
    client = await watching(engine, venue, market.id)
    const since = Date.now() - 60_000
    window = { venue, outcomeId: market.id, since, until: since + 3_600_000 }
    await grow(rowsWanted)
  }, 60_000)

  let marks = 0

  /** Moves until the tape has this many top-of-book rows, many of them within one millisecond, and the last of them. */
  async function grow(rows: number): Promise<void> {
    for (let had = 0; had < rows; ) {
      await market.move(1_000)
      const last = 60_000 + ++marks
      market.sizeBestBid(last)
      await market.converges(client)
      await eventually(async () => {
        const { lines } = await page(engine.served, { ...window, kind: 'tob', limit: 20_000 })
        expect((JSON.parse(lines.at(-1)!) as { bidSize: number }).bidSize).toBe(last)
        had = lines.length
      })
    }
  }

  it.each(['tob', 'trades'] as const)('pages of %s of random sizes together equal the whole', async (kind) => {
    const whole = await page(engine.served, { ...window, kind, limit: 20_000 })
    expect(whole.next).toBeNull()
    const stamps = whole.lines.map((line) => (JSON.parse(line) as { ts: number }).ts)
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b))
    if (kind === 'tob') {
      expect(stamps.length).toBeGreaterThanOrEqual(rowsWanted)
      expect(new Set(stamps).size, 'equal timestamps').toBeLessThan(stamps.length)
    }
    expect(new Set(whole.lines).size, 'every row once').toBe(stamps.length)
    const random = createPrng(seedOf(`pages/${venue}/${kind}`))
    for (let walk = 0; walk < 3; walk++) {
      const sizes: number[] = []
      const lines: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const limit = 1 + random.int(400)
        sizes.push(limit)
        const one: Page = await page(engine.served, { ...window, kind, limit, ...(cursor === '' ? {} : { cursor }) })
        expect(one.status).toBe(200)
        lines.push(...one.lines)
        cursor = one.next
      }
      expect(lines, `sizes ${sizes}`).toEqual(whole.lines)
    }
  })

  it('a walk begun before new rows arrived ends with them', async () => {
    const first = await page(engine.served, { ...window, kind: 'tob', limit: 500 })
    expect(first.next).not.toBeNull()
    const had = (await page(engine.served, { ...window, kind: 'tob', limit: 20_000 })).lines.length
    await grow(had + 100)
    const lines = [...first.lines]
    for (let cursor = first.next; cursor !== null; ) {
      const one = await page(engine.served, { ...window, kind: 'tob', limit: 700, cursor })
      lines.push(...one.lines)
      cursor = one.next
    }
    const whole = await page(engine.served, { ...window, kind: 'tob', limit: 20_000 })
    expect(whole.lines.length).toBeGreaterThan(had)
    expect(lines).toEqual(whole.lines)
  })

  it(`refuses ${mutations} changed cursors, and one of another kind`, async () => {
    const { next } = await page(engine.served, { ...window, kind: 'tob', limit: 10 })
    const foreign = await page(engine.served, { ...window, kind: 'trades', cursor: next! })
    expect([foreign.status, foreign.code]).toEqual([400, 'VALIDATION_ERROR'])
    const random = createPrng(seedOf(`cursors/${venue}`))
    for (let n = 0; n < mutations; n++) {
      const cursor = mutated(next!, random.int)
      if (cursor === next || cursor === '') continue
      const { status, code } = await page(engine.served, { ...window, kind: 'tob', limit: 10, cursor })
      expect([status, code], `seed ${seedOf(`cursors/${venue}`)}: ${cursor}`).toEqual([400, 'VALIDATION_ERROR'])
    }
  }, 180_000)
})

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~ =+/'

function mutated(cursor: string, int: (below: number) => number): string {
  const at = int(cursor.length)
  const letter = alphabet[int(alphabet.length)]!
  switch (int(4)) {
    case 0:
      return cursor.slice(0, at) + letter + cursor.slice(at + 1)
    case 1:
      return cursor.slice(0, at)
    case 2:
      return cursor.slice(0, at) + letter + cursor.slice(at)
    default:
      return cursor.slice(0, at) + cursor.slice(at + 1)
  }
}
