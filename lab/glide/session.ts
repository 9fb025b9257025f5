// One session of the lab: what the payer ordered, and its payment.
import type { Currency } from './currencies.ts'

export interface Arrival {
  currency: Currency
  recipient: string
}

export interface Order {
  payer: string
  from: Currency
  /** Of `from`, decimal. */
  amount: string
  to: Arrival
  gasless: boolean
}

export interface LabSession extends Order {
  id: string
  createdAt: number
  paid: { hash: string; at: number } | null
}
