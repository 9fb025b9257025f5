// The nodes of a chain, checked at program start: an unusable one is reported at once, and is checked again before use.
import type { Log } from '#core/log'
import type { RpcNodes } from '#net/rpc'

export async function warnMisconfiguredNodes(nodes: RpcNodes, log: Log, signal: AbortSignal): Promise<void> {
  const wrong = await nodes.check(signal)
  if (signal.aborted) return
  for (const { node, error } of wrong) {
    log.error({ node, chainId: nodes.chainId, err: error }, 'a node of the chain cannot be used')
  }
}
