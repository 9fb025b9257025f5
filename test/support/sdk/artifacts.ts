// What every lane builds, and its signature by another implementation than the SDKs': for their tests to sign alike.
import { createPrivateKey, sign } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import type { JsonObject } from '#schemas/executions'
import { base58 } from '#test/src/venues/pascal/exec/world'
import { laneVenues, openLane } from '#test/support/laneCases'
import { buildOrder } from '#test/support/laneWorld'
import { lanes } from '#venues/registry'

export interface Artifact {
  venue: string
  unsigned: JsonObject
  /** Part of submit's body. */
  signed: Record<string, string>
}

const seed = '11'.repeat(32)
const account = privateKeyToAccount(`0x${seed}`)
/** What a wallet adds to a transaction. */
const fees = { nonce: 7, gas: 500_000n, maxFeePerGas: 100_000_000n, maxPriorityFeePerGas: 0n }

/** Of every lane that orders are sent to, signed by the key of 32 times 0x11. */
export async function laneArtifacts(): Promise<Record<string, Artifact>> {
  const found: Record<string, Artifact> = {}
  for (const venue of laneVenues) {
    const { here, order } = await openLane(venue)
    const { unsigned } = await buildOrder(lanes[venue], here.world.context, order)
    await here.close()
    found[venue] = { venue, unsigned, signed: await signedOf(unsigned) }
  }
  const smart = { ...found.predictfun!.unsigned, kernel: { owner: account.address, digest: `0x${'5a'.repeat(32)}` } }
  found['predictfun of a smart wallet'] = { venue: 'predictfun', unsigned: smart, signed: await signedOf(smart) }
  return found
}

async function signedOf(unsigned: JsonObject): Promise<Record<string, string>> {
  const { permit, kernel, primaryType, to, data, chainId } = unsigned as Record<string, never>
  if (permit !== undefined) return { signature: base58(sign(null, Buffer.from(permit, 'base64'), edKey())) }
  if (kernel !== undefined) {
    const { digest } = kernel as { digest: `0x${string}` }
    return { signature: await account.signMessage({ message: { raw: digest } }) }
  }
  if (primaryType !== undefined) return { signature: await account.signTypedData(unsigned as never) }
  if (to === undefined) return {}
  const transaction = { type: 'eip1559', chainId: Number(chainId), to, data, value: 0n, ...fees } as const
  return { signedTransaction: await account.signTransaction(transaction) }
}

const edKey = () => {
  const wrapped = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(seed, 'hex')])
  return createPrivateKey({ key: wrapped, format: 'der', type: 'pkcs8' })
}
