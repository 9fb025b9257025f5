// What the fill model predicts for the probes of a tape, and what a rule without queues predicts.
import { type FillModelSettings, OutcomeMatcher } from '#paper/model/index'
import { type EvaluationTape, noFill, type Outcome, type Probe, withFill } from './tape.ts'

export function predict(
  tape: EvaluationTape,
  settings: FillModelSettings,
  probes: readonly Probe[] = tape.probes,
): Map<string, Outcome> {
  const matcher = new OutcomeMatcher(settings)
  const outcomes = new Map<string, Outcome>()
  const collect = () => {
    for (const event of matcher.drain()) {
      if (event.kind !== 'fill') continue
      const { orderId, at, price, size } = event
      outcomes.set(orderId, withFill(outcomes.get(orderId) ?? noFill, at, price, size))
    }
  }
  const actions = actionsOf(probes)
  let next = 0
  for (const event of tape.events) {
    const at = event.kind === 'book' ? event.book.at : event.trade.at
    for (; next < actions.length && actions[next]!.at <= at; next++) {
      const { at, probe, isCancel } = actions[next]!
      if (isCancel) matcher.cancel(probe.order.id, at)
      else matcher.submit(probe.order, at)
    }
    if (event.kind === 'book') matcher.onBook(event.book)
    else matcher.onTrade(event.trade)
    collect()
  }
  return outcomes
}

/** Placements and cancels in the order of their time. */
const actionsOf = (probes: readonly Probe[]): { at: number; probe: Probe; isCancel: boolean }[] =>
  probes
    .flatMap((probe) => [
      { at: probe.placedAt, probe, isCancel: false },
      { at: probe.endsAt, probe, isCancel: true },
    ])
    .sort((a, b) => a.at - b.at)

/** A probe fills as soon as a trade reaches its price: no queue. */
export function predictWithoutQueue(tape: EvaluationTape, settings: FillModelSettings): Map<string, Outcome> {
  const noQueue = tape.events.map((event) =>
    event.kind === 'trade' ? { ...event, trade: { ...event.trade, size: Number.MAX_SAFE_INTEGER } } : event,
  )
  return predict({ ...tape, events: noQueue }, settings)
}
