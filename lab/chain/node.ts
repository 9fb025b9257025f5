// A node of the lab's chain, as providers run them: JSON-RPC over HTTP.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LabChain } from './chain.ts'
import { type Call, createAnswers, healthyNode, type NodeFaults } from './rpcHandlers.ts'

export interface LabNode {
  url: string
  faults: NodeFaults
  /** Call counts per method. */
  calls: ReadonlyMap<string, number>
  stop(): Promise<void>
}

const bodyBytesMax = 1_000_000

export async function startLabNode(
  chain: LabChain,
  { chainId, port = 0 }: { chainId: number; port?: number },
): Promise<LabNode> {
  const faults = healthyNode(chainId)
  const calls = new Map<string, number>()
  const answer = createAnswers(chain, faults, calls)

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bodyBytesMax) request.destroy()
      else chunks.push(chunk)
    })
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      if (faults.status !== null) {
        response.statusCode = faults.status
        response.end('{"error":"not now"}')
        return
      }
      try {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]
        response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
      } catch {
        response.statusCode = 400
        response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    calls,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
