// A node of the lab's chain as an operator runs one: JSON-RPC over a WebSocket.
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Mempool } from './mempool.ts'
import { type NodePeer, PubSubNode } from './pubSubNode.ts'

export interface LabSocketNode {
  url: string
  node: PubSubNode
  stop(): Promise<void>
}

const frameBytesMax = 1_000_000

export async function startSocketNode(
  mempool: Mempool,
  { chainId, port = 0 }: { chainId: number; port?: number },
): Promise<LabSocketNode> {
  const node = new PubSubNode(mempool, chainId)
  const server = new WebSocketServer({ host: '127.0.0.1', port, maxPayload: frameBytesMax })
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  server.on('connection', (socket) => {
    const peer: NodePeer = { send: (text) => socket.send(text), end: () => socket.terminate() }
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => node.receive(peer, String(data)))
    socket.on('close', () => node.leave(peer))
    if (!node.connect(peer)) socket.terminate()
  })
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    node,
    stop() {
      node.stop()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
