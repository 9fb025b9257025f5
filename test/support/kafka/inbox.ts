// A process that reads books over Kafka, and how the publishing process learns its inbox.
import { vi } from 'vitest'
import { type Demand, everyMarket } from '#schemas/topics'
import type { Bus } from '#storage/bus/bus'

const waiting = { timeout: 20_000, interval: 50 }

export interface Wants {
  gatewayId: string
  venue: string
  marketIds?: string[]
}

/**
 * `reader` demands markets of a venue, all if none is named; resolves with its inbox once `publisher` has received the demand. The reader
 * must have subscribed to books or trades.
 */
export async function demandFor(reader: Bus, publisher: Bus, wants: Wants): Promise<number> {
  const { gatewayId, venue, marketIds = [everyMarket] } = wants
  let received: number | undefined
  const stop = await publisher.subscribe('demand', (demand) => {
    if (demand.gatewayId === gatewayId && demand.venue === venue) received = demand.inbox
  })
  const demand: Demand = { gatewayId, venue, marketIds, at: Date.now() }
  const inbox = await vi.waitFor(() => {
    reader.publish('demand', `${gatewayId}:${venue}`, demand)
    if (received === undefined) throw new Error('the demand has not arrived')
    return received
  }, waiting)
  await stop()
  return inbox
}
