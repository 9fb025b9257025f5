// Every execution adapter against its lab, with everything that a test of all of them needs: a resting order, and its owner.
import type { CounterSnapshot } from '#lab/counters'
import type { SimulatedOrder } from '#lab/engine/orderManager'
import type { Faults } from '#lab/faults'
import type { JsonObject } from '#schemas/executions'
import type { ExecutionAdapter } from '#venues/lane'
import { type LaneVenue, lanes } from '#venues/registry'
import {
  type Credentials,
  type Customer,
  type LaneCase,
  type ShownStates,
  type Signed,
  showsAll,
} from './cases/laneCase.ts'
import { createLaneLab, type LaneLab } from './laneLab.ts'
import { laneFacts } from './venueCases.ts'

export interface OpenCase extends Trading {
  here: Pick<
    LaneLab<LaneVenue>,
    'world' | 'close' | 'trade' | 'withdraw' | 'expire' | 'bid' | 'ask' | 'facts' | 'market'
  > & {
    lab: { faults: Faults; counters(): CounterSnapshot }
  }
  /** Another trader, for venues that process one request of an account at a time; otherwise the same. */
  another(n: number): Promise<Trading>
}

/** A customer who can sign. */
export interface Trading extends Omit<Customer, 'signed'> {
  signed: Signed
}

export interface OpenableCase
  extends Pick<LaneCase<LaneVenue>, 'orderPath' | 'answers' | 'made' | 'secrets' | 'words'> {
  lane: ExecutionAdapter
  cancelBody(order: SimulatedOrder | null): JsonObject
  sized(order: JsonObject, contracts: number): JsonObject
  /** Signatures of another signer, for venues that do not use secp256k1. */
  forged: readonly string[] | undefined
  /** Undefined when the adapter cancels nothing. */
  cancelPath: string | undefined
  before: LaneCase<LaneVenue>['before']
  shows: ShownStates
  /** With the secrets, everything that submit and refresh need except a signature. */
  names: Credentials
  warning: RegExp | undefined
  signed: Signed
  open(): Promise<OpenCase>
}

const signedAt =
  ({ wallet }: Pick<LaneCase<LaneVenue>, 'wallet'>): Signed =>
  async (unsigned, intent): Promise<Credentials> =>
    wallet !== undefined && (intent === 'order' || wallet.signsCancellations)
      ? { signature: await wallet.sign(unsigned) }
      : {}

export async function openLane<V extends LaneVenue>(
  venue: V,
): Promise<Trading & Pick<OpenCase, 'another'> & { here: LaneLab<V> }> {
  const { lane } = laneFacts[venue]
  const here = await createLaneLab(venue)
  const known = ({ signed = signedAt(lane), ...customer }: Customer): Trading => ({ signed, ...customer })
  const customer = known(await lane.customer(here))
  const another = async (n: number) => (lane.another === undefined ? customer : known(await lane.another(here, n)))
  return { here, ...customer, another }
}

const sizedAlike = (order: JsonObject, contracts: number): JsonObject => ({
  ...order,
  ['amount' in order ? 'amount' : 'size']: contracts,
})

const openable = (venue: LaneVenue): OpenableCase => {
  const {
    answers,
    orderPath,
    cancelPath,
    cancelBody: body = {},
    made,
    secrets,
    names = {},
    words,
  } = laneFacts[venue].lane
  const { wallet, shows: reports, warning, before, sized = sizedAlike } = laneFacts[venue].lane
  const cancelBody = (order: SimulatedOrder | null): JsonObject => (typeof body === 'function' ? body(order) : body)
  const fields = {
    answers,
    orderPath,
    cancelPath,
    cancelBody,
    sized,
    made,
    secrets,
    names,
    words,
    warning,
    forged: wallet?.forged,
    before,
  }
  const allReports = { ...showsAll, ...reports }
  return { lane: lanes[venue], ...fields, shows: allReports, signed: signedAt({ wallet }), open: () => openLane(venue) }
}

/** The venues that orders are sent to. */
export const laneVenues = (Object.keys(lanes) as LaneVenue[]).filter((venue) => lanes[venue].submit !== undefined)
export const laneCases = Object.fromEntries(laneVenues.map((venue) => [venue, openable(venue)])) as Record<
  LaneVenue,
  OpenableCase
>

/** The market of each venue that is made by hand. */
export const madeRows = Object.fromEntries(laneVenues.map((venue) => [venue, laneCases[venue].made.rows]))
