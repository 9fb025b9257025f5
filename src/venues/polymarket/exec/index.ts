// Polymarket's lane: EIP-712 orders for the V2 exchanges, signed by the caller, posted once under the caller's API key.
import { defineLane } from '../../lane.ts'
import { Credentials } from './auth.ts'
import { CancelBody, OrderBody, RedeemBody } from './body.ts'
import { checkBounds } from './bounds.ts'
import { build } from './build.ts'
import { buildCancel } from './cancel.ts'
import { lateBound } from './expiry.ts'
import { gatherFacts } from './facts.ts'
import { buildRedeem } from './redeem.ts'
import { refresh } from './refresh.ts'
import { prepare, relay, SubmitBody } from './submit.ts'

export const polymarketLane = defineLane({
  slug: 'polymarket',
  buildVersion: 1,
  urls: { CLOB: 'https://clob.polymarket.com' },
  ownerRequired: true,
  // The venue publishes no list we could hold; it refuses by itself, and a build warns of that.
  blockedCountries: [],
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  cancel: { body: CancelBody, build: buildCancel },
  redeem: { body: RedeemBody, build: buildRedeem },
  submit: { body: SubmitBody, prepare, relay, lateBound, fields: ['signature', 'apiKey', 'secret', 'passphrase'] },
  refresh: { body: Credentials, credentialFree: false, read: refresh, fields: ['apiKey', 'secret', 'passphrase'] },
})
