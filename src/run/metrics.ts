// Prometheus text: process figures by the library, ours read when somebody asks, so that counting costs the hot path nothing.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export interface Sample {
  labels?: Record<string, string>
  value: number
}

export interface Metrics {
  /** `read` is called for each scrape; without a sample there is no line. */
  gauge(name: string, help: string, labelNames: readonly string[], read: () => Sample[]): void
  text(): Promise<{ contentType: string; text: string }>
  stop(): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'crossbook_' })
  return {
    gauge(name, help, labelNames, read) {
      new Gauge({
        name: `crossbook_${name}`,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        collect() {
          this.reset()
          // What nobody knows is no zero, which is how a figure without labels begins.
          if (labelNames.length === 0) this.remove()
          for (const { labels = {}, value } of read()) this.set(labels, value)
        },
      })
    },
    text: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    stop: () => registry.clear(),
  }
}
