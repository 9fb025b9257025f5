// Request fields of a transfer, and their conversion.

import { z } from 'zod'
import { fromUnits } from '#core/decimal'
import { Fault } from '#core/fault'
import { Provenance } from '#schemas/envelope'
import type { RouteInput } from '#server/http/defineRoute'
import { VenueName } from '#server/http/venueName'
import { EvmAddress } from '../address.ts'
import type { BridgeDeps, Caller, Made, Transfer } from '../ports.ts'
import { decimalsOf } from '../tokens.ts'

/** Decimals of every requested amount, whatever the token has on its chain. */
const amountDecimals = 6

export const transferShape = {
  fromChain: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be an EVM chain id, as text')
    .describe('EVM chain id of the origin'),
  fromToken: EvmAddress.describe('the token that is sent, on that chain'),
  fromAmount: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, 'must be a whole number of millionths above zero, as text')
    .describe('in millionths: "1000000" is one USDC on any chain'),
  fromAddress: EvmAddress.describe('the payer, and the recipient on the venue’s chain'),
  toVenue: VenueName.describe('a venue with a deposit in GET /v1/venues'),
}

type Wanted = z.output<z.ZodObject<typeof transferShape>>

/** Throws BRIDGE_UNSUPPORTED. */
export function transferOf(
  { deposits }: Pick<BridgeDeps, 'deposits'>,
  { fromChain, fromToken, fromAmount, fromAddress, toVenue }: Wanted,
): Transfer {
  const deposit = deposits.get(toVenue)
  if (deposit === undefined) {
    const reached = [...deposits.keys()].join(', ')
    throw new Fault(
      'BRIDGE_UNSUPPORTED',
      `toVenue: is not reached by the bridge, which reaches ${reached || 'no venue'}`,
    )
  }
  const from = { chain: `eip155:${fromChain}`, token: fromToken, address: fromAddress }
  if (decimalsOf(from) === null) throw new Fault('BRIDGE_UNSUPPORTED', 'fromToken: is not a known token on fromChain')
  return {
    from,
    amount: fromUnits(BigInt(fromAmount), amountDecimals),
    to: { deposit, address: fromAddress },
  }
}

/** Fields next to the provider's data: where the money goes, and what remains to be done there. */
export const metaOf = ({ provider, clock }: Pick<BridgeDeps, 'provider' | 'clock'>, transfer?: Transfer) => ({
  meta: {
    asOf: new Date(clock.now()).toISOString(),
    provenance: { source: provider.name },
    ...(transfer === undefined ? {} : { settlement: settlementOf(transfer) }),
  },
})

/** The shape of `metaOf`. */
export const metaSchema = {
  meta: z
    .object({
      asOf: z.iso.datetime(),
      provenance: Provenance,
      settlement: z
        .object({
          chain: z.string().describe('CAIP-2'),
          token: z.string(),
          symbol: z.string(),
          decimals: z.number().int().nullable(),
          recipient: z.string(),
          afterwards: z.string().nullable().describe('what is left to do once it has arrived'),
        })
        .optional(),
    })
    .meta({ id: 'BridgeMeta' }),
}

function settlementOf({ to: { address, deposit } }: Transfer) {
  const { afterwards, ...token } = deposit
  return { ...token, recipient: address, afterwards: afterwards ?? null }
}

export const callerOf = ({ principal, call }: Pick<RouteInput, 'principal' | 'call'>): Caller => ({
  account: principal!.accountId,
  signal: call.signal,
})

/** Any text: an invalid id is an unknown session, and that is 404. */
export const SessionPath = z.object({ id: z.string() })

export const noSuchSession = (): Fault => new Fault('BRIDGE_SESSION_NOT_FOUND', 'no such bridge session')

/** Only the caller's own session. Throws BRIDGE_SESSION_NOT_FOUND. */
export async function sessionOf(
  { store, provider }: Pick<BridgeDeps, 'store' | 'provider'>,
  { params: { id }, principal }: { params: { id: string } } & Pick<RouteInput, 'principal'>,
): Promise<Made> {
  const isName = /^[\x21-\x7e]{1,128}$/.test(id)
  const agreed = isName ? await store.agreedOf(principal!.accountId, provider.name, id) : null
  if (agreed === null) throw noSuchSession()
  return { sessionId: id, agreed }
}

export const providerErrors = ['BRIDGE_UPSTREAM', 'BRIDGE_PROVIDER_UNAVAILABLE'] as const
