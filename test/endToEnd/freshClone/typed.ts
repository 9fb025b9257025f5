// The output of openapi-typescript for the served document compiles strictly, and a market is read by its types.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { emptyProject, shell } from './stranger.ts'

const reading = `
import createClient from 'openapi-fetch'
import type { paths } from './api.ts'

declare const process: { env: Record<string, string> }
const { CROSSBOOK_URL: baseUrl, KEY } = process.env
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${KEY}\` } })
const of = { path: { exchange: 'kalshi' } }
const { data: found } = await client.GET('/api/{exchange}/fetchMarkets', { params: { ...of, query: { limit: 1 } } })
const [market] = found?.data ?? []
if (market === undefined) throw new Error('no market')
const { marketId, title, outcomes } = market
const query = { outcomeId: outcomes[0]!.outcomeId }
const { data: book } = await client.GET('/api/{exchange}/fetchOrderBook', { params: { ...of, query } })
if (book === undefined || !('bids' in book.data)) throw new Error('no book')
const bid: number | undefined = book.data.bids[0]?.price
console.log(marketId satisfies string, title satisfies string, bid)
`

export async function readWithOpenapiTypescript(folder: string, url: string, apiKey: string): Promise<void> {
  const project = await emptyProject(folder, 'openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3')
  await shell(`npx openapi-typescript ${url}/openapi.json -o api.ts`, project)
  await writeFile(join(project, 'read.ts'), reading)
  const options = '--noEmit --strict --target es2022 --module nodenext --allowImportingTsExtensions --lib es2023,dom'
  await shell(`npx tsc ${options} api.ts read.ts`, project)
  const read = await shell(`"${process.execPath}" read.ts`, project, { CROSSBOOK_URL: url, KEY: apiKey })
  expect(read).toMatch(/^\S+ .+ 0\.\d+$/m)
}
