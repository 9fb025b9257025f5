// Every built adapter with the real client and sender; its venue is one address on loopback, its catalog the given rows.
import { randomBytes, randomUUID } from 'node:crypto'
import { systemClock } from '#core/clock'
import { Fault } from '#core/fault'
import type { Log } from '#core/log'
import { createHttpClient } from '#net/httpClient'
import { createHttpSender } from '#net/httpSender'
import type { ConditionalAdapter, ConditionalPreview } from '#orders/executions/index'
import type { ExecutionAdapter, LaneContext, ResolvedOutcome, StatusLane } from '#venues/lane'
import { lanes, statusLanes } from '#venues/registry'
import { sampleSettings } from '../sampleSettings.ts'

export function armRealLanes(
  venueUrl: string,
  rowsOf: Readonly<Record<string, ResolvedOutcome[]>>,
  log: Log,
): {
  armed: Map<string, ConditionalAdapter>
  known: ExecutionAdapter[]
  status: Map<string, ConditionalPreview>
  close(): Promise<void>
} {
  const sender = createHttpSender()
  const closing: (() => Promise<void>)[] = [() => sender.close()]
  const known: ExecutionAdapter[] = Object.values(lanes)
  const contextOf = (lane: ExecutionAdapter | StatusLane): ConditionalAdapter['context'] => {
    const http = createHttpClient({ venue: lane.slug, requestsPerSecond: 10_000 })
    closing.push(() => http.close())
    const rows = rowsOf[lane.slug] ?? []
    const find = async (fits: (row: ResolvedOutcome) => boolean): Promise<ResolvedOutcome> => {
      const row = rows.find(fits)
      if (row === undefined) throw new Fault('OUTCOME_NOT_FOUND', 'no such outcome', { exchange: lane.slug })
      return row
    }
    const fixed: Omit<LaneContext, 'signal'> = {
      http,
      sender,
      clock: systemClock,
      log: log.child({ lane: lane.slug }),
      urls: Object.fromEntries(urlNamesOf(lane).map((name) => [name, venueUrl])),
      settings: 'settings' in lane ? sampleSettings(lane) : {},
      catalog: {
        outcome: (outcomeId, marketId) =>
          find((row) => row.outcome.outcomeId === outcomeId && [undefined, row.market.marketId].includes(marketId)),
        side: (marketId, side) => find((row) => row.market.marketId === marketId && row.side === side),
      },
      heavy: async (work) => work(),
      randomBytes: (length) => randomBytes(length),
      randomUuid: () => randomUUID(),
    }
    return (signal) => ({ ...fixed, signal })
  }
  return {
    armed: new Map(known.map((lane) => [lane.slug as string, { lane, context: contextOf(lane) }])),
    known,
    status: new Map(statusLanes.map((lane) => [lane.slug as string, { lane, context: contextOf(lane) }])),
    async close() {
      await Promise.all(closing.map((close) => close()))
    },
  }
}

const urlNamesOf = (lane: ExecutionAdapter | StatusLane): string[] => [
  ...Object.keys(lane.urls),
  ...('chain' in lane && lane.chain !== undefined ? ['RPC'] : []),
]
