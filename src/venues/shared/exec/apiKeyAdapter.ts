// Submit and refresh with a caller's transient key. This submit is for lanes whose artifact is the request itself: stored without any authentication
// and signed when it is sent.
import type { z } from 'zod'
import type { JsonObject } from '#schemas/executions'
import type {
  LaneContext,
  LaneExecution,
  Observation,
  Prepared,
  ReadVisibility,
  RelayOutcome,
  Search,
} from '../../lane.ts'
import { type ApiKeyClient, type Call, type Credentials, sendKeyed } from './apiKeyClient.ts'
import { relayOutcome } from './relay.ts'

type CredentialBody<C> = z.ZodObject & z.ZodType<C>

interface KeyedSubmit<C extends Credentials, A, K extends Call> {
  api: ApiKeyClient<C, K>
  credentials: CredentialBody<C>
  readArtifact(unsigned: JsonObject): A
  /** The request that an artifact describes. `execution`: where the request carries more than the artifact. */
  callOf(artifact: A, execution: Pick<LaneExecution, 'target'>): K
  /** The venue's id of the order that an artifact acts on; null when it places one. */
  orderIdIn(artifact: A): string | null
  /** Checks their format. Throws VENUE_CREDENTIAL_REJECTED. */
  checkCredentials(credentials: C): void
  /** The outcome that a response body proves; null when it proves nothing. */
  accept(artifact: A, body: unknown): RelayOutcome | null
}

export const keyedSubmit = <C extends Credentials, A, K extends Call>(lane: KeyedSubmit<C, A, K>) => ({
  ...bodyOf(lane.credentials),
  /** Without authentication, as built. Unusable credentials are refused here, before anything is recorded as sent. */
  async prepare(_context: LaneContext, { unsigned }: LaneExecution, credentials: C): Promise<Prepared> {
    const artifact = lane.readArtifact(unsigned)
    lane.checkCredentials(credentials)
    return { submittedArtifact: unsigned, venueRef: lane.orderIdIn(artifact) }
  },
  async relay(
    context: LaneContext,
    execution: LaneExecution,
    { submittedArtifact }: Prepared,
    credentials: C,
  ): Promise<RelayOutcome> {
    const artifact = lane.readArtifact(submittedArtifact)
    const sent = await sendKeyed(lane.api, context, credentials, lane.callOf(artifact, execution))
    return relayOutcome(lane.api.words, sent, (answer) => lane.accept(artifact, answer))
  },
})

type Read<C> = (
  context: LaneContext,
  execution: LaneExecution,
  credentials: C,
  search?: (refs: readonly string[], apartMs: number) => Promise<Search>,
) => Promise<Observation>

export const refreshWithKey = <C extends Credentials>(
  credentials: CredentialBody<C>,
  asks: ReadVisibility<C>,
  read: Read<C>,
) => ({
  ...bodyOf(credentials),
  credentialFree: false,
  asks,
  read,
})

const bodyOf = <C>(credentials: CredentialBody<C>): { body: z.ZodType<C>; fields: string[] } => ({
  body: credentials,
  fields: Object.keys(credentials.shape),
})
