// Metrics of the stream.
import type { HubTotals } from '#stream/deliveryStats'
import type { Stream } from '#stream/server'
import type { Metrics } from '../metrics.ts'

export function measureStream(metrics: Metrics, stream: Pick<Stream, 'totals'>): void {
  const total = (name: keyof HubTotals) => () => [{ value: stream.totals()[name] }]
  metrics.gauge('stream_sockets', 'Sockets open now', [], total('sockets'))
  metrics.gauge('stream_subscriptions', 'Subscriptions held now', [], total('subscriptions'))
  metrics.counter(
    'stream_frames_produced',
    'Frames that readers would have got with unlimited buffers',
    [],
    total('produced'),
  )
  metrics.counter('stream_frames_sent', 'Frames sent', [], total('sent'))
  metrics.counter(
    'stream_frames_conflated',
    'Books replaced by a newer one before they were sent',
    [],
    total('conflated'),
  )
  metrics.counter('stream_frames_dropped', 'Frames dropped under backpressure', [], total('dropped'))
}
