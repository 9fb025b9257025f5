// Signatures made by the client are accepted by the program's own checks and by the simulated venues; signatures of other keys are not.
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { ed25519Signer } from '#sdk/typescript/src/signing/ed25519'
import { artifactKind, type Signer, sign } from '#sdk/typescript/src/signing/sign'
import { owner as hyperliquidOwner, stranger } from '#test/src/venues/hyperliquid/exec/world'
import { account, buy, market, smartWallet } from '#test/src/venues/predictfun/exec/world'
import { laneCases, laneVenues, type OpenCase } from '#test/support/laneCases'
import { buildOrder, createLaneWorld, executionOf, submit } from '#test/support/laneWorld'
import { artifactFees, laneArtifacts } from '#test/support/sdk/artifacts'
import { type LaneVenue, lanes } from '#venues/registry'

const pascalTrader = () => ed25519Signer(new Uint8Array(32).fill(8))
const pascalStranger = () => ed25519Signer(new Uint8Array(32).fill(9))

const signerOf = async (venue: LaneVenue): Promise<Signer> =>
  venue === 'pascal' ? pascalTrader() : venue === 'hyperliquid' ? hyperliquidOwner : account
const strangerOf = async (venue: LaneVenue): Promise<Signer> => (venue === 'pascal' ? pascalStranger() : stranger)

/** Adapters whose submit accepts a signature made by the client. */
const atHome: Partial<Record<LaneVenue, string>> = {
  ...{ hyperliquid: 'typedData', limitless: 'typedData', myriad: 'typedData', opinion: 'typedData', pascal: 'bytes' },
  ...{
    polymarket: 'typedData',
    pred: 'typedData',
    predictfun: 'typedData',
    predictstreet: 'typedData',
    rain: 'transaction',
  },
}
const transaction = { type: 'eip1559', nonce: 0, gas: 500_000n, maxFeePerGas: 100_000_000n, maxPriorityFeePerGas: 0n }

async function send({ here, credentials }: OpenCase, venue: LaneVenue, order: object, signer: Signer) {
  const { lane } = laneCases[venue]
  const { context } = here.world
  const built = await buildOrder(lane, context, order)
  expect(artifactKind(built.unsigned)).toBe(atHome[venue])
  const signed = await sign(built, signer, { transaction })
  return submit(lane, context, executionOf(built), { ...credentials, ...signed })
}

const signedAtHome = Object.keys(atHome) as LaneVenue[]

it('every adapter whose submit takes a signature or a transaction is tried here', () => {
  const taken = (venue: LaneVenue) => lanes[venue].submit!.fields.some((field) => /^sign(ature|ed)/.test(field))
  expect(laneVenues.filter(taken)).toEqual(signedAtHome)
})

it.each(signedAtHome)('%s: an order signed by the client is accepted', async (venue) => {
  const table = await laneCases[venue].open()
  try {
    const { outcome } = await send(table, venue, table.order, await signerOf(venue))
    expect(outcome).toMatchObject({ kind: 'accepted' })
    expect(table.orders()).toHaveLength(1)
    const foreign = send(table, venue, table.order, await strangerOf(venue))
    await expect(foreign).rejects.toMatchObject({
      code: expect.stringMatching(/^(ARTIFACT|VALIDATION|BAD_REQUEST|INVALID)/),
    })
  } finally {
    await table.here.close()
  }
})

it('everything that can be built (orders, cancellations, redemptions) is signed as another implementation signs it', async () => {
  const artifacts = await laneArtifacts()
  const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  const tradingKey = await ed25519Signer(Buffer.from('11'.repeat(32), 'hex'))
  for (const [name, { venue, unsigned, signed }] of Object.entries(artifacts)) {
    const signer = venue === 'pascal' ? tradingKey : { ...wallet, sendTransaction: undefined as never }
    expect(await sign({ unsigned }, signer, { transaction: artifactFees }), name).toEqual(signed)
  }
  expect(artifacts).toHaveProperty('xo.signed.signature')
  expect(Object.keys(artifacts).filter((name) => name.endsWith('redemption')).length).toBeGreaterThan(3)
  expect(Object.keys(artifacts).filter((name) => name.endsWith('cancellation')).length).toBeGreaterThan(8)
}, 60_000)

it('predictfun: the owner of a smart wallet signs the digest, and the program accepts it', async () => {
  const lane = lanes.predictfun
  const world = await createLaneWorld('predictfun', [])
  try {
    world.outcomes.push(...market())
    const built = await buildOrder(lane, world.context, { ...buy, predictAccount: smartWallet })
    expect(artifactKind(built.unsigned)).toBe('personal')
    const given = lane.submit!.body.parse({ ...(await sign(built, account)), apiKey: 'k', jwt: 'j' })
    const prepared = await lane.submit!.prepare(world.context, executionOf(built), given)
    expect(prepared.submittedArtifact).toBeDefined()
    const foreign = lane.submit!.body.parse({ ...(await sign(built, stranger)), apiKey: 'k', jwt: 'j' })
    await expect(lane.submit!.prepare(world.context, executionOf(built), foreign)).rejects.toThrow()
  } finally {
    await world.close()
  }
})

it('hyperliquid: a cancellation is signed like an order', async () => {
  const { lane, open } = laneCases.hyperliquid
  const { here, order } = await open()
  try {
    const { context } = here.world
    const built = await buildOrder(lane, context, order)
    const { prepared, outcome } = await submit(lane, context, executionOf(built), await sign(built, hyperliquidOwner))
    const venueRef = outcome.kind === 'accepted' ? outcome.venueRef : null
    const target = executionOf(built, { status: 'acked', venueRef, submittedArtifact: prepared.submittedArtifact })
    const cancel = await lane.cancel!.build(context, target, lane.cancel!.body.parse({}))
    const sent = await submit(
      lane,
      context,
      executionOf(cancel, { target }, 'cancel'),
      await sign(cancel, hyperliquidOwner),
    )
    expect(sent.outcome).toMatchObject({ kind: 'accepted' })
  } finally {
    await here.close()
  }
})

it('a transaction is signed with the wallet’s own gas and nonce, or sent by the wallet, and its calldata is the built one', async () => {
  const unsigned = { to: `0x${'1'.repeat(40)}`, data: '0xabcd', value: '0', chainId: 42_161 }
  const signRequests: unknown[] = []
  const answer = async (given: never): Promise<string> => {
    signRequests.push(given)
    return '0xhash'
  }
  const more = { transaction: { nonce: 7, to: 'elsewhere', value: 5n } }
  expect(await sign({ unsigned }, { signTransaction: answer }, more)).toEqual({ signedTransaction: '0xhash' })
  expect(await sign({ unsigned }, { sendTransaction: answer }, more)).toEqual({ transactionHash: '0xhash' })
  expect(signRequests).toEqual([1, 2].map(() => ({ ...unsigned, value: 0n, nonce: 7 })))
})

it('reports what a signer cannot do; refuses invalid artifacts', async () => {
  await expect(sign({ unsigned: { permit: 'AA==' } }, account)).rejects.toThrow('signBytes')
  await expect(sign({}, account)).rejects.toThrow('no artifact')
  expect(await sign({ unsigned: { orderId: 1 } }, {})).toEqual({})
  await expect(ed25519Signer(new Uint8Array(31))).rejects.toThrow('32 bytes')
})
