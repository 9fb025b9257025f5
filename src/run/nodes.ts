// The nodes of a chain, looked at when the program starts: one that cannot be used is said at once, and is asked again before it is used.
import type { Log } from '#lib/log'
import type { RpcNodes } from '#net/rpc'

export async function sayWrongNodes(nodes: RpcNodes, log: Log, signal: AbortSignal): Promise<void> {
  const wrong = await nodes.check(signal)
  if (signal.aborted) return
  for (const { node, error } of wrong) {
    log.error({ node, chainId: nodes.chainId, err: error }, 'a node of the chain cannot be used')
  }
}
