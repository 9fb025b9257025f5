// The lab's sessions: created, paid, settled by the clock. Amounts are decimal strings, a token is a dollar.
//
//   unpaid ──payment──► waiting_confirmations ──½ s──► paid, its transfer pending ──½ s──► success
//     └── 10 min ──► expired
import { encodeFunctionData, erc20Abi, formatUnits, keccak256, parseUnits, toHex } from 'viem'
import type { Clock } from '#core/clock'
import { type Currency, caip19 } from './currencies.ts'
import { permitOf, receiver } from './permit.ts'
import type { LabSession, Order } from './session.ts'

const livesMs = 600_000
const stepMs = 500
/** Fee: a flat part plus a thousandth of the amount, in dollars. */
const flatFeeUsd = 0.05
const feeRate = 0.001

export const feeOf = (amount: number): number => Math.ceil((flatFeeUsd + amount * feeRate) * 1e6) / 1e6
const money = (amount: number): string => String(Number(amount.toFixed(6)))

export class LabSessions {
  private readonly clock: Clock
  private readonly byId = new Map<string, LabSession>()
  private made = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  make(order: Order): LabSession {
    const id = `lab${(++this.made).toString(36)}${keccak256(toHex(`${order.payer}/${this.made}/${this.clock.now()}`)).slice(2, 18)}`
    const session = { ...order, id, createdAt: this.clock.now(), paid: null }
    this.byId.set(id, session)
    return session
  }

  get(id: string): LabSession | undefined {
    return this.byId.get(id)
  }

  pay(session: LabSession, hash: string): void {
    session.paid ??= { hash, at: this.clock.now() }
  }

  isExpired({ createdAt, paid }: LabSession): boolean {
    return paid === null && this.clock.now() >= createdAt + livesMs
  }

  /** As the provider shows it now. */
  shown(session: LabSession) {
    const { id, from, to, amount, payer, gasless, paid, createdAt } = session
    const fee = feeOf(Number(amount))
    const age = paid === null ? null : this.clock.now() - paid.at
    const hasArrived = age !== null && age >= 2 * stepMs
    const iso = (ms: number): string => new Date(ms).toISOString()
    const arrived = hasArrived ? keccak256(toHex(`arrival of ${id}`)) : null
    return {
      sessionId: id,
      createdAt: iso(createdAt),
      expiresAt: iso(createdAt + livesMs),
      expired: this.isExpired(session),
      etaInSeconds: (2 * stepMs) / 1_000,
      payerAccount: `${from.chainId}:${payer}`,
      paymentStatus: age === null ? 'unpaid' : age < stepMs ? 'waiting_confirmations' : 'paid',
      paymentChainId: from.chainId,
      paymentChainName: from.chainName,
      paymentCurrency: caip19(from),
      paymentCurrencySymbol: from.symbol,
      paymentAmount: amount,
      paymentAmountUSD: money(Number(amount)),
      paymentTransactionHash: paid?.hash ?? null,
      paymentTransactionUrl: null,
      paymentAction: gasless ? 'signTypedData' : 'signAndSendTransaction',
      unsignedTransaction: gasless ? null : transactionOf(session),
      unsignedTypedData: gasless ? permitOf(session) : null,
      redirectUrl: null,
      depositAddress: null,
      sponsoredTransactionChainId: to.currency.chainId,
      sponsoredTransactionStatus: hasArrived ? 'success' : age === null ? 'created' : 'pending',
      sponsoredTransactionHash: arrived,
      sponsoredTransactionUrl: null,
      sponsoredTransactionAmount: money(Number(amount) - fee),
      sponsoredTransactionCurrency: caip19(to.currency),
      sponsoredTransactionCurrencySymbol: to.currency.symbol,
      sponsoredTransactionAmountUSD: money(Number(amount) - fee),
      serviceFeeUSD: money(fee - flatFeeUsd),
      gasFeeUSD: money(flatFeeUsd),
      totalFeeUSD: money(fee),
      metadata: '',
    }
  }
}

/** The payer's own transfer to the lab. */
function transactionOf({ from, payer, amount }: LabSession) {
  const args = [receiver, parseUnits(amount, from.decimals)] as const
  const input = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return { chainId: from.chainId, from: payer, to: from.token, value: '0x0', input }
}

/** A payment option that makes `amount` arrive. */
export function optionOf(payer: string, from: Currency, to: Currency, amount: string) {
  const fee = feeOf(Number(amount))
  const paid = money(Number(amount) + fee)
  return {
    payerAccount: `${from.chainId}:${payer}`,
    paymentCurrency: caip19(from),
    paymentAmount: paid,
    paymentAmountUSD: paid,
    balance: '0',
    balanceUSD: '0',
    currencyName: from.symbol,
    currencySymbol: from.symbol,
    chainId: from.chainId,
    chainName: from.chainName,
    transactionAmount: amount,
    transactionCurrency: caip19(to),
    transactionAmountUSD: amount,
    transactionCurrencySymbol: to.symbol,
    totalFeeUSD: money(fee),
    hasSufficientBalance: false,
  }
}

export const inUnits = (units: bigint, { decimals }: Currency): string => formatUnits(units, decimals)
