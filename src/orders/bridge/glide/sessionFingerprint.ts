// The fingerprint of a session at its creation: for each part that is signed or paid to, a hash keyed to the session. Later reads show the
// same or less, never something else to pay; and the payer cannot be recovered from a hash.
import { createHash } from 'node:crypto'
import { readDecimal } from '#core/decimal'
import { caip19 } from '../caip.ts'
import type { SessionFingerprint, Transfer } from '../ports.ts'
import { mismatch } from './mismatch.ts'
import { recipients } from './recipientCheck.ts'
import { type MoneySession, payersOf } from './session.ts'

type Part = readonly [name: string, value: unknown]

export const fingerprint = (transfer: Transfer, session: MoneySession): SessionFingerprint =>
  Object.fromEntries(
    [
      ...partsOf(session),
      ['payer', transfer.from.address] as const,
      ['recipient', transfer.to.address] as const,
      ['arrivesOn', transfer.to.deposit.chain] as const,
      ['arrivesAs', caip19(transfer.to.deposit)] as const,
    ].map(([name, value]) => [name, markOf(session, name, value)]),
  )

/** Throws BRIDGE_UPSTREAM. */
export function rejectChangedSession(agreed: SessionFingerprint, session: MoneySession): void {
  for (const [name, value] of partsOf(session))
    if (agreed[name] !== markOf(session, name, value)) throw mismatch(`the session’s ${name} changed`)
}

export const isAgreed = (agreed: SessionFingerprint, session: { sessionId: string }, [name, value]: Part): boolean =>
  agreed[name] === markOf(session, name, value)

/** The parts present: a part that is no longer shown is no longer signed. */
function partsOf(session: MoneySession): Part[] {
  const { paymentAmount } = session
  const parts: Part[] = [
    ['paymentAction', session.paymentAction],
    ['paymentCurrency', session.paymentCurrency],
    ['paymentChainId', session.paymentChainId],
    ['paymentAmount', paymentAmount == null ? null : (readDecimal(paymentAmount) ?? paymentAmount)],
    ['unsignedTransaction', session.unsignedTransaction],
    ['unsignedTypedData', session.unsignedTypedData],
    ['unsignedSolanaTransaction', session.unsignedSolanaTransaction],
    ['depositAddress', session.depositAddress],
    ['redirectUrl', session.redirectUrl],
    ['arrivesOn', session.sponsoredTransactionChainId],
    ['arrivesAs', session.sponsoredTransactionCurrency],
    ...payersOf(session).map((payer) => ['payer', payer] as const),
    ...recipients(session),
  ]
  return parts.filter(([, value]) => value != null)
}

const markOf = ({ sessionId }: { sessionId: string }, name: string, value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([sessionId, name, plain(value)]))
    .digest('base64url')

/** Normalizes spelling and field order. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, each]) => each !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => [name, plain(each)])
}
