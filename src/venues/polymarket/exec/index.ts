// Polymarket's lane: EIP-712 orders for the V2 exchanges, signed by the caller, posted once under the caller's API key.
import { defineLane } from '../../lane.ts'
import { refreshWithKey } from '../../shared/exec/apiKeyAdapter.ts'
import { CancelBody } from '../../shared/exec/cancelModifyBody.ts'
import { ConvertBody, SetBody } from '../../shared/exec/positionBuilds.ts'
import { RedeemBody } from '../../shared/exec/redemption.ts'
import { artifacts, buildCancel, checkBounds, lateBound } from './artifact.ts'
import { Credentials } from './auth.ts'
import { OrderBody, orderOptions } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { buildConvert, buildMerge, buildSplit, sent as positions } from './positions.ts'
import { readFill } from './readFill.ts'
import { buildRedeem, obstacle, sent } from './redeem.ts'
import { refresh } from './refresh.ts'
import { submit } from './submit.ts'
import { chainId } from './typedData.ts'

export const polymarketLane = defineLane({
  slug: 'polymarket',
  buildVersion: 1,
  urls: { CLOB: 'https://clob.polymarket.com', DATA: 'https://data-api.polymarket.com' },
  // For redemptions that were sent, and balances; its orders need none.
  chain: { id: chainId },
  ownerRequired: true,
  paperOrderId: 'hash',
  orderOptions,
  // The venue publishes no enforceable list; it refuses by itself, and a build warns of that.
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  redeem: { body: RedeemBody, build: buildRedeem, sent, obstacle },
  split: { body: SetBody, build: buildSplit, sent: positions('split') },
  merge: { body: SetBody, build: buildMerge, sent: positions('merge') },
  convert: { body: ConvertBody, build: buildConvert, sent: positions('convert') },
  submit: { ...submit, lateBound },
  refresh: refreshWithKey(Credentials, 'owner', refresh),
  readFill,
  holdings,
})
