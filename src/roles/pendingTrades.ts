// Trades visible before their block: the watcher of the operator's node, for the venue that settles on its chain. Null without a node, or when no
// such venue is served. Each gateway watches for its own readers: a fill and its outcome are reported by the same process.
import { PendingWatcher } from '#actors/pendingTrades/watcher'
import type { Config } from '#config'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'
import type { PendingTrades } from '#marketData/pendingTrades/index'
import { createSocketOpener } from '#net/socket'
import type { VenueManifest } from '#venues/venue'
import type { Metrics } from './metrics.ts'

const polygon = 137

export interface OpenPendingTrades {
  trades: PendingTrades
  measure(metrics: Metrics): void
  stop(): void
}

export function openPendingTrades(
  { polygonWsUrl, contactUrl }: Pick<Config, 'polygonWsUrl' | 'contactUrl'>,
  venues: readonly { manifest: VenueManifest }[],
  { clock, log }: { clock: Clock; log: Log },
): OpenPendingTrades | null {
  const settling = venues.find(({ manifest }) => manifest.data.pendingTrades?.chainId === polygon)
  if (polygonWsUrl === undefined || settling === undefined) return null
  const { slug, data } = settling.manifest
  const watcher = new PendingWatcher({
    venue: slug,
    manifest: data.pendingTrades!,
    url: polygonWsUrl,
    openSocket: createSocketOpener(contactUrl),
    clock,
    log,
    random: Math.random,
  })
  return {
    trades: watcher,
    measure(metrics) {
      const watching = 'Whether a node is reporting settlements before their block'
      const misread = 'Settlements whose logs differ from what was sent'
      const refused = 'Settlements not sent because too many are waiting'
      metrics.gauge('pending_trades_watching', watching, [], () => [{ value: watcher.isWatching ? 1 : 0 }])
      metrics.gauge('pending_trades_waiting', 'Settlements waiting for their block', [], () => [
        { value: watcher.waiting },
      ])
      metrics.counter('pending_trades_refused', refused, [], () => [{ value: watcher.refused }])
      metrics.counter('pending_trades_misread', misread, [], () => [{ value: watcher.misread }])
      metrics.counter('pending_trades_resolved', 'Settlements by outcome', ['as'], () =>
        Object.entries(watcher.counts).map(([as, value]) => ({ labels: { as }, value })),
      )
    },
    stop: () => watcher.stop(),
  }
}
