// Matches in memory: one pair of the seeded markets by default.
import type { Matches, MatchQuery, ScoredPair } from '#matching/matches'
import type { StoredCluster } from '#schemas/matches'
import type { MemoryCatalog } from './memoryStores.ts'

export const clusterId = `c_${'0'.repeat(19)}1`

export class MemoryMatches implements Matches {
  failure: Error | null = null
  queries: MatchQuery[] = []
  private readonly catalog: MemoryCatalog

  constructor(catalog: MemoryCatalog) {
    this.catalog = catalog
  }

  async state() {
    if (this.failure !== null) throw this.failure
    return { runId: '7', finishedAt: 1_789_999_000_000 }
  }

  async find(query: MatchQuery): Promise<ScoredPair[]> {
    this.queries.push(query)
    const found = this.pair()
    const isRequested = (ref: { venue: string; marketId: string }) =>
      [found.match.a, found.match.b].some(({ venue, marketId }) => venue === ref.venue && marketId === ref.marketId)
    const fits = query.relations.includes('identity') && (query.of?.some(isRequested) ?? true)
    return fits && query.minConfidence <= 0.97 ? [found] : []
  }

  async findCluster(id: string): Promise<StoredCluster | null> {
    return id === clusterId ? this.cluster() : null
  }

  async findClusterOf(venue: string, marketId: string): Promise<StoredCluster | null> {
    const cluster = this.cluster()
    return cluster.members.some((member) => member.venue === venue && member.marketId === marketId) ? cluster : null
  }

  private cluster(): StoredCluster {
    const { match } = this.pair()
    return {
      clusterId,
      question: 'Will it happen?',
      members: [
        { ...match.a, polarity: 'same' },
        { ...match.b, polarity: 'same' },
      ],
      pairs: [match],
    }
  }

  private pair(): ScoredPair {
    const market = (venue: string) => this.catalog.markets.find((row) => row.sourceExchange === venue)!
    const [a, b] = [market('kalshi'), market('polymarket')]
    return {
      match: {
        a: { venue: 'kalshi', marketId: a.marketId },
        b: { venue: 'polymarket', marketId: b.marketId },
        score: 97,
        band: 'verified',
        polarity: 'same',
        relation: 'identity',
        differences: [{ kind: 'date', detail: 'only kalshi names a date', points: 3 }],
        resolution: { compatible: true, reason: 'nothing contradicts', auditReasons: [] },
        resolutionEquivalence: 'verified',
        override: null,
      },
      clusterId,
      a,
      b,
      aPrice: 0.42,
      bPrice: 0.42,
      difference: 0,
    }
  }
}
