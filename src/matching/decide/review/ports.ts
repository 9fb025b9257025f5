// The interface to the review of template pairs and of pairs whose prices differ. PostgreSQL implements it; the routes and the command line
// use it.
import type { CursorCodec } from '#core/cursor'
import type { TemplateDecision } from '#schemas/matchDecisions'
import type { MatchRelation } from '#schemas/matches'
import type {
  ImportResult,
  OpenTemplatePair,
  OverrideAction,
  PairOverride,
  PriceDifference,
  RecordedDecision,
  TemplatePairDetails,
} from '#schemas/matchReview'
import type { DemotedPairPosition } from '#storage/postgres/matching/index'

/** Who decides, and from where. */
export interface Decider {
  by: string
  /** The API key, or the user of the command line: verified, unlike the name. */
  recordedBy: string
}

export interface Decision extends Decider {
  relation: MatchRelation
  reason?: string | undefined
}

export interface DecisionPage {
  decisions: TemplateDecision[]
  /** Pass it as `before` for the next page; null: there is none. */
  nextBefore: string | null
}

export interface PriceDifferencePage {
  differences: PriceDifference[]
  /** Null: it is the last page. */
  next: DemotedPairPosition | null
}

/** In either order. */
export interface ReviewedSides {
  a: { venue: string; marketId: string }
  b: { venue: string; marketId: string }
}

export interface PriceDecision extends Decider {
  action: OverrideAction
  reason?: string | undefined
}

/** Every function throws Fault MATCHES_UNAVAILABLE when the store is down. */
export interface MatchReview {
  /** The most valuable first. */
  listOpen(limit: number): Promise<{ pairs: OpenTemplatePair[]; total: number }>
  /** Throws NOT_FOUND for a key that is neither open nor was ever decided, like the next two. */
  find(key: string): Promise<TemplatePairDetails>
  decide(key: string, decision: Decision): Promise<RecordedDecision>
  /** Throws NOT_FOUND if no decision applies. */
  withdraw(key: string, withdrawal: Decider & { reason?: string | undefined }): Promise<RecordedDecision>
  /** Decisions that apply, newest first. `before`: an id. */
  listDecisions(before: string | null, limit: number): Promise<DecisionPage>
  /** `replace`: also where another decision applies here. Already recorded decisions are not recorded again. */
  importDecisions(
    decisions: readonly TemplateDecision[],
    options: { replace: boolean; recordedBy: string },
  ): Promise<ImportResult>
  /** Pairs that were demoted because of their prices and that no operator has pinned or forbidden, the last demoted first. */
  listPriceDifferences(after: DemotedPairPosition | null, limit: number): Promise<PriceDifferencePage>
  /** Pins or forbids such a pair, or withdraws that. Throws NOT_FOUND for any other pair, and if there is nothing to withdraw. */
  reviewPriceDifference(pair: ReviewedSides, review: PriceDecision): Promise<PairOverride>
}

export interface MatchReviewRouteDeps {
  matchReview: MatchReview & { cursors: CursorCodec }
}
