// Conversions at an adapter of negative-risk markets. Its questions are numbered, and the id of each condition follows from the event's id and
// that number, so which bit of a call means which market is computed, not looked up. How many questions there are, and the fee, which is fixed
// with the event, are read from the adapter.
import { encodePacked, keccak256, numberToHex, parseAbi } from 'viem'
import { Fault } from '#core/fault'
import { mapConcurrently } from '#core/mapConcurrently'
import type { Event } from '#schemas/market'
import type { ExecutionVenue } from '#schemas/venues'
import type { LaneContext, ResolvedOutcome } from '../../lane.ts'
import { chainOf, readContract } from '../evm.ts'
import { invalid } from './amounts.ts'
import { incomplete } from './catalogFacts.ts'
import type { ConvertedEvent } from './positionBuilds.ts'
import type { Hex } from './typedOrder.ts'

const adapterAbi = parseAbi([
  'function getQuestionCount(bytes32 marketId) view returns (uint256)',
  'function getFeeBips(bytes32 marketId) view returns (uint256)',
])

const questionsMax = 256
/** Reads of the catalog at once. */
const readsMax = 8
const bipsMax = 10_000n

interface Adapter {
  venue: ExecutionVenue
  chainId: number
  address: Hex
}

export interface ConvertedQuestions extends Pick<ConvertedEvent, 'given' | 'others' | 'feeBips'> {
  indexSet: bigint
}

interface EventFacts {
  negRiskMarketId: Hex
  /** Of one of its markets; null: the catalog does not have it. */
  conditionOf(row: ResolvedOutcome): Hex | null
}

/** NO of each market, all of one event, and that event. Throws VALIDATION_ERROR, and CATALOG_UNAVAILABLE. */
export async function resolveConverted(
  { catalog }: Pick<LaneContext, 'catalog'>,
  venue: ExecutionVenue,
  marketIds: readonly string[],
): Promise<{ given: ResolvedOutcome[]; event: Event }> {
  const given = await mapConcurrently(marketIds, readsMax, (marketId) => catalog.side(marketId, 'NO'))
  const eventId = given[0]?.market.eventId ?? null
  if (given.some(({ market }) => market.eventId !== eventId)) throw invalid('outcomes', 'must be of one event')
  const event = eventId === null ? null : ((await catalog.event?.(eventId)) ?? null)
  if (event === null) throw incomplete(venue, marketIds[0]!, 'its event is not in the catalog', 'convert it')
  return { given, event }
}

/** Throws VALIDATION_ERROR, CATALOG_UNAVAILABLE, and NOT_SUPPORTED without a node of the chain. */
export async function readQuestions(
  context: LaneContext,
  { venue, chainId, address }: Adapter,
  { given, event }: { given: readonly ResolvedOutcome[]; event: Event },
  { negRiskMarketId, conditionOf }: EventFacts,
): Promise<ConvertedQuestions> {
  const node = chainOf(context, venue, chainId)
  const call = { address, abi: adapterAbi, args: [negRiskMarketId] } as const
  const count = await readContract(node, { ...call, functionName: 'getQuestionCount' }, 'latest')
  const feeBips = await readContract(node, { ...call, functionName: 'getFeeBips' }, 'latest')
  if (count < 2n || count > BigInt(questionsMax) || feeBips > bipsMax) {
    throw new Fault('EXEC_UNAVAILABLE', 'its adapter converts nothing of this event', {
      exchange: venue,
      detail: `${negRiskMarketId}: ${count} questions, a fee of ${feeBips} of ${bipsMax}`,
    })
  }
  const places = new Map<string, number>()
  for (let place = 0; place < Number(count); place++) {
    places.set(conditionIdOf(address, negRiskMarketId, place).toLowerCase(), place)
  }
  const placeOf = (row: ResolvedOutcome): number | null => places.get(conditionOf(row)?.toLowerCase() ?? '') ?? null

  const wanted = new Map<number, ResolvedOutcome>()
  for (const row of given) {
    const place = placeOf(row)
    if (place === null) throw invalid('outcomes', 'its adapter has no such question in this event')
    wanted.set(place, row)
  }
  const others = new Map<number, ResolvedOutcome>()
  for (const market of event.markets) {
    const [outcome] = market.outcomes
    if (outcome === undefined || market.outcomes.length !== 2) continue
    const row: ResolvedOutcome = { market, outcome, side: 'YES' }
    const place = placeOf(row)
    if (place !== null && !wanted.has(place)) others.set(place, row)
  }
  if (wanted.size + others.size !== Number(count)) {
    const detail = `${wanted.size + others.size} of ${count} questions are in the catalog`
    throw incomplete(venue, given[0]!.market.marketId, detail, 'compute its conversion')
  }
  const indexSet = [...wanted.keys()].reduce((set, place) => set | (1n << BigInt(place)), 0n)
  return {
    given,
    others: [...others.keys()].sort((a, b) => a - b).map((place) => others.get(place)!),
    feeBips,
    indexSet,
  }
}

/** As the conditional tokens contract computes it for a question that the adapter resolves. */
export function conditionIdOf(adapter: Hex, negRiskMarketId: Hex, place: number): Hex {
  const questionId = numberToHex(BigInt(negRiskMarketId) | BigInt(place), { size: 32 })
  return keccak256(encodePacked(['address', 'bytes32', 'uint256'], [adapter, questionId, 2n]))
}
