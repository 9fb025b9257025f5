// What waits for the bus, and how what it carried arrived.
import type { Bus } from '#storage/bus/bus'
import type { Metrics } from './metrics.ts'

export function measureBus(metrics: Pick<Metrics, 'gauge' | 'counter'>, bus: Pick<Bus, 'figures'>): void {
  const sample = (read: (figures: ReturnType<Bus['figures']>) => number) => () => [{ value: read(bus.figures()) }]
  const gauge = (name: string, help: string, read: Parameters<typeof sample>[0]): void =>
    metrics.gauge(name, help, [], sample(read))
  const counter = (name: string, help: string, read: Parameters<typeof sample>[0]): void =>
    metrics.counter(name, help, [], sample(read))
  gauge(
    'bus_backlog_messages',
    'Tape, coverage and other complete records that Kafka has not acknowledged',
    (figures) => figures.backlogMessages,
  )
  gauge('bus_backlog_bytes', 'Their size', (figures) => figures.backlogBytes)
  gauge('bus_backlog_age_seconds', 'Age of the oldest of them', (figures) => figures.backlogAgeMs / 1_000)
  gauge(
    'bus_stalled_seconds',
    'How long Kafka has acknowledged nothing of what waits for it',
    (figures) => figures.stalledMs / 1_000,
  )
  gauge('bus_unread_seconds', 'How long a topic that is read here was not read', (figures) => figures.unreadMs / 1_000)
  counter('bus_dropped', 'Live messages dropped because too many waited', (figures) => figures.dropped)
  counter(
    'bus_producers_replaced',
    'Kafka producers replaced because brokers no longer accepted what they sent',
    (figures) => figures.producersReplaced,
  )
  counter('bus_repeated', 'Complete records that were sent twice and left out', (figures) => figures.repeated)
  counter('bus_missing', 'Complete records that a sender numbered and that never arrived', (figures) => figures.missing)
  counter('bus_inbox_taken', 'Books and trades read because they are demanded here', (figures) => figures.inboxTaken)
  counter(
    'bus_inbox_ignored',
    'Books and trades read and left out: another process reads the same inbox',
    (figures) => figures.inboxIgnored,
  )
}
