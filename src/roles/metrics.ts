// Prometheus text: process figures by the library, ours read on request, so that counting costs the hot path nothing.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { Durations } from '#core/durationHistogram'

export interface Sample {
  labels?: Record<string, string>
  value: number
}

export interface Metrics {
  /** `read` is called for each scrape; without a sample there is no line. */
  gauge(name: string, help: string, labelNames: readonly string[], read: () => Sample[]): void
  /** The same for values that only grow while the process lives; `_total` is appended to its name. */
  counter(name: string, help: string, labelNames: readonly string[], read: () => Sample[]): void
  /**
   * Counted as it happens; `_total` is appended to its name. Parts of one process that use the same name share the
   * counter.
   */
  tally(name: string, help: string, labelNames: readonly string[]): (labels: Record<string, string>) => void
  /** A duration histogram; `_seconds` is appended to its name. Parts of one process that use the same name share it. */
  durations(name: string, help: string, labelNames: [string, string]): Durations
  text(): Promise<{ contentType: string; text: string }>
  stop(): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const tallies = new Map<string, Counter>()
  const histograms = new Map<string, { help: string; durations: Durations }>()
  collectDefaultMetrics({ register: registry, prefix: 'crossbook_' })
  // Sums over what exists by type. The suffix is a counter's, and `rate()` over them would be nonsense.
  for (const { name, type } of registry.getMetricsAsArray())
    if (String(type) === 'gauge' && name.endsWith('_total')) registry.removeSingleMetric(name)
  return {
    gauge(name, help, labelNames, read) {
      new Gauge({
        name: `crossbook_${name}`,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        collect() {
          this.reset()
          // Unknown is not zero, the initial value of a figure without labels.
          if (labelNames.length === 0) this.remove()
          for (const { labels = {}, value } of read()) this.set(labels, value)
        },
      })
    },
    counter(name, help, labelNames, read) {
      new Counter({
        name: `crossbook_${name}_total`,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        collect() {
          this.reset()
          if (labelNames.length === 0) this.remove()
          for (const { labels = {}, value } of read()) this.inc(labels, value)
        },
      })
    },
    tally(name, help, labelNames) {
      const counter =
        tallies.get(name) ??
        new Counter({ name: `crossbook_${name}_total`, help, labelNames: [...labelNames], registers: [registry] })
      tallies.set(name, counter)
      return (labels) => counter.inc(labels)
    },
    durations(name, help, labelNames) {
      const known = histograms.get(name)
      if (known !== undefined) return known.durations
      const durations = new Durations(...labelNames)
      histograms.set(name, { help, durations })
      return durations
    },
    async text() {
      const ours = [...histograms].map(([name, { help, durations }]) =>
        durations.text(`crossbook_${name}_seconds`, help),
      )
      const text = [await registry.metrics(), ...ours].join('\n')
      return { contentType: registry.contentType, text }
    },
    stop() {
      registry.clear()
      tallies.clear()
      histograms.clear()
    },
  }
}

/** Gateway and compute role both relay. */
export const measureRelays = (metrics: Metrics): Durations =>
  metrics.durations('relay', 'Relays to venues, by outcome', ['venue', 'outcome'])
