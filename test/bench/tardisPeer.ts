// The peer of replay: tardis-dev reading cached slices of book tickers, normalised, as its users do. No network: the slice is written
// first.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const exchange = 'binance-futures'
const symbol = 'btcusdt'
const minute = Date.UTC(2024, 0, 1)

interface TardisInternals {
  getFilters(mappers: unknown[], symbols: string[]): unknown[]
  optimizeFilters(filters: unknown[]): unknown[]
  sha256(value: unknown): string
}

/** Milliseconds of CPU per message, over `messages` cached book tickers. Null when the package is missing or fails. */
export async function tardisCpuMsPerMessage(messages: number): Promise<number | null> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'crossbook-tardis-'))
  try {
    const tardis = await import('tardis-dev')
    const handy = createRequire(import.meta.url)('tardis-dev/dist/handy.js') as TardisInternals
    const mapper = tardis.normalizeBookTickers(exchange, new Date(minute))
    const filters = handy.optimizeFilters(handy.getFilters([mapper], [symbol]))
    const slice = join(cacheDir, 'feeds', exchange, handy.sha256(filters), '2024/01/01/00/00.json.gz')
    await mkdir(dirname(slice), { recursive: true })
    await writeFile(slice, gzipSync(sliceText(messages)))
    tardis.init({ cacheDir })
    const before = process.cpuUsage()
    let seen = 0
    for await (const row of tardis.replayNormalized(
      {
        exchange,
        symbols: [symbol],
        from: new Date(minute).toISOString(),
        to: new Date(minute + 60_000).toISOString(),
        autoCleanup: false,
      },
      tardis.normalizeBookTickers,
    )) {
      if (row.type === 'book_ticker') seen += 1
    }
    const { user, system } = process.cpuUsage(before)
    return seen === messages ? (user + system) / 1_000 / seen : null
  } catch (error) {
    process.stderr.write(`tardis-dev does not run here: ${error instanceof Error ? error.message : String(error)}\n`)
    return null
  } finally {
    await rm(cacheDir, { recursive: true, force: true })
  }
}

function sliceText(messages: number): string {
  const lines: string[] = []
  for (let i = 0; i < messages; i++) {
    const at = minute + Math.floor((i * 59_000) / messages)
    const time = `${new Date(at).toISOString().slice(0, -1)}0000Z`
    const data = {
      e: 'bookTicker',
      u: 3_900_000_000_000 + i,
      s: 'BTCUSDT',
      b: (42_000 + (i % 97) / 10).toFixed(2),
      B: ((i * 7) % 9_000) / 1_000,
      a: (42_010 + (i % 89) / 10).toFixed(2),
      A: ((i * 11) % 9_000) / 1_000,
      T: at - 3,
      E: at - 2,
    }
    lines.push(
      `${time} ${JSON.stringify({ stream: `${symbol}@bookTicker`, data: { ...data, B: String(data.B), A: String(data.A) } })}`,
    )
  }
  return `${lines.join('\n')}\n`
}
