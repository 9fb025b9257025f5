// Everything the adapters build (orders, cancellations, redemptions), signed by an implementation other than the SDKs': their tests must
// sign alike.
import { createPrivateKey, sign } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import type { JsonObject } from '#schemas/executions'
import { base58 } from '#test/src/venues/pascal/exec/world'
import { createWorld as createXoWorld, buy as xoOrder } from '#test/src/venues/xo/exec/world'
import { laneCases, laneVenues, openLane } from '#test/support/laneCases'
import { buildOrder, createLaneWorld, executionOf, type Reply, submit } from '#test/support/laneWorld'
import { sampleSettings } from '#test/support/sampleSettings'
import type { ExecutionAdapter } from '#venues/lane'
import { type LaneVenue, lanes } from '#venues/registry'
import { xoLane } from '#venues/xo/exec/index'

export interface Artifact {
  venue: string
  unsigned: JsonObject
  /** Part of submit's body. */
  signed: Record<string, string>
}

const seed = '11'.repeat(32)
const account = privateKeyToAccount(`0x${seed}`)
/** What a wallet adds to a transaction. */
export const artifactFees = { nonce: 7, gas: 500_000n, maxFeePerGas: 100_000_000n, maxPriorityFeePerGas: 0n }

/** Everything the adapters build: orders, cancellations and redemptions, signed by the key of 32 times 0x11. */
export async function laneArtifacts(): Promise<Record<string, Artifact>> {
  const found: Record<string, Artifact> = {}
  const add = async (name: string, venue: string, unsigned: JsonObject) => {
    found[name] = { venue, unsigned, signed: await signedOf(unsigned) }
  }
  for (const venue of laneVenues) {
    const { order, cancellation } = await tradedOf(venue)
    await add(venue, venue, order)
    if (cancellation !== null) await add(`${venue}, a cancellation`, venue, cancellation)
    if (lanes[venue].redeem !== undefined) await add(`${venue}, a redemption`, venue, await redemptionOf(venue))
  }
  // It is built, but not sent.
  const xo = await createXoWorld()
  await add('xo', 'xo', (await buildOrder(xoLane, xo.context, xoOrder)).unsigned)
  await xo.close()
  const kernel = { owner: account.address, digest: `0x${'5a'.repeat(32)}` }
  await add('predictfun of a smart wallet', 'predictfun', { ...found.predictfun!.unsigned, kernel })
  return found
}

/** At its lab: a resting order, and its cancellation; null when the adapter cancels nothing. */
async function tradedOf(venue: LaneVenue): Promise<{ order: JsonObject; cancellation: JsonObject | null }> {
  const lane: ExecutionAdapter = lanes[venue]
  const { here, order, credentials, signed, orders } = await openLane(venue)
  try {
    const { context } = here.world
    const built = await buildOrder(lane, context, order)
    if (lane.cancel === undefined) return { order: built.unsigned, cancellation: null }
    const body = { ...credentials, ...(await signed(built.unsigned, 'order')) }
    const { prepared, outcome } = await submit(lane, context, executionOf(built), body)
    if (outcome.kind !== 'accepted') throw new Error(`${venue}: the order was not accepted`)
    const target = executionOf(built, {
      ...{ status: 'acked', venueRef: outcome.venueRef, submittedArtifact: prepared.submittedArtifact },
    })
    const cancelRequest = laneCases[venue].cancelBody(orders().at(-1) ?? null)
    const cancellation = await lane.cancel.build(context, target, lane.cancel.body.parse(cancelRequest))
    return { order: built.unsigned, cancellation: cancellation.unsigned }
  } finally {
    await here.close()
  }
}

/** When the venue itself names the call that redeems. */
const redemptions: Partial<Record<LaneVenue, Reply>> = {
  myriad: {
    body: {
      to: '0x6413734f92248D4B29ae35883290BD93212654Dc',
      calldata: `0xa2e78653${(730).toString(16).padStart(64, '0')}`,
      value: '0',
    },
  },
}

/** Of a resolved market made by hand. */
async function redemptionOf(venue: LaneVenue): Promise<JsonObject> {
  const lane: ExecutionAdapter = lanes[venue]
  const { made } = laneCases[venue]
  const urls = [...Object.keys(lane.urls), ...(lane.chain === undefined ? [] : ['RPC'])]
  const world = await createLaneWorld(venue, urls, sampleSettings(lane))
  try {
    world.outcomes.push(...made.rows.map((row) => ({ ...row, market: { ...row.market, status: 'resolved' as const } })))
    world.answer((seen) => redemptions[venue] ?? made.reads?.(seen) ?? { status: 404 })
    const body = { outcome: made.order.outcome, owner: account.address }
    return (await lane.redeem!.build(world.context, lane.redeem!.body.parse(body))).unsigned
  } finally {
    await world.close()
  }
}

async function signedOf(unsigned: JsonObject): Promise<Record<string, string>> {
  const { permit, kernel, primaryType, to, data, value, chainId } = unsigned as Record<string, never>
  if (permit !== undefined) return { signature: base58(sign(null, Buffer.from(permit, 'base64'), edKey())) }
  if (kernel !== undefined) {
    const { digest } = kernel as { digest: `0x${string}` }
    return { signature: await account.signMessage({ message: { raw: digest } }) }
  }
  if (primaryType !== undefined) return { signature: await account.signTypedData(unsigned as never) }
  if (to === undefined) return {}
  const transaction = {
    type: 'eip1559',
    chainId: Number(chainId),
    to,
    data,
    value: BigInt(value ?? 0),
    ...artifactFees,
  } as const
  return { signedTransaction: await account.signTransaction(transaction) }
}

const edKey = () => {
  const wrapped = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(seed, 'hex')])
  return createPrivateKey({ key: wrapped, format: 'der', type: 'pkcs8' })
}
