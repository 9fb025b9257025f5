// JSON-RPC as nodes really answer it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpClient, type OwnedHttpClient } from '#net/httpClient'
import { createRpc, nodeUrls, RpcNodes, RpcRefusal } from '#net/rpc'

type Answered = { status?: number; body: unknown }
type RpcCall = { id: number; method: string; params: unknown }
interface Node {
  url: string
  chainId: string
  /** Methods that were called. */
  calls: string[]
}

const servers: Server[] = []
let http: OwnedHttpClient
let node: Node
let answer: (call: RpcCall) => Answered
async function start(answered: (call: RpcCall) => Answered): Promise<Node> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const rpcCall: RpcCall = JSON.parse(Buffer.concat(chunks).toString())
    started.calls.push(rpcCall.method)
    const isCheck = rpcCall.method === 'eth_chainId' && rpcCall.id === 0
    const { status = 200, body } = isCheck ? { body: { id: 0, result: started.chainId } } : answered(rpcCall)
    response.statusCode = status
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const started: Node = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chainId: '0xa4b1',
    calls: [],
  }
  return started
}
beforeAll(async () => {
  http = createHttpClient({ venue: 'rain', requestsPerSecond: 10_000 })
  node = await start((call) => answer(call))
})
afterAll(async () => {
  await http.close()
  for (const server of servers) server.close()
})

const { signal } = new AbortController()
const nodesOf = (...urls: string[]) => new RpcNodes({ http, urls, chainId: 42_161, exchange: 'rain' })
const rpcOf = (nodes: RpcNodes = nodesOf(node.url)) => createRpc(nodes, signal)
const call = (method = 'eth_blockNumber', params: readonly unknown[] = []) => rpcOf().call(method, params)

test('returns the result of the call, also when it is null', async () => {
  answer = ({ id, method, params }) => ({ body: { jsonrpc: '2.0', id, result: [method, params] } })
  expect(await call('eth_getLogs', [{ a: 1 }])).toEqual(['eth_getLogs', [{ a: 1 }]])
  answer = ({ id }) => ({ body: { jsonrpc: '2.0', id, result: null } })
  expect(await call()).toBeNull()
})

test('passes on the node’s own error, whatever its status', async () => {
  for (const status of [200, 400, 413]) {
    answer = ({ id }) => ({ status, body: { jsonrpc: '2.0', id, error: { code: -32_005, message: 'range too wide' } } })
    await expect(call()).rejects.toMatchObject({
      name: 'RpcRefusal',
      code: 'NETWORK_ERROR',
      rpcCode: -32_005,
      detail: 'eth_blockNumber: range too wide',
    })
  }
  answer = () => ({ status: 403, body: { message: 'no such key' } })
  await expect(call()).rejects.toThrow(RpcRefusal)
})

test('refuses responses that answer no call, or another one', async () => {
  for (const body of [{}, [], null, 'ok', { jsonrpc: '2.0', id: 999, result: '0x1' }]) {
    answer = () => ({ body })
    await expect(call()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  }
})

test('sends many calls in one request, in any order of responses; one failure fails all', async () => {
  type Calls = { id: number; method: string }[]
  const batch = () =>
    rpcOf().batch([
      ['a', []],
      ['b', []],
    ])
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
  await expect(batch()).rejects.toMatchObject({ detail: 'a: no' })
})

test('addresses are a comma list', () => {
  expect(nodeUrls(' http://a/x , http://b,, ')).toEqual(['http://a/x', 'http://b'])
})

const healthyAnswer = ({ id, method }: RpcCall): Answered => ({ body: { jsonrpc: '2.0', id, result: method } })

test('checks a node’s chain once before other calls, and sends nothing to a node of another chain', async () => {
  const right = await start(healthyAnswer)
  const wrong = await start(healthyAnswer)
  wrong.chainId = '0x1'
  const nodes = nodesOf(wrong.url, right.url)
  for (let n = 0; n < 3; n++) expect(await rpcOf(nodes).call('eth_call', [])).toBe('eth_call')
  expect(right.calls).toEqual(['eth_chainId', 'eth_call', 'eth_call', 'eth_call'])
  expect(wrong.calls).toEqual(['eth_chainId'])
  expect(await nodes.check(signal)).toMatchObject([{ node: new URL(wrong.url).host, error: { code: 'NETWORK_ERROR' } }])
  await expect(rpcOf(nodesOf(wrong.url)).call('eth_call', [])).rejects.toMatchObject({
    message: 'the node reports another chain',
    detail: expect.stringContaining('reports chain 1, wanted is 42161'),
  })
  // The response is not a chain id.
  wrong.chainId = 'soon'
  await expect(rpcOf(nodesOf(wrong.url)).call('eth_call', [])).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  expect(wrong.calls).not.toContain('eth_call')
})

test.each<[string, (call: RpcCall) => Answered]>([
  ['is unavailable', () => ({ status: 503, body: {} })],
  ['limits our rate', () => ({ status: 429, body: {} })],
  ['refuses our key', () => ({ status: 401, body: { message: 'no such key' } })],
  ['answers another call', () => ({ body: { id: 999, result: '0x1' } })],
])('after a node that %s the next one is used first', async (_, failing) => {
  const bad = await start(failing)
  const good = await start(healthyAnswer)
  const nodes = nodesOf(bad.url, good.url)
  expect(await rpcOf(nodes).call('eth_call', [])).toBe('eth_call')
  const before = bad.calls.length
  expect(await rpcOf(nodes).call('eth_call', [])).toBe('eth_call')
  expect(bad.calls).toHaveLength(before)
})

test('a refusal within the protocol is not tried at another node', async () => {
  const refusing = await start(({ id }) => ({
    body: { id, error: { code: 3, message: 'execution reverted', data: '0x01' } },
  }))
  const other = await start(healthyAnswer)
  await expect(rpcOf(nodesOf(refusing.url, other.url)).call('eth_call', [])).rejects.toMatchObject({
    rpcCode: 3,
    data: '0x01',
  })
  expect(other.calls).toEqual([])
})

test('where no refusal is valid, the next node is tried after any', async () => {
  const limiting = await start(({ id }) => ({ body: { id, error: { code: -32_005, message: 'daily limit reached' } } }))
  const other = await start(healthyAnswer)
  const isAnswer = () => false
  const nodes = (...urls: string[]) => new RpcNodes({ http, urls, chainId: 42_161, exchange: 'rain', isAnswer })
  expect(await rpcOf(nodes(limiting.url, other.url)).call('eth_call', [])).toBe('eth_call')
  await expect(rpcOf(nodes(limiting.url)).call('eth_call', [])).rejects.toMatchObject({ rpcCode: -32_005 })
})

test('a node that failed is tried last, until the others fail', async () => {
  answer = ({ id }) => ({ body: { jsonrpc: '2.0', id, result: 'first' } })
  let isAway = false
  const other = await start(({ id }) =>
    isAway ? { status: 503, body: {} } : { body: { jsonrpc: '2.0', id, result: 'other' } },
  )
  const nodes = nodesOf(node.url, other.url)
  const blockNumber = () => rpcOf(nodes).call('eth_blockNumber', [])
  expect([nodes.size, await blockNumber()]).toEqual([2, 'first'])
  nodes.rotate()
  expect([await blockNumber(), await blockNumber()]).toEqual(['other', 'other'])
  isAway = true
  expect([await blockNumber(), await blockNumber()]).toEqual(['first', 'first'])
})
