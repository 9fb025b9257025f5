// Checks that a new session is the requested one. Everything checkable is checked against the request; unrecognized parts are rejected.
// The specification wants the provider's session verbatim, so the text is passed on as received, but only after these checks: `transfer`,
// `approve` and ERC-2612 permits of listed tokens pass, and no field of an unknown name that could be signed. Sessions that pay through a
// router are refused. Deposits arrive at the owner's own address, never at a venue's contract. The only description of the provider's API
// is its own client (`@paywithglide/glide-js` 0.13.48). For callers: docs/bridge.md, "What is checked before you sign".
import { z } from 'zod'
import { compareDecimals, readDecimal, toUnits } from '#core/decimal'
import { BridgeSession } from '#schemas/bridge'
import { caip19 } from '../caip.ts'
import type { Transfer } from '../ports.ts'
import { decimalsOf } from '../tokens.ts'
import { mismatch } from './mismatch.ts'
import { spenderOf } from './permit.ts'
import { type Payable, payeeOf } from './transaction.ts'

const Text = z.string().nullish()
const Envelope = z.record(z.string(), z.unknown()).nullish()
const Figure = z.union([z.string(), z.number()]).nullish()

/** The session fields about who pays what, and where it goes. */
export const MoneySession = BridgeSession.extend({
  ...{ expired: z.boolean().nullish(), expiresAt: Text, paymentStatus: Text },
  ...{ paymentChainId: Text, paymentCurrency: Text, paymentAmount: Text },
  ...{ unsignedTransaction: Envelope, unsignedTypedData: Envelope, unsignedSolanaTransaction: z.unknown().optional() },
  ...{ redirectUrl: Text, depositAddress: Text },
  ...{ sponsoredTransaction: Envelope, transaction: Envelope, transfer: Envelope },
  ...{ payerAccount: Text, payerWalletAddress: Text, refundAddress: Text, payerAccounts: z.string().array().nullish() },
  ...{ sponsoredTransactionChainId: Text, sponsoredTransactionCurrency: Text },
  ...{ paymentAmountUSD: Figure, sponsoredTransactionAmount: Figure, sponsoredTransactionAmountUSD: Figure },
  ...{ serviceFeeUSD: Figure, gasFeeUSD: Figure, totalFeeUSD: Figure },
})
export type MoneySession = z.infer<typeof MoneySession>

/** Throws BRIDGE_UPSTREAM. */
export function rejectOtherSession({ from, amount, to }: Transfer, session: MoneySession, nowMs: number): void {
  if (session.expired === true || (session.expiresAt != null && !(Date.parse(session.expiresAt) > nowMs)))
    throw mismatch('the session has expired')
  if (session.paymentStatus != null && session.paymentStatus !== 'unpaid') throw mismatch('the session is already paid')
  if (session.paymentCurrency?.toLowerCase() !== caip19(from)) throw mismatch('the session’s payment currency differs')
  if (session.paymentChainId != null && session.paymentChainId !== from.chain)
    throw mismatch('the session’s payment chain differs')
  if (payersOf(session).some((payer) => payer !== from.address)) throw mismatch('the session is for another payer')
  if (session.sponsoredTransactionChainId != null && session.sponsoredTransactionChainId !== to.deposit.chain)
    throw mismatch('the session’s destination chain differs')
  if (
    session.sponsoredTransactionCurrency != null &&
    session.sponsoredTransactionCurrency.toLowerCase() !== caip19(to.deposit).toLowerCase()
  )
    throw mismatch('the session’s destination currency differs')
  if (figuresOf(session).some((figure) => figure != null && !(Number(figure) >= 0)))
    throw mismatch('an amount of the session is not a number')
  const units = unitsOf(from, amount, session.paymentAmount)
  refuseOtherEnvelope({ chain: from.chain, token: from.token, payer: from.address, units }, session, nowMs)
}

/** In lower case, without chain prefixes. */
export const payersOf = (session: MoneySession): string[] =>
  [session.payerAccount, session.payerWalletAddress, session.refundAddress, ...(session.payerAccounts ?? [])].flatMap(
    (name) => (name == null ? [] : [name.slice(name.lastIndexOf(':') + 1).toLowerCase()]),
  )

const figuresOf = (session: MoneySession) => [
  ...[session.paymentAmountUSD, session.sponsoredTransactionAmount, session.sponsoredTransactionAmountUSD],
  ...[session.serviceFeeUSD, session.gasFeeUSD, session.totalFeeUSD],
]

/** The session's stated cost, in the token's own units. */
function unitsOf(from: Transfer['from'], amount: string, paymentAmount: string | null | undefined): bigint {
  const cost = paymentAmount == null ? null : readDecimal(paymentAmount)
  if (cost === null || compareDecimals(cost, '0') <= 0) throw mismatch('the session has no amount')
  if (compareDecimals(cost, amount) > 0) throw mismatch('the session’s amount exceeds the requested one')
  const decimals = decimalsOf(from)
  if (decimals === null) throw mismatch('the token’s decimals are unknown')
  try {
    return toUnits(cost, decimals)
  } catch (cause) {
    if (cause instanceof RangeError) throw mismatch('the session’s amount is below the token’s smallest unit')
    throw cause
  }
}

function refuseOtherEnvelope(payable: Payable, session: MoneySession, nowMs: number): void {
  const { paymentAction, unsignedTransaction, unsignedTypedData, depositAddress, redirectUrl } = session
  const payees = [
    ...(unsignedTransaction == null ? [] : [payeeOf(unsignedTransaction, payable)]),
    ...(unsignedTypedData == null ? [] : [spenderOf(unsignedTypedData, payable, nowMs)]),
  ]
  const envelope =
    paymentAction === 'signAndSendTransaction'
      ? unsignedTransaction
      : paymentAction === 'signTypedData'
        ? unsignedTypedData
        : null
  if (envelope == null) throw mismatch('the session’s payment method is unknown')
  if (session.unsignedSolanaTransaction != null) throw mismatch('the session contains a transaction for another chain')
  if (depositAddress != null && !payees.includes(depositAddress.toLowerCase()))
    throw mismatch('the session’s deposit address is not the payee')
  if (redirectUrl != null) throw mismatch('the session contains a redirect')
}
