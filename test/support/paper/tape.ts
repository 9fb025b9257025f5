// What a fill model is measured on: the public messages of a market, orders that are not part of them, and the outcomes of these orders.
import type { PaperBook, PaperOrderRequest, PaperTrade } from '#paper/model/index'

export type TapeEvent = { kind: 'book'; book: PaperBook } | { kind: 'trade'; trade: PaperTrade }

/** A resting order with a known lifetime. */
export interface Probe {
  order: PaperOrderRequest
  /** The request is sent, epoch ms. */
  placedAt: number
  /** Its cancel is sent, unless it has filled. */
  endsAt: number
}

export interface Outcome {
  /** Millionths of a contract. */
  filled: number
  /** Of the first fill, epoch ms; null: none. */
  filledAt: number | null
  /** Average, micros; null: not filled. */
  price: number | null
}

export interface EvaluationTape {
  name: string
  /** In the order in which they are received. */
  events: TapeEvent[]
  /** Resting orders. */
  probes: Probe[]
  /** Orders that take; empty where their outcome is not known. */
  takers: Probe[]
  /** By order id. */
  truth: ReadonlyMap<string, Outcome>
}

export const noFill: Outcome = { filled: 0, filledAt: null, price: null }

/** Adds a fill to an outcome. */
export const withFill = (outcome: Outcome, at: number, price: number, size: number): Outcome => ({
  filled: outcome.filled + size,
  filledAt: outcome.filledAt ?? at,
  price: ((outcome.price ?? 0) * outcome.filled + price * size) / (outcome.filled + size),
})
