// Predict.fun's lane: EIP-712 orders for the exchange of each kind of market, of an EOA or of the smart wallet it owns, posted once under the
// caller's key and token.
import { defineLane } from '../../lane.ts'
import { refreshWithKey } from '../../shared/exec/apiKeyAdapter.ts'
import { CancelBody } from '../../shared/exec/cancelModifyBody.ts'
import { artifacts, buildCancel, checkBounds } from './artifact.ts'
import { Credentials, tokenName } from './auth.ts'
import { ConvertBody, OrderBody, orderOptions, RedeemBody, SetBody } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { buildConvert, buildMerge, buildSplit, sent as positions } from './positions.ts'
import { readFill } from './readFill.ts'
import { buildRedeem, needsAmount, sent } from './redeem.ts'
import { refresh } from './refresh.ts'
import { submit } from './submit.ts'
import { chainId } from './typedData.ts'

export const predictfunLane = defineLane({
  slug: 'predictfun',
  buildVersion: 1,
  urls: { REST: 'https://api.predict.fun' },
  // For redemptions that were sent; its orders need none.
  chain: { id: chainId },
  ownerRequired: true,
  paperOrderId: 'hash',
  orderOptions,
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  redeem: { body: RedeemBody, build: buildRedeem, sent, needsAmount },
  split: { body: SetBody, build: buildSplit, sent: positions('split') },
  merge: { body: SetBody, build: buildMerge, sent: positions('merge') },
  convert: { body: ConvertBody, build: buildConvert, sent: positions('convert') },
  // Orders expire in the year 2100: no rule refuses a late copy before then.
  submit,
  refresh: refreshWithKey(Credentials, tokenName, refresh),
  readFill,
  holdings,
})
