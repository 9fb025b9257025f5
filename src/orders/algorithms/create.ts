// Creating an algorithm: its slices are checked as they will be built, so that a refusal comes now and not with the first slice.
import { canonicalJson, sha256 } from '#core/canonicalJson'
import { compareDecimals, divideDecimals, toStep } from '#core/decimal'
import { Fault } from '#core/fault'
import { type AlgorithmBody, type AlgorithmParameters, runningAlgorithmsMax } from '#schemas/algorithms'
import type { AlgorithmRow } from '#storage/postgres/algorithms/algorithmRow'
import type { PlannedSlice } from '#storage/postgres/algorithms/insertAlgorithm'
import type { OrderTerms } from '#venues/lane'
import type { MarketView } from './machine/types.ts'
import type { AlgorithmDeps, Caller, LaneTraits } from './ports.ts'
import { checkSignedSlices } from './signedSlices.ts'
import { type AlgorithmSizes, sizesOf } from './sizes.ts'
import { checkGivenBuild, checkSliceTerms, sliceBuildOf } from './sliceBuild.ts'
import { marketOf } from './state.ts'
import { type AlgorithmTimes, invalid, timesOf } from './times.ts'
import { decimalOfUnits } from './units.ts'

export interface StoredAlgorithm {
  row: AlgorithmRow
  replay: boolean
}

export async function createAlgorithm(
  deps: AlgorithmDeps,
  caller: Caller,
  key: string,
  body: AlgorithmBody,
): Promise<StoredAlgorithm> {
  const { store, orders, clock } = deps
  const { accountId, keyId, country } = caller
  const bodySha256 = sha256(canonicalJson(body))
  const before = await findReplay(deps, accountId, key, bodySha256)
  if (before !== null) return before
  const at = new Date(clock.now())
  const { venue, mode, cancel = {} } = body
  const sizes = sizesOf(body)
  const times = timesOf(body, at.getTime())
  const traits = orders.lane(accountId, venue)
  checkKind(body, traits)
  checkMode(body, traits)
  if (traits.cancels) orders.checkCancelBody(accountId, venue, cancel)
  const id = deps.newId()
  const { terms, planned } = await termsOf(deps, caller, id, body, sizes, times)
  const { marketId, outcomeId, isBuy } = terms
  const book = await deps.books.read({ venue, marketId, outcomeId })
  if (book === 'none') throw new Fault('NOT_SUPPORTED', 'this market has no order book of its own', { exchange: venue })
  const result = await store.insert(
    {
      id,
      accountId,
      keyId,
      key,
      bodySha256,
      venue,
      marketId,
      outcomeId,
      side: isBuy ? 'buy' : 'sell',
      mode,
      build: body.build ?? {},
      cancelBody: cancel,
      ...sizes,
      arrivalMid: midOf(marketOf(book)),
      postOnly: body.postOnly,
      signWithinMs: body.signWithinMs,
      startsAt: new Date(times.startsAt),
      expiresAt: new Date(times.expiresAt),
      armCountry: country,
      planned,
      at,
    },
    runningAlgorithmsMax,
  )
  switch (result.kind) {
    case 'made':
      return { row: result.row, replay: false }
    case 'execution_taken':
      throw invalid('signedSlices', 'an execution is a slice of another algorithm')
    case 'account_full': {
      // A concurrent call with the same key may have started the last one.
      const replay = await findReplay(deps, accountId, key, bodySha256)
      if (replay !== null) return replay
      throw new Fault(
        'VALIDATION_ERROR',
        `an account has at most ${runningAlgorithmsMax} running algorithms: cancel some first`,
      )
    }
    case 'taken': {
      // A concurrent call with the same key won.
      const replay = await findReplay(deps, accountId, key, bodySha256)
      if (replay === null) throw new Error('an idempotency key is taken, but its algorithm is missing')
      return replay
    }
  }
}

async function findReplay(
  { store }: Pick<AlgorithmDeps, 'store'>,
  accountId: string,
  key: string,
  bodySha256: Buffer,
): Promise<StoredAlgorithm | null> {
  const row = await store.findByKey(accountId, key)
  if (row === null) return null
  if (!row.body_sha256.equals(bodySha256))
    throw new Fault('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key was used for another request')
  return { row, replay: true }
}

const onlyTakes = (algorithm: AlgorithmParameters): boolean => algorithm.kind === 'twap' && algorithm.style === 'take'

function checkKind({ algorithm, venue, postOnly }: AlgorithmBody, { takesAtOnce, cancels }: LaneTraits): void {
  if (onlyTakes(algorithm)) {
    if (!takesAtOnce) throw invalid('algorithm.style', `${venue} has no immediate-or-cancel orders: use rest`)
    if (postOnly) throw invalid('postOnly', 'slices that take cannot be post-only')
    return
  }
  if (!cancels)
    throw new Fault('NOT_IMPLEMENTED', `${venue} has no cancel, which slices that rest need`, { exchange: venue })
}

function checkMode({ mode, signedSlices, build, venue }: AlgorithmBody, { needsNoSignature }: LaneTraits): void {
  if (signedSlices === undefined) {
    if (build === undefined) throw invalid('build', 'is missing')
    checkGivenBuild(build)
    if (mode === 'hosted' && !needsNoSignature)
      throw new Fault(
        'HOSTED_FIRE_NOT_ELIGIBLE',
        `orders at ${venue} are signed: use client mode, or give signedSlices`,
        { exchange: venue },
      )
    return
  }
  if (mode === 'client') throw invalid('signedSlices', 'are accepted in hosted mode only')
  if (build !== undefined) throw invalid('build', 'signed slices are built already')
}

/** What is traded, from a preview or from the signed slices. */
async function termsOf(
  deps: AlgorithmDeps,
  caller: Caller,
  id: string,
  body: AlgorithmBody,
  sizes: AlgorithmSizes,
  times: AlgorithmTimes,
): Promise<{ terms: OrderTerms; planned: PlannedSlice[] | null }> {
  const { signedSlices } = body
  if (signedSlices !== undefined) return checkSignedSlices(deps, caller, id, { ...body, signedSlices }, sizes, times)
  const slice = { price: sizes.limitPrice, size: firstSizeOf(sizes), takes: onlyTakes(sizes.parameters) }
  const given = { build: body.build ?? {}, post_only: body.postOnly }
  const terms = await deps.orders.preview(caller, body.venue, sliceBuildOf(given, slice))
  const { marketId, outcomeId, isBuy } = terms
  checkSliceTerms({ market_id: marketId, outcome_id: outcomeId, side: isBuy ? 'buy' : 'sell' }, slice, terms)
  return { terms, planned: null }
}

/** Of the first slice, about. */
function firstSizeOf({ size, sizeStep, minSliceSize, parameters }: AlgorithmSizes): string {
  switch (parameters.kind) {
    case 'twap': {
      const part = toStep(divideDecimals(size, String(parameters.slices), 6, 'down'), sizeStep, 'down')
      return part === '0' ? minSliceSize : part
    }
    case 'iceberg':
    case 'peg': {
      const shown = parameters.displaySize === undefined ? size : String(parameters.displaySize)
      return compareDecimals(shown, size) < 0 ? shown : size
    }
    case 'passive_then_aggressive':
      return size
  }
}

/** Decimal string; null: a side is empty, or the book is crossed. */
function midOf({ bids, asks }: MarketView): string | null {
  const [bid, ask] = [bids[0], asks[0]]
  return bid === undefined || ask === undefined
    ? null
    : divideDecimals(decimalOfUnits(bid.price + ask.price), '2', 7, 'down')
}
