// Limitless' lane: EIP-712 orders for the contract of each market, signed by the caller, posted once under the caller's token or session, and read
// back from the chain without either.
import { defineLane } from '../../lane.ts'
import { CancelBody } from '../../shared/exec/cancelModifyBody.ts'
import { NoCredentials } from '../../shared/exec/credentials.ts'
import { SetBody } from '../../shared/exec/positionBuilds.ts'
import { RedeemBody } from '../../shared/exec/redemption.ts'
import { artifacts, buildCancel, checkBounds } from './artifact.ts'
import { OrderBody, orderOptions } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { buildMerge, buildSplit, sent as positions } from './positions.ts'
import { readFill } from './readFill.ts'
import { buildRedeem, obstacle, sent } from './redeem.ts'
import { refresh } from './refresh.ts'
import { submit } from './submit.ts'
import { chainId } from './typedData.ts'

export const limitlessLane = defineLane({
  slug: 'limitless',
  buildVersion: 1,
  urls: { REST: 'https://api.limitless.exchange' },
  // The venue shows an order only to its owner: without a node nothing could be read back.
  chain: { id: chainId, needed: true },
  ownerRequired: true,
  orderOptions,
  // The venue publishes no enforceable list.
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  redeem: { body: RedeemBody, build: buildRedeem, sent, obstacle },
  split: { body: SetBody, build: buildSplit, sent: positions('split') },
  merge: { body: SetBody, build: buildMerge, sent: positions('merge') },
  submit,
  refresh: { body: NoCredentials, fields: [], credentialFree: true, asks: 'anybody', read: refresh },
  readFill,
  holdings,
})
