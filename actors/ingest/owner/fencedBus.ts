// The bus as the owner of a venue or part sees it: everything it publishes carries its epoch and part, books and trades go to the processes that
// demand them, and nothing is published while another process may own the venue.
import type { Clock } from '#core/clock'
import { pause } from '#core/pause'
import type { BookUpdate, CoverageEvent, TopicName, TopicValues, TradeUpdate } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import { Demands } from '../demands.ts'
import type { LeaseTerm } from './venueLeaseManager.ts'

/** Coverage events waiting until the lease is certain, some 200 bytes each; beyond it the oldest are lost. */
const waitingMax = 20_000
/** How often a waiting caller checks again. */
const lookAgainMs = 50

export type OwnedBus = Pick<Bus, 'publish' | 'ready' | 'deliversOnDemand' | 'interruptions'>

export function ownedBus(
  bus: OwnedBus,
  lease: LeaseTerm,
  clock: Clock,
  demands: Pick<Demands, 'inboxesOf'> = new Demands(),
): OwnedBus {
  let over = false
  void lease.over.then(() => {
    over = true
  })
  /** The records of the tape's gaps may be late, not lost. */
  const waiting: { key: string; value: CoverageEvent }[] = []
  const { epoch, part } = lease
  const sender = part === undefined ? { epoch } : { epoch, part }
  const { deliversOnDemand } = bus

  function inboxesFor<T extends TopicName>(topic: T, value: TopicValues[T]): readonly number[] | undefined {
    if (!deliversOnDemand || (topic !== 'books' && topic !== 'trades')) return undefined
    return demands.inboxesOf(topic, (value as BookUpdate | TradeUpdate).marketId)
  }

  return {
    deliversOnDemand,
    interruptions: () => bus.interruptions(),
    /** While the lease is uncertain, coverage waits, and everything else is lost: callers that cannot afford that await `ready` first. */
    publish<T extends TopicName>(
      topic: T,
      key: string,
      value: TopicValues[T],
      inboxes = inboxesFor(topic, value),
    ): void {
      if (!lease.holds()) {
        if (topic === 'coverage' && !over) waiting.push({ key, value: value as CoverageEvent })
        if (waiting.length > waitingMax) waiting.shift()
        return
      }
      for (const event of waiting.splice(0)) bus.publish('coverage', event.key, { ...event.value, ...sender })
      // A book update carries it already; no copy is made.
      bus.publish(topic, key, topic === 'books' ? value : { ...value, ...sender }, inboxes)
    },
    /** Also resolves when the lease is lost: then nothing is published any more. */
    async ready() {
      await bus.ready()
      while (!over && !lease.holds()) {
        await pause(clock, lookAgainMs)
        await bus.ready()
      }
    },
  }
}
