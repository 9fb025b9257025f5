// Accounts: their holdings, approved agents and used nonces. Balances follow from the order manager's orders.
import type { Hex } from 'viem'
import type { OrderManager, SimulatedOrder } from '../engine/orderManager.ts'
import type { HyperSide } from './marketGenerator.ts'
import { coinOf, tokenOf } from './marketGenerator.ts'

/** The faucet's grant. */
const faucetUsd = 100_000
/** Highest nonces the venue keeps per signer. */
const noncesKept = 100
const nonceAgeMaxMs = 2 * 86_400_000
const nonceAheadMaxMs = 86_400_000

export interface Balance {
  coin: string
  total: number
  hold: number
  /** What was paid for it, dollars. */
  cost: number
}

export interface OrderDetails {
  named: HyperSide
  isBuy: boolean
  tif: string
}
export const detailsOf = (order: SimulatedOrder): OrderDetails => order.details as unknown as OrderDetails

/** In dollars of the order's own side. */
export const ownMicros = (order: SimulatedOrder, yesMicros: number): number =>
  detailsOf(order).named.side === 0 ? yesMicros : 1_000_000 - yesMicros

export class Accounts {
  private readonly deposits = new Map<Hex, number>()
  private readonly masters = new Map<Hex, Hex>()
  private readonly nonces = new Map<Hex, Set<number>>()
  private readonly nowMs: () => number

  constructor(nowMs: () => number) {
    this.nowMs = nowMs
  }

  /** Opens the account if needed. Zero is an account without money. */
  fund(address: string, usd: number): void {
    this.deposits.set(address.toLowerCase() as Hex, usd)
  }

  /** The lab's faucet: the first balance request of an unfunded address funds it. */
  visit(address: string): void {
    const known = address.toLowerCase() as Hex
    if (!this.deposits.has(known)) this.deposits.set(known, faucetUsd)
  }

  approveAgent(agent: string, master: string): void {
    this.masters.set(agent.toLowerCase() as Hex, master.toLowerCase() as Hex)
  }

  masterOf(agent: string): Hex | null {
    return this.masters.get(agent.toLowerCase() as Hex) ?? null
  }

  /** The account a signer trades for, null when the venue knows neither. */
  accountOf(signer: Hex): Hex | null {
    const account = this.masters.get(signer) ?? signer
    return this.deposits.has(account) ? account : null
  }

  /** Uses the nonce and returns null; otherwise returns why it is invalid. */
  spend(signer: Hex, nonce: number): string | null {
    const used = this.nonces.get(signer) ?? new Set()
    const now = this.nowMs()
    if (used.has(nonce)) return `Invalid nonce: duplicate nonce ${nonce}`
    if (nonce < now - nonceAgeMaxMs || nonce > now + nonceAheadMaxMs) return `Invalid nonce: ${nonce} is out of range`
    if (used.size >= noncesKept) {
      const lowest = Math.min(...used)
      if (nonce < lowest) return `Invalid nonce: ${nonce} is below the ${noncesKept} highest`
      used.delete(lowest)
    }
    this.nonces.set(signer, used.add(nonce))
    return null
  }

  /** USDC first, then every outcome token held. */
  balances(address: string, orderManager: OrderManager): Balance[] {
    const account = address.toLowerCase() as Hex
    const usdc: Balance = { coin: 'USDC', total: this.deposits.get(account) ?? 0, hold: 0, cost: 0 }
    const tokens = new Map<string, Balance>()
    for (const order of orderManager.ordersOf(account)) {
      const { named, isBuy } = detailsOf(order)
      const token = tokens.get(coinOf(named)) ?? { coin: tokenOf(named), total: 0, hold: 0, cost: 0 }
      tokens.set(coinOf(named), token)
      for (const fill of order.fills) {
        const contracts = fill.hundredths / 100
        usdc.total -= (isBuy ? 1 : -1) * contracts * (ownMicros(order, fill.priceMicros) / 1_000_000)
        // A sale leaves the average as it is.
        token.cost += isBuy
          ? contracts * (ownMicros(order, fill.priceMicros) / 1_000_000)
          : -contracts * (token.total === 0 ? 0 : token.cost / token.total)
        token.total += isBuy ? contracts : -contracts
      }
      if (order.status !== 'open') continue
      const left = (order.hundredths - order.filledHundredths) / 100
      if (isBuy) usdc.hold += left * (ownMicros(order, order.priceMicros) / 1_000_000)
      else token.hold += left
    }
    return [usdc, ...[...tokens.values()].filter(({ total }) => total !== 0)]
  }

  spendable(address: string, coin: string, orderManager: OrderManager): number {
    const { total, hold } = this.balances(address, orderManager).find((balance) => balance.coin === coin) ?? {
      total: 0,
      hold: 0,
    }
    return total - hold
  }
}
