// Contract reads from a node: whatever it answers, the value is the contract’s or there is an error.
import { encodeAbiParameters, encodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { CallReverted } from '#net/chainNode'
import type { HttpRequest } from '#net/http'
import { chainOf, nodesOf, readContract, readContracts } from '#venues/shared/evm'

const abi = parseAbi([
  'function price(uint256 option, uint8 side) view returns (uint256)',
  'function quote(uint256 amount) view returns (uint256 shares, uint256 reward)',
  'function kind() view returns (uint8)',
  'function name() view returns (string)',
])
const address = `0x${'c0'.repeat(20)}` as const

interface RpcRequest {
  id: number
  method: string
  params: [{ to: string; data: Hex }, string]
}
/** `says`: the fields of the answer in addition to its id. */
function nodeThat(respond: (request: RpcRequest) => object | string) {
  const requests: RpcRequest[] = []
  const http = {
    async request({ body }: HttpRequest) {
      const call = body as RpcRequest
      if (call.method === 'eth_chainId') return { status: 200, headers: {}, body: { id: call.id, result: '0x1' } }
      requests.push(call)
      const response = respond(call)
      return { status: 200, headers: {}, body: typeof response === 'string' ? response : { id: call.id, ...response } }
    },
  }
  const context = { http, urls: { RPC: 'http://node' }, signal: new AbortController().signal }
  return { requests, context, node: chainOf(context, 'rain', 1) }
}
const returning = (result: unknown) => nodeThat(() => ({ result }))
const one = encodeAbiParameters([{ type: 'uint256' }], [7n])

test('a call is encoded for the contract at the given block', async () => {
  const { requests, node } = returning(one)
  const call = { address, abi, functionName: 'price', args: [3n, 2] } as const
  expect(await readContract(node, call, 255)).toBe(7n)
  expect(await readContract(node, call, 'latest')).toBe(7n)
  const data = encodeFunctionData({ abi, functionName: 'price', args: [3n, 2] })
  expect(requests.map(({ params }) => params)).toEqual([
    [{ to: address, data }, '0xff'],
    [{ to: address, data }, 'latest'],
  ])
  const quoted = returning(`${one}${one.slice(2)}`)
  expect(await readContract(quoted.node, { address, abi, functionName: 'quote', args: [1n] }, 'latest')).toEqual([
    7n,
    7n,
  ])
})

test('a revert is reported as such, with its bytes if the node passes them on', async () => {
  for (const error of [
    { code: 3, message: 'execution reverted', data: '0x8baa579f' },
    { code: -32_000, message: 'execution reverted: no' },
    { code: -32_015, message: 'VM execution error', data: 'none' },
  ]) {
    const { node } = nodeThat(() => ({ error }))
    const refusal: unknown = await readContract(node, { address, abi, functionName: 'kind' }, 'latest').catch((e) => e)
    expect(refusal).toBeInstanceOf(CallReverted)
    expect((refusal as CallReverted).data).toBe(error.code === 3 ? '0x8baa579f' : null)
  }
})

const word = (hex: string): string => `0x${hex.padStart(64, '0')}`
const text = encodeAbiParameters([{ type: 'string' }], ['abc'])

test.each<[string, 'kind' | 'name', unknown]>([
  ['an empty answer without a contract', 'kind', '0x'],
  ['half a word', 'kind', '0x01'],
  ['a value beyond its type', 'kind', word('100')],
  ['an extra word', 'kind', `${word('1')}${'0'.repeat(64)}`],
  ['dirty padding after a text', 'name', `${text.slice(0, -2)}ff`],
  ['a truncated text', 'name', text.slice(0, -64)],
  ['no hex', 'kind', '0xzz'],
  ['a number', 'kind', 7],
  ['null', 'kind', null],
  ['a huge answer', 'name', `0x${'0'.repeat(300_000)}`],
])('%s is a fault', async (_, functionName, result) => {
  const { node } = returning(result)
  await expect(readContract(node, { address, abi, functionName }, 'latest')).rejects.toMatchObject({
    code: 'NETWORK_ERROR',
    exchange: 'rain',
  })
})

test('a batch: a reverted call or an invalid result does not affect the others', async () => {
  const result = encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: [
      { success: true, returnData: one },
      { success: false, returnData: one },
      { success: true, returnData: '0x' },
    ],
  })
  const { requests, node } = returning(result)
  const call = { address, abi, functionName: 'kind' }
  expect(await readContracts(node, [call, call, call], 9)).toEqual([7, null, null])
  expect(requests[0]!.params[1]).toBe('0x9')
  expect(await readContracts(node, [], 9)).toEqual([])
  await expect(readContracts(node, [call], 9)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
})

test('fails without nodes, and shares node state between contexts of one client', () => {
  const { context } = returning('0x')
  const { http } = context
  expect(nodesOf(context, 'rain', 1)).toBe(nodesOf({ ...context }, 'rain', 1))
  expect(nodesOf(context, 'rain', 1)).not.toBe(nodesOf(context, 'rain', 2))
  expect(() => nodesOf({ http, urls: {} }, 'rain', 1)).toThrow('no node of its chain is configured')
})
