// The bus as the owner of a venue sees it: what it says carries its epoch, and nothing leaves while another may own the venue.
import type { Clock } from '#lib/clock'
import type { TopicName, TopicValues } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'
import type { Tenure } from './venueOwner.ts'

/** How often somebody who waits looks again. */
const lookAgainMs = 50

export type OwnedBus = Pick<Bus, 'publish' | 'ready'>

export function ownedBus(bus: OwnedBus, tenure: Tenure, clock: Clock): OwnedBus {
  let over = false
  void tenure.over.then(() => {
    over = true
  })
  return {
    /** Lost while the tenure is in doubt: who cannot afford that awaits `ready` first. */
    publish<T extends TopicName>(topic: T, key: string, value: TopicValues[T]): void {
      if (!tenure.holds()) return
      // A book has it already, and is copied for nobody.
      bus.publish(topic, key, topic === 'books' ? value : { ...value, epoch: tenure.epoch })
    },
    /** Also resolves when the tenure is over: then nothing is said any more. */
    async ready() {
      await bus.ready()
      while (!over && !tenure.holds()) {
        await new Promise<void>((resolve) => clock.after(lookAgainMs, resolve))
        await bus.ready()
      }
    },
  }
}
