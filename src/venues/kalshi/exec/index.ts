// Kalshi's lane: the body of Create Order V2 at build, one RSA-PSS signature at submit, from a key pair that is never kept. Off by default.
import { defineLane } from '../../lane.ts'
import { Credentials } from './auth.ts'
import { CancelBody, ModifyBody, OrderBody } from './body.ts'
import { checkBounds } from './bounds.ts'
import { build } from './build.ts'
import { buildCancel } from './cancel.ts'
import { gatherFacts } from './facts.ts'
import { buildModify } from './modify.ts'
import { refresh } from './refresh.ts'
import { prepare, relay } from './submit.ts'

const fields = ['apiKeyId', 'privateKeyPem']

export const kalshiLane = defineLane({
  slug: 'kalshi',
  buildVersion: 1,
  urls: { REST: 'https://external-api.kalshi.com/trade-api/v2' },
  defaultOff: true,
  ownerRequired: false,
  blockedCountries: [],
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  cancel: { body: CancelBody, build: buildCancel },
  modify: { body: ModifyBody, build: buildModify },
  submit: { body: Credentials, prepare, relay, fields },
  refresh: { body: Credentials, credentialFree: false, read: refresh, fields },
})
