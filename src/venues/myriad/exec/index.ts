// Myriad's lane: orders for its books are signed by the owner's wallet, posted once and read back by their hash, without a key; trades with
// its pools, and redemptions, are transactions.
import { defineLane } from '../../lane.ts'
import { CancelBody } from '../../shared/exec/cancelModifyBody.ts'
import { NoCredentials } from '../../shared/exec/credentials.ts'
import { SetBody } from '../../shared/exec/positionBuilds.ts'
import { RedeemBody } from '../../shared/exec/redemption.ts'
import { artifacts, buildCancel, checkBounds, lateBound, readArtifact } from './artifact.ts'
import { OrderBody, orderOptions } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { buildMerge, buildSplit } from './positions.ts'
import { readFill } from './readFill.ts'
import { buildRedeem } from './redeem.ts'
import { refresh } from './refresh.ts'
import { prepare, relay, SubmitBody } from './submit.ts'
import { chainId } from './typedData.ts'

export const myriadLane = defineLane({
  slug: 'myriad',
  buildVersion: 1,
  urls: { REST: 'https://api-v2.myriadprotocol.com' },
  // For transactions; its books need none.
  chain: { id: chainId },
  // A trade with a pool is done at once or not at all.
  ownerRequired: true,
  paperOrderId: 'hash',
  orderOptions,
  // The venue publishes no list.
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  redeem: { body: RedeemBody, build: buildRedeem },
  split: { body: SetBody, build: buildSplit },
  merge: { body: SetBody, build: buildMerge },
  submit: {
    body: SubmitBody,
    prepare,
    relay,
    lateBound,
    takesSameBytesOnce: ({ unsigned }) => readArtifact(unsigned).kind === 'call',
    fields: ['signature', 'signedTransaction', 'transactionHash'],
  },
  refresh: { body: NoCredentials, credentialFree: true, asks: 'anybody', read: refresh, fields: [] },
  readFill,
  holdings,
})
