// Submit: a token for the caller's credentials, and the order once under it. The token appears in no artifact, answer or log, and is stored
// nowhere.
import type { AcceptanceDeadline, LaneContext, LaneExecution, Prepared, RelayOutcome } from '../../lane.ts'
import { sendKeyed } from '../../shared/exec/apiKeyClient.ts'
import { relayOutcome } from '../../shared/exec/relay.ts'
import { callOf, readArtifact } from './artifact.ts'
import { type Credentials, checkCredentials, novigApi, requestToken, tokenLifeMs } from './auth.ts'
import { accept, orderErrors } from './errors.ts'
import { nearestPrices, readGrid } from './grid.ts'

export async function prepare(
  _context: LaneContext,
  { unsigned }: LaneExecution,
  credentials: Credentials,
): Promise<Prepared> {
  readArtifact(unsigned)
  checkCredentials(credentials)
  return { submittedArtifact: unsigned, venueRef: null }
}

export async function relay(
  context: LaneContext,
  _execution: LaneExecution,
  { submittedArtifact }: Prepared,
  credentials: Credentials,
): Promise<RelayOutcome> {
  const artifact = readArtifact(submittedArtifact)
  const tokenResult = await requestToken(context, credentials)
  if ('refusal' in tokenResult) return tokenResult.refusal
  const withToken = { ...credentials, token: tokenResult.token }
  const grid = await readGrid(context, withToken)
  const nearest = grid === null ? null : nearestPrices(grid, artifact.price)
  if (nearest !== null) {
    const reason = `the venue takes no order at ${artifact.price}, the nearest prices are ${nearest.join(' and ')}; nothing was sent`
    return { kind: 'rejected', reason }
  }
  const sent = await sendKeyed(novigApi, context, withToken, callOf(artifact))
  return relayOutcome(orderErrors, sent, (body) => accept(artifact, body))
}

/** After that no copy carries a valid token. One minute extra: the token is issued within the relay. */
export const lateBound = (_execution: LaneExecution, signedBy: number): AcceptanceDeadline => ({
  untilMs: signedBy + tokenLifeMs + 60_000,
  rule: 'tokens run out 30 minutes after they were issued',
})
