// The client that openapi-python-client generates from a document compiles, and reads a market.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Served } from '#test/support/cluster/client'
import type { Python } from '#test/support/python/venv'

const reading = `
import sys
from crossbook_client import AuthenticatedClient
from crossbook_client.api.markets import fetch_markets_get, fetch_order_book_get
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
market = fetch_markets_get.sync("kalshi", client=client, limit=1).data[0]
print(market.title)
print(fetch_order_book_get.sync("kalshi", client=client, outcome_id=market.outcomes[0].outcome_id).data.bids[0].price)
`

/** From docs/names.md: media types that it does not know, mapped to one that it knows. */
export const contentTypeOverrides = {
  'application/x-ndjson': 'text/plain',
  'application/vnd.apache.parquet': 'application/octet-stream',
}

/** No part of the document may be left out. `python` has requirements/generator.txt; the client is written to `folder`. */
export async function readWithOpenapiPythonClient(
  python: Python,
  folder: string,
  document: string,
  { url, apiKey }: Pick<Served, 'url' | 'apiKey'>,
): Promise<void> {
  const [source, config, target] = ['openapi.json', 'config.yml', 'crossbook-client'].map((name) => join(folder, name))
  await writeFile(source!, document)
  // Formatting is not needed here.
  await writeFile(config!, `post_hooks: []\ncontent_type_overrides: ${JSON.stringify(contentTypeOverrides)}\n`)
  const options = ['--fail-on-warning', '--path', source!, '--config', config!, '--output-path', target!]
  const generate = 'from openapi_python_client.cli import app; app()'
  await python.run(['-c', generate, 'generate', ...options], { timeoutMs: 120_000 })
  await python.run(['-m', 'compileall', '-q', target!], { timeoutMs: 60_000 })
  const env = { PYTHONPATH: target! }
  const [name, bid] = (await python.run(['-c', reading, url, apiKey], { env, timeoutMs: 60_000 })).split('\n')
  expect(name).toMatch(/\S/)
  expect(Number(bid)).toBeGreaterThan(0)
}
