// Data that an operator would miss: an account with its keys, a webhook with an encrypted secret, a filled order and a conditional order.
// Created over HTTP in a running program, and checked after a restore.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, vi } from 'vitest'
import type { Served } from './cluster/client.ts'
import { projectRoot } from './docs/samples.ts'

export interface Receiver {
  /** `127.0.0.1:<port>` */
  host: string
  got: { headers: IncomingHttpHeaders; raw: string }[]
  stop(): void
}

export async function startReceiver(): Promise<Receiver> {
  const got: Receiver['got'] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push({ headers: request.headers, raw: Buffer.concat(chunks).toString() })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, got, stop: () => void server.close() }
}

export interface OperatorData {
  webhook: { id: string; secret: string }
  executions: unknown[]
  conditionals: unknown[]
  webhooks: unknown[]
}

async function call<T>({ url, apiKey }: Served, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
  return (JSON.parse(text) as { data: T }).data
}

/** A program that has just started is still reading its catalogs and books. */
const patiently = <T>(run: () => Promise<T>): Promise<T> => vi.waitFor(run, { timeout: 60_000, interval: 500 })

const look = async (served: Served): Promise<Omit<OperatorData, 'webhook'>> => ({
  executions: await call(served, 'GET', '/v1/exec/executions?limit=50'),
  conditionals: await call(served, 'GET', '/v1/exec/conditional?status=all'),
  webhooks: await call(served, 'GET', '/v1/webhooks'),
})

/** `clob`: Polymarket's API of the lab, which gives any wallet a key. `served`: with a key that may trade. */
export async function createOperatorData(served: Served, clob: string, { host }: Receiver): Promise<OperatorData> {
  const asset = await patiently(async () => {
    const [market] = await call<{ outcomes: { outcomeId: string }[] }[]>(
      served,
      'GET',
      '/api/polymarket/fetchMarkets?limit=1',
    )
    const { outcomeId } = market!.outcomes[0]!
    const book = await call<{ asks: unknown[] }>(served, 'GET', `/api/polymarket/fetchOrderBook?outcomeId=${outcomeId}`)
    expect(book.asks.length).toBeGreaterThan(0)
    return outcomeId
  })
  const webhook = await call<OperatorData['webhook']>(served, 'POST', '/v1/webhooks', {
    url: `http://${host}/`,
    events: ['execution.status.changed'],
  })
  await promisify(execFile)(process.execPath, ['docs/examples/order.mjs'], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', CROSSBOOK_URL: served.url, KEY: served.apiKey, CLOB: clob },
  })
  const owner = privateKeyToAccount(generatePrivateKey()).address
  const order = { asset, isBuy: false, price: 0.5, size: 50, owner }
  const { executionId } = await call<{ executionId: string }>(served, 'POST', '/v1/exec/polymarket/orders/build', order)
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  // No trade in the lab reaches this price.
  const armed = { executionId, fireMode: 'client', expiresAt, trigger: { tpsl: 'tp', price: 0.99 } }
  await patiently(() => call(served, 'POST', '/v1/exec/conditional', armed))
  const left = await look(served)
  expect(left.executions).toHaveLength(2)
  expect(left.conditionals).toMatchObject([{ status: 'armed' }])
  return { webhook, ...left }
}

/** Everything is unchanged, and the encrypted secret can still be decrypted: a delivery is signed with it. */
export async function checkOperatorData(served: Served, left: OperatorData, { got }: Receiver): Promise<void> {
  const { webhook, ...rows } = left
  expect(await look(served)).toEqual(rows)
  const delivery = await call<{ id: string }>(served, 'POST', `/v1/webhooks/${webhook.id}/test`)
  const received = await vi.waitFor(
    () => {
      const found = got.find(({ headers }) => headers['webhook-id'] === delivery.id)
      expect(found).toBeDefined()
      return found!
    },
    { timeout: 30_000, interval: 100 },
  )
  const headers = Object.fromEntries(Object.entries(received.headers).map(([name, value]) => [name, String(value)]))
  expect(new Webhook(webhook.secret).verify(received.raw, headers)).toMatchObject({ test: true })
}
