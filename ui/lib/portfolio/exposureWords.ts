// What limits the figures of an exposure row, in words.
import type { ExposureBound, ExposureGroup, ExposureMeta, NotCovered } from '#schemas/exposure'

export const boundWords: Readonly<Record<ExposureBound, string>> = {
  search_limit: 'the outcomes are too many to find the worst one with certainty',
  relations_limit: 'there are more relations than are read',
  payout_unknown: 'a share of one of its markets may pay anything from 0 to 1',
  contradiction: 'the relations contradict each other or a result, and are not used',
}

export const notCoveredWords: Readonly<Record<NotCovered, string>> = {
  void_or_split: 'a market that is void, or pays a part to each side',
  settlement_fee: 'a fee for settlement, which the venue charges or does not rule out',
  currency_unknown: 'the currency is not known: added to nothing else',
  not_in_catalog: 'not in the catalog: a share may pay anything from 0 to 1',
  outcome_unknown: 'the outcome is not in the catalog: a share may pay anything from 0 to 1',
  scalar: 'pays a part of a unit: a share may pay anything from 0 to 1',
  payout_unknown: 'resolved, and the payout is not known: a share may pay anything from 0 to 1',
}

type Figures = Pick<ExposureGroup, 'isExact'>

/** `≥`, `≤` or nothing: a worst case that is not exact may be better, a best case worse. */
export const atLeast = ({ isExact }: Figures): string => (isExact ? '' : '≥ ')
export const atMost = ({ isExact }: Figures): string => (isExact ? '' : '≤ ')

/** The title of the first of its markets. */
export const groupTitle = ({ groupId, positions }: Pick<ExposureGroup, 'groupId' | 'positions'>): string =>
  positions.find(({ venue, marketId }) => `${venue}:${marketId}` === groupId)?.market ?? groupId

export const costWhy = (unknownCosts: number): string =>
  `the cost of ${unknownCosts === 1 ? 'one position' : `${unknownCosts} positions`} is not known`

export const settlementWhy = 'a resolution date is not known, or no market is open'

type Concentration = ExposureMeta['concentration']['venues']

/** The largest capital first; venues without a known share come last. */
export const byShare = (rows: Concentration): Concentration =>
  rows.toSorted((a, b) => (b.share ?? -1) - (a.share ?? -1))
