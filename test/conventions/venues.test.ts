import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { boundedBooks } from '#actors/ingest/bookVerifier'
import {
  type BuiltVenue,
  booksOnlyFeeds,
  builtVenues,
  disabledVenues,
  sandboxVenues,
  servedVenues,
  venueCapabilities,
} from '#schemas/venues'
import { lanes, registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'
import { folderNames } from './source.ts'

describe('venues', () => {
  it('folders, slugs, registry and lanes name the same venues', () => {
    const folders = folderNames('src/venues').filter((name) => name !== 'shared')
    expect(Object.keys(registry).sort()).toEqual([...builtVenues].sort())
    // An unlisted folder would belong to no venue.
    expect([...builtVenues].sort()).toEqual(folders.sort())
    for (const [slug, lane] of Object.entries(lanes)) expect(lane.slug).toBe(slug)
    for (const [slug, manifest] of Object.entries(registry)) expect(manifest.slug).toBe(slug)
  })

  it('a manifest claims no more than the specification’s table', () => {
    for (const [slug, manifest] of Object.entries(registry) as [BuiltVenue, VenueManifest][]) {
      const row = venueCapabilities[slug]
      expect(manifest.volume24h, manifest.slug).toEqual(row.volume24h)
      expect(manifest.data.fetchTrades !== undefined, manifest.slug).toBe(row.tradesTape)
    }
  })

  it('the documented bounds on wrong live books are those of the manifests', () => {
    const declared = Object.entries(registry as Record<string, VenueManifest>).flatMap(([slug, { data }]) =>
      data.stream === undefined
        ? []
        : [`| ${slug} | ${data.stream.stalenessMaxMs / 1_000} s | ${boundedBooks(data)} |`],
    )
    const text = readFileSync('docs/marketData.md', 'utf8')
    const documented = text.match(/^\| \w+ \| \d+ s \| \d+ \|$/gm) ?? []
    expect(documented.toSorted()).toEqual(declared.toSorted())
  })

  it('feeds without trades are those whose manifests say so', () => {
    const declared = Object.values(registry as Record<string, VenueManifest>).filter(
      ({ data }) => data.stream?.hasTrades === false,
    )
    expect([...booksOnlyFeeds].sort()).toEqual(declared.map(({ slug }) => slug).sort())
  })

  it('sixteen are served, and none of them is disabled or a sandbox', () => {
    expect(servedVenues).toHaveLength(16)
    for (const slug of [...disabledVenues, ...sandboxVenues])
      expect(servedVenues as readonly string[]).not.toContain(slug)
  })
})
