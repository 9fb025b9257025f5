// Every tool once, by a client that starts `crossbook mcp` as programs with models in them do, against a running demo.
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'

type Row = Record<string, unknown>

export async function tryEveryTool(dataDir: string): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' })
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', 'src/cli.ts', 'mcp']
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', DATA_DIR: dataDir }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd }))
  const called: string[] = []
  const read = async (name: string, given: Row = {}): Promise<Row> => {
    called.push(name)
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [first] = content as { text: string }[]
    expect(isError, `${name}: ${first!.text}`).not.toBe(true)
    return JSON.parse(first!.text) as Row
  }
  try {
    const named = (await client.listTools()).tools.map(({ name }) => name)
    expect(await read('status')).toMatchObject({ lab: true })
    const venue = 'polymarket'
    const [found] = (await read('search_markets', { venue, limit: 1 })).rows as Row[]
    const { marketId } = found!
    const { outcomeId } = (found!.outcomes as Row[])[0]!
    expect((await read('market', { venue, marketId })).market).toMatchObject({ marketId })
    expect(
      ((await read('order_book', { venue, outcomeId, levels: 3 })).book as { bids: unknown[] }).bids.length,
    ).toBeLessThanOrEqual(3)
    await read('candles', { venue, outcomeId, resolution: '1m', limit: 5 })
    await read('coverage', { venue, outcomeId })
    for (const name of ['arbitrage', 'structures'])
      expect(Array.isArray((await read(name, { executableOnly: false })).rows), name).toBe(true)
    await read('matches', { marketId: `${venue}:${marketId}` })
    const [top] = (await read('top_traders', { venue })).rows as Row[]
    await read('trader', { venue, wallet: top?.wallet ?? `0x${'1'.repeat(40)}` })
    called.push('order_dry_run')
    const { content } = await client.callTool({ name: 'order_dry_run', arguments: { venue, order: { marketId } } })
    expect(JSON.stringify(content)).toContain('VALIDATION_ERROR')
    return named.filter((name) => !called.includes(name))
  } finally {
    await client.close()
  }
}
