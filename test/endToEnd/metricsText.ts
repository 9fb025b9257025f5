// /metrics after one order was built (requested twice), sent (requested twice) and filled: docs/quick-start-trading.md, and nothing else.
import { describe, expect, it } from 'vitest'

type Labels = Readonly<Record<string, string>>

async function scraped(url: string): Promise<(name: string, labels?: Labels) => number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const samples = [...text.matchAll(/^(crossbook_\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, labelValue]) => [label!, labelValue!]),
    ),
    value: Number(value),
  }))
  return (name, labels = {}) => {
    const isIt = (each: Labels): boolean =>
      Object.keys(each).length === Object.keys(labels).length &&
      Object.entries(labels).every(([label, labelValue]) => each[label] === labelValue)
    return samples.find((each) => each.name === `crossbook_${name}` && isIt(each.labels))?.value
  }
}

/** Call it after the order. */
export function describeMetrics(address: () => { url: string }): void {
  describe('metrics', () => {
    it('count responses by operation and status: each request once, including an unknown path', async () => {
      const { url } = address()
      const metric = await scraped(url)
      for (const operation of ['buildExecution', 'submitExecution']) {
        const answered = { operation, status: '200' }
        expect(metric('http_answer_seconds_count', answered), operation).toBe(2)
        expect(metric('http_answer_seconds_bucket', { ...answered, le: '+Inf' }), operation).toBe(2)
        expect(metric('http_answer_seconds_sum', answered), operation).toBeGreaterThan(0)
      }
      const lost = { operation: 'none', status: '404' }
      const known = metric('http_answer_seconds_count', lost) ?? 0
      await fetch(`${url}/v1/nowhere`)
      expect((await scraped(url))('http_answer_seconds_count', lost)).toBe(known + 1)
    })

    it('count executions by adapter and status, and relays by venue and outcome', async () => {
      const metric = await scraped(address().url)
      for (const outcome of ['built', 'filled'])
        expect(metric('executions_total', { lane: 'polymarket', outcome }), outcome).toBe(1)
      const relayed = { venue: 'polymarket', outcome: 'accepted' }
      expect(metric('relay_seconds_count', relayed)).toBe(1)
      expect(metric('relay_seconds_sum', relayed)).toBeGreaterThan(0)
    })

    it('report the rows written to the tape, and its lag', async () => {
      const metric = await scraped(address().url)
      expect(metric('tape_rows_written_total')).toBeGreaterThan(0)
      expect(metric('tape_lag_seconds')).toBeGreaterThanOrEqual(0)
      // The alert rule uses a threshold above one minute.
      expect(metric('tape_lag_seconds')).toBeLessThan(60)
      expect(metric('tape_backlog_rows')).toBeGreaterThanOrEqual(0)
    })
  })
}
