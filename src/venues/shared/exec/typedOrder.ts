// An order as EIP-712 typed data. The exchanges of this family descend from one contract: they differ in the domain, in the members of the struct,
// and in how amounts are rounded. The hash is the venue's order id.
import { hashTypedData } from 'viem'
import { z } from 'zod'
import { type Rounding, roundDecimal, toUnits } from '#core/decimal'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionVenue } from '#schemas/venues'
import { violation } from './artifact.ts'
import { plain } from './orderSnapshot.ts'

export type Hex = `0x${string}`

interface Member {
  name: string
  type: 'uint256' | 'uint8' | 'bool' | 'address' | 'bytes32'
}
interface Values {
  /** Decimal text. */
  uint256: string
  uint8: number
  bool: boolean
  address: Hex
  bytes32: Hex
}
type MessageOf<Members extends readonly Member[]> = {
  readonly [Each in Members[number] as Each['name']]: Values[Each['type']]
}

interface Domain {
  name: string
  version: string
  chainId: number
  verifyingContract: Hex
}

const domainMembers = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const

/**
 * `members`: of the struct, in the contract's order, which is part of the hash. For a lane whose domain is configured by the
 * operator.
 */
export function typedStruct<const Members extends readonly Member[]>(members: Members) {
  const types = { EIP712Domain: domainMembers, Order: members }
  return {
    types,
    /** Ready for a wallet's signTypedData. */
    unsigned: (message: MessageOf<Members>, domain: Domain): JsonObject =>
      plain({ domain, types, primaryType: 'Order', message }),
    /**
     * The schema to read it back; a lane may extend it with the fields posted with it. `domain`: an object of the four
     * members.
     */
    shapeOf: <S extends z.ZodType<MessageOf<Members>>, D extends z.ZodType>(message: S, domain: D) =>
      z.strictObject({ domain, types: sameAs(types), primaryType: z.literal('Order'), message }),
    /** What the wallet signs. */
    hash: (message: MessageOf<Members>, domain: Domain): Hex =>
      // The members are known here only as names and types, so viem's inference does not apply.
      hashTypedData({
        domain,
        types: { Order: members as readonly Member[] },
        primaryType: 'Order',
        message: message as Record<string, unknown>,
      }),
  }
}

/** The schema to read typed data back whose types are fixed. */
export const typedShape = <P extends string, M extends z.ZodType, D extends z.ZodType>(
  types: object,
  primaryType: P,
  message: M,
  domain: D,
) => z.strictObject({ domain, types: sameAs(types), primaryType: z.literal(primaryType), message })

interface Exchange<Members> extends Omit<Domain, 'verifyingContract'> {
  members: Members
}

/** For a lane that knows its domain except for the contract. */
export function typedOrder<const Members extends readonly Member[]>({
  name,
  version,
  chainId,
  members,
}: Exchange<Members>) {
  const { types, unsigned, shapeOf, hash } = typedStruct(members)
  const domainOf = (verifyingContract: Hex): Domain => ({ name, version, chainId, verifyingContract })
  return {
    types,
    domainOf,
    unsigned: (message: MessageOf<Members>, contract: Hex) => unsigned(message, domainOf(contract)),
    /** `contract`: the contracts an order may be signed for. */
    shapeOf: <S extends z.ZodType<MessageOf<Members>>, C extends z.ZodType<Hex>>(message: S, contract: C) =>
      shapeOf(
        message,
        z.strictObject({
          name: z.literal(name),
          version: z.literal(version),
          chainId: z.literal(chainId),
          verifyingContract: contract,
        }),
      ),
    hash: (message: MessageOf<Members>, contract: Hex) => hash(message, domainOf(contract)),
  }
}

/** Members of a message, as stored. */
export const Uint = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/, { abort: true })
  .refine((text) => BigInt(text) < 2n ** 256n, 'is not a uint256')
  .meta({ id: 'Uint256' })
export const hexText = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`))
    .transform((text) => text as Hex)

/**
 * What an order gives and takes, in base units: a buyer gives cash and takes shares. `rounding`: how the venue rounds cash beyond its
 * token's decimals. Decimal strings in.
 */
export function makerTakerAmounts(
  { isBuy, shares, cash }: { isBuy: boolean; shares: string; cash: string },
  { decimals, rounding }: { decimals: number; rounding: Rounding },
): { makerAmount: string; takerAmount: string } {
  const cashUnits = toUnits(roundDecimal(cash, decimals, rounding), decimals).toString()
  const shareUnits = toUnits(shares, decimals).toString()
  return isBuy
    ? { makerAmount: cashUnits, takerAmount: shareUnits }
    : { makerAmount: shareUnits, takerAmount: cashUnits }
}

interface Amounts {
  makerAmount: string
  takerAmount: string
}

/** Gives no more and takes no less. */
export function checkAmounts(venue: ExecutionVenue, found: Amounts, held: Amounts): void {
  const given = BigInt(found.makerAmount)
  if (given <= 0n || given > BigInt(held.makerAmount)) throw violation(venue, 'it gives more than requested')
  if (BigInt(found.takerAmount) < BigInt(held.takerAmount)) throw violation(venue, 'it takes less than requested')
}

const sameAs = (value: object) => {
  const text = sortedText(plain(value))
  return z.custom<JsonObject>((given) => sortedText(given) === text)
}

/**
 * Members in a fixed order, whatever storage made of it; arrays keep theirs, because the order of a type's members is part of its hash.
 */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
