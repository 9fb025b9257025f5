// Opinion's lane: EIP-712 orders for the exchange of a market's quote token, signed by an EOA for itself or for its Safe, posted once under the
// caller's API key.
import { defineLane } from '../../lane.ts'
import { refreshWithKey } from '../../shared/exec/apiKeyAdapter.ts'
import { CancelBody } from '../../shared/exec/cancelModifyBody.ts'
import { SetBody } from '../../shared/exec/positionBuilds.ts'
import { RedeemBody } from '../../shared/exec/redemption.ts'
import { artifacts, buildCancel, checkBounds } from './artifact.ts'
import { Credentials } from './auth.ts'
import { OrderBody, orderOptions } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { buildMerge, buildSplit, sent as positions } from './positions.ts'
import { readFill } from './readFill.ts'
import { buildRedeem, sent } from './redeem.ts'
import { refresh } from './refresh.ts'
import { submit } from './submit.ts'
import { chainId } from './typedData.ts'

export const opinionLane = defineLane({
  slug: 'opinion',
  buildVersion: 1,
  urls: { REST: 'https://openapi.opinion.trade/openapi' },
  // For redemptions that were sent; its orders need none.
  chain: { id: chainId },
  ownerRequired: true,
  orderOptions,
  /** By name; the further "restricted jurisdictions" are listed nowhere. */
  blockedCountries: ['US', 'CN'],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  redeem: { body: RedeemBody, build: buildRedeem, sent },
  split: { body: SetBody, build: buildSplit, sent: positions('split') },
  merge: { body: SetBody, build: buildMerge, sent: positions('merge') },
  // No venue rule says when a late copy is refused: nothing in the order expires.
  submit,
  refresh: refreshWithKey(Credentials, ({ apiKey }) => apiKey.reveal(), refresh),
  readFill,
  holdings,
})
