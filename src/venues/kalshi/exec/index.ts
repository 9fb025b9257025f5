// Kalshi's lane: the body of Create Order V2 at build, one RSA-PSS signature at submit, from a key pair that is never kept. Off by default.
import { defineLane } from '../../lane.ts'
import { signatureWindow } from '../../shared/exec/signatureWindow.ts'
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

/** 5 s off is accepted, 30 s is refused; where between lies the border is nowhere said. */
const signatureWindowMs = 30_000

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
  submit: { body: Credentials, prepare, relay, lateBound: signatureWindow(signatureWindowMs), fields },
  refresh: { body: Credentials, credentialFree: false, read: refresh, fields },
})
