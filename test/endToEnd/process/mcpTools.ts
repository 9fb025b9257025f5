// Every tool once, by a client that starts the server as docs/mcp.md configures it, against a running demo: only address and key differ.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { Served } from '#test/support/cluster/client'
import { projectRoot, sampleOf } from '#test/support/docs/samples'

type Row = Record<string, unknown>

interface Settings {
  mcpServers: { crossbook: { command: string; args: string[]; env: Record<string, string> } }
}

export async function tryEveryTool(served: Served): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' })
  const { mcpServers } = JSON.parse(sampleOf('docs/mcp.md', '{ "mcpServers"')) as Settings
  const { command, args, env: given } = mcpServers.crossbook
  expect(Object.keys(given)).toEqual(['CROSSBOOK_URL', 'CROSSBOOK_API_KEY'])
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    CROSSBOOK_URL: served.url,
    CROSSBOOK_API_KEY: served.apiKey,
  }
  await client.connect(new StdioClientTransport({ command, args, env, cwd: projectRoot }))
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
    const [question] = (await read('odds', { query: String(found!.title).slice(0, 200), questions: 1 })).rows as Row[]
    expect(question?.odds).toContainEqual(expect.objectContaining({ venue, bestBid: expect.any(Number) }))
    await read('matches', { marketId: `${venue}:${marketId}` })
    const [top] = (await read('top_traders', { venue })).rows as Row[]
    await read('trader', { venue, wallet: top?.wallet ?? `0x${'1'.repeat(40)}` })
    const { book } = await read('order_book', { venue, outcomeId, levels: 1 })
    const [best] = (book as { bids: { price: number }[] }).bids
    const owner = privateKeyToAccount(generatePrivateKey()).address
    const order = { asset: outcomeId, isBuy: true, price: best!.price, size: 50, owner }
    const { preview } = await read('order_dry_run', { venue, order })
    expect(preview).toMatchObject({ unsigned: { message: expect.any(Object) } })
    expect(JSON.stringify(preview).toLowerCase()).toContain(owner.toLowerCase())
    const wrong = await client.callTool({ name: 'order_dry_run', arguments: { venue, order: { marketId } } })
    expect(JSON.stringify(wrong.content)).toContain('VALIDATION_ERROR')
    return named.filter((name) => !called.includes(name))
  } finally {
    await client.close()
  }
}
