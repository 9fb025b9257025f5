// The understood parts of a question, by kind. Each value has one spelling, so two questions agree on a kind when their lists are equal.

export const featureKinds = [
  'team',
  'district',
  'office',
  'scope',
  'party',
  'place',
  'event',
  'stage',
  'rank',
  'period',
  'form',
  'group',
  'division',
  'league',
  'asset',
  'metric',
  'basis',
  'decision',
  'action',
] as const

export type FeatureKind = (typeof featureKinds)[number]

/** Kinds that no wording reconciles. */
export const plainKinds = ['team', 'district', 'party', 'asset', 'metric', 'period', 'group', 'division'] as const

export class Features {
  private readonly byKind = new Map<FeatureKind, Set<string>>()

  add(kind: FeatureKind, value: string): void {
    const values = this.byKind.get(kind)
    if (values === undefined) this.byKind.set(kind, new Set([value]))
    else values.add(value)
  }

  drop(kind: FeatureKind, value: string): void {
    this.byKind.get(kind)?.delete(value)
  }

  /** Values of a kind, sorted. */
  of(kind: FeatureKind): string[] {
    return [...(this.byKind.get(kind) ?? [])].sort()
  }

  /** Plain data: only the kinds that have values. */
  plain(): Partial<Record<FeatureKind, string[]>> {
    const out: Partial<Record<FeatureKind, string[]>> = {}
    for (const kind of featureKinds) {
      const values = this.of(kind)
      if (values.length > 0) out[kind] = values
    }
    return out
  }
}
