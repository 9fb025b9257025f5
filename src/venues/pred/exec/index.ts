// PRED's lane: EIP-712 orders for the exchange of each parent market, signed by the account that controls the Safe, sent once with the caller's
// access token. Dark: the lane exists only if the deployment enables it.
import { defineLane } from '../../lane.ts'
import { CancelBody } from '../../shared/exec/cancelModifyBody.ts'
import { artifacts, buildCancel, checkBounds, lateBound } from './artifact.ts'
import { Credentials } from './auth.ts'
import { OrderBody } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { readFill } from './readFill.ts'
import { refresh } from './refresh.ts'
import { prepare, relay, SubmitBody } from './submit.ts'
import { settings } from './typedData.ts'

export const predLane = defineLane({
  slug: 'pred',
  buildVersion: 1,
  urls: { REST: 'https://www.pred.app' },
  settings,
  defaultOff: true,
  ownerRequired: true,
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  submit: { body: SubmitBody, prepare, relay, lateBound, fields: ['signature', ...Object.keys(Credentials.shape)] },
  refresh: {
    body: Credentials,
    credentialFree: false,
    asks: 'owner',
    read: refresh,
    fields: Object.keys(Credentials.shape),
  },
  readFill,
  noHoldings: 'it documents the addresses of positions and balances, and not their content',
})
