// Fields of cancels that are stored until the cancels are built: only what the cancel of the venue takes, which never includes a credential.
import type { FieldsOfVenues } from '#schemas/batch'
import { laneOf, takesOrders, unsupportedOperation } from '../findLane.ts'
import { parseBody } from '../parseBody.ts'
import type { Caller, ExecutionsDeps } from '../ports.ts'

/** `venues`: named in the request, so that each of them must have a cancel. */
export function checkCancelFields(
  deps: Pick<ExecutionsDeps, 'lanes' | 'paperLanes' | 'unarmed'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { fields, venues }: { fields: FieldsOfVenues; venues: readonly string[] },
): void {
  const cancelOf = (venue: string) => {
    const { lane } = laneOf(deps, venue, accountId)
    if (!takesOrders(lane) || lane.cancel === undefined) throw unsupportedOperation(lane, 'cancel')
    return lane.cancel
  }
  for (const venue of venues) cancelOf(venue)
  for (const [venue, given] of Object.entries(fields)) parseBody(cancelOf(venue).body, given)
}
