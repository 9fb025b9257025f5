// One algorithm against a venue and a book that a test moves: applies what is decided, and checks the rules that hold for every kind.
import { expect } from 'vitest'
import { decide } from '#orders/algorithms/machine/decide'
import type {
  AlgorithmDecision,
  AlgorithmPlan,
  AlgorithmProgress,
  LiveSlice,
  MarketView,
  WantedSlice,
} from '#orders/algorithms/machine/types'
import type { AlgorithmEnd } from '#schemas/algorithms'

export const noMarket: MarketView = { isLive: false, bids: [], asks: [] }

export const marketAt = (bid: number, ask: number, size = 1_000_000_000): MarketView => ({
  isLive: true,
  bids: [{ price: bid, size }],
  asks: [{ price: ask, size }],
})

export interface SentSlice extends WantedSlice {
  at: number
  market: MarketView
}

export class Simulation {
  readonly plan: AlgorithmPlan
  readonly progress: AlgorithmProgress
  market: MarketView = noMarket
  now: number
  end: AlgorithmEnd | null = null
  /** Decided, in order. */
  readonly slices: SentSlice[] = []
  readonly decisions: AlgorithmDecision['kind'][] = []
  readonly isHosted: boolean
  /** Filled of the slices that have ended. */
  private settled = 0

  constructor(plan: AlgorithmPlan, { isHosted = true }: { isHosted?: boolean } = {}) {
    this.plan = plan
    this.isHosted = isHosted
    this.now = plan.startsAt
    this.progress = {
      filled: 0,
      live: null,
      last: null,
      count: 0,
      planned: null,
      failures: 0,
      unsigned: 0,
      retryAt: null,
      endsAs: null,
      hasReopened: false,
    }
  }

  get live(): LiveSlice | null {
    return this.progress.live
  }

  /** Until it waits or has ended. */
  run(): AlgorithmDecision {
    for (let steps = 0; steps < 20; steps++) {
      const decision = this.step()
      if (decision.kind === 'wait' || decision.kind === 'end') return decision
    }
    throw new Error('it does not end')
  }

  step(): AlgorithmDecision {
    const decision = decide(this.plan, this.progress, this.market, this.now)
    this.decisions.push(decision.kind)
    this.apply(decision)
    return decision
  }

  private apply(decision: AlgorithmDecision): void {
    const { progress, plan, now } = this
    const { live } = progress
    switch (decision.kind) {
      case 'slice': {
        const { slice } = decision
        expect(live).toBeNull()
        expect(this.market.isLive).toBe(true)
        expect(now).toBeLessThan(plan.expiresAt)
        expect(now).toBeGreaterThanOrEqual(plan.startsAt)
        expect(progress.endsAs).toBeNull()
        expect(slice.size).toBeGreaterThan(0)
        expect(progress.filled + slice.size).toBeLessThanOrEqual(plan.size)
        if (slice.planned === null) {
          expect(slice.size % plan.sizeStep).toBe(0)
          expect(slice.size).toBeGreaterThanOrEqual(plan.minSliceSize)
        }
        if (plan.side === 'buy') expect(slice.price).toBeLessThanOrEqual(plan.limitPrice)
        else expect(slice.price).toBeGreaterThanOrEqual(plan.limitPrice)
        this.slices.push({ ...slice, at: now, market: this.market })
        progress.planned = progress.planned?.filter(({ number }) => number !== slice.planned) ?? null
        progress.live = {
          ...{ price: slice.price, size: slice.size, takes: slice.takes, stage: slice.stage },
          number: progress.count,
          decidedAt: now,
          state: slice.planned === null ? 'decided' : 'ready',
          filled: 0,
          signBy: null,
          cancel: null,
          isOutcomeUnknown: false,
          isFillUnknown: false,
        }
        progress.count++
        return
      }
      case 'build':
        live!.state = this.isHosted ? 'ready' : 'offered'
        live!.signBy = this.isHosted ? null : now + 60_000
        return
      case 'send':
        expect(this.market.isLive).toBe(true)
        live!.state = 'sent'
        return
      case 'withdraw':
        if (live!.state === 'sent') live!.cancel = 'sent'
        else this.close(decision.isUnsigned ? 'unsigned' : 'other')
        return
      case 'end':
        expect(live).toBeNull()
        this.end = decision.as
        return
      case 'wait':
    }
  }

  /** The owner submits what is offered. */
  sign(): void {
    if (this.live?.state === 'offered') this.live.state = 'sent'
  }

  /** The venue fills up to `size` of what rests. */
  fill(size: number): void {
    const { live } = this
    if (live === null || live.state !== 'sent') return
    live.filled = Math.min(live.size, live.filled + size)
    this.progress.filled = this.settled + live.filled
    if (live.filled === live.size) this.close('other')
  }

  /** The venue ends what rests: a cancel that was sent, or an order that takes. */
  confirm(): void {
    const { live } = this
    if (live !== null && live.state === 'sent' && (live.cancel === 'sent' || live.takes)) this.close('other')
  }

  fail(): void {
    if (this.live !== null) this.close('failed')
  }

  private close(how: 'unsigned' | 'failed' | 'other'): void {
    const { progress } = this
    const live = progress.live!
    this.settled += live.filled
    progress.filled = this.settled
    progress.last = { stage: live.stage, decidedAt: live.decidedAt }
    progress.live = null
    progress.failures = how === 'failed' ? progress.failures + 1 : how === 'unsigned' ? progress.failures : 0
    progress.unsigned = how === 'unsigned' ? progress.unsigned + 1 : how === 'failed' ? progress.unsigned : 0
  }
}
