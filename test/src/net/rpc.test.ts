// JSON-RPC as nodes really answer it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { createRpc, RpcRefusal } from '#net/rpc'

let server: Server
let http: OwnedHttpClient
let answer: (call: { id: number; method: string; params: unknown }) => { status?: number; body: unknown }
beforeAll(async () => {
  http = createHttpClient({ venue: 'rain', requestsPerSecond: 10_000 })
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { status = 200, body } = answer(JSON.parse(Buffer.concat(chunks).toString()))
    response.statusCode = status
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await http.close()
  server.close()
})

const call = (method = 'eth_chainId', params: readonly unknown[] = []) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createRpc({ http, url, exchange: 'rain', signal: new AbortController().signal }).call(method, params)
}

test('the result of the call, also when it is null', async () => {
  answer = ({ id, method, params }) => ({ body: { jsonrpc: '2.0', id, result: [method, params] } })
  expect(await call('eth_getLogs', [{ a: 1 }])).toEqual(['eth_getLogs', [{ a: 1 }]])
  answer = ({ id }) => ({ body: { jsonrpc: '2.0', id, result: null } })
  expect(await call()).toBeNull()
})

test('the node’s own error is its word, with whatever status it comes', async () => {
  for (const status of [200, 400, 413]) {
    answer = ({ id }) => ({ status, body: { jsonrpc: '2.0', id, error: { code: -32_005, message: 'range too wide' } } })
    await expect(call()).rejects.toMatchObject({
      name: 'RpcRefusal',
      code: -32_005,
      message: 'eth_chainId: range too wide',
    })
  }
  answer = () => ({ status: 403, body: { message: 'no such key' } })
  await expect(call()).rejects.toThrow(RpcRefusal)
})

test('what answers no call, or another one, is no answer', async () => {
  for (const body of [{}, [], null, 'ok', { jsonrpc: '2.0', id: 999, result: '0x1' }]) {
    answer = () => ({ body })
    await expect(call()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  }
})

test('many calls in one request, whatever the order of their answers; one that fails fails all', async () => {
  type Calls = { id: number; method: string }[]
  const batch = () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const rpc = createRpc({ http, url, exchange: 'rain', signal: new AbortController().signal })
    return rpc.batch([
      ['a', []],
      ['b', []],
    ])
  }
  const results = (calls: unknown) => (calls as Calls).map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method }))
  answer = (calls) => ({ body: results(calls).reverse() })
  expect(await batch()).toEqual(['a', 'b'])
  answer = (calls) => ({ body: results(calls).slice(1) })
  await expect(batch()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  answer = () => ({ body: { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'no batches' } } })
  await expect(batch()).rejects.toThrow(RpcRefusal)
  answer = (calls) => ({
    body: (calls as unknown as Calls).map(({ id }) => ({ id, error: { code: 1, message: 'no' } })),
  })
  await expect(batch()).rejects.toThrow('a: no')
})
