import { expect, test } from 'vitest'
import { comparesPerSecond } from '#actors/ingest/bookVerifier'
import { shareLimits } from '#actors/ingest/shareLimits'
import { manifests } from '#venues/registry'
import { defaultRequestsPerSecond } from '#venues/venue'

test.each(manifests.map((manifest) => [manifest.slug, manifest] as const))(
  '%s gets no more requests from its parts together than from one owner',
  (_slug, manifest) => {
    expect(shareLimits(manifest, 1)).toBe(manifest)
    const { data } = manifest
    for (const count of [2, 3, 16]) {
      const part = shareLimits(manifest, count).data
      expect(part.requestsPerSecond! * count).toBeCloseTo(data.requestsPerSecond ?? defaultRequestsPerSecond)
      expect(part.poll.concurrency).toBeGreaterThanOrEqual(1)
      expect(part.poll.concurrency * count).toBeLessThanOrEqual(Math.max(count, data.poll.concurrency))
      expect(part.poll.intervalMs).toBe(data.poll.intervalMs)
      if (data.poll.tradesEveryMs !== undefined) expect(part.poll.tradesEveryMs! / count).toBe(data.poll.tradesEveryMs)
      if (data.stream !== undefined) expect(comparesPerSecond(part) * count).toBeCloseTo(comparesPerSecond(data))
    }
  },
)
