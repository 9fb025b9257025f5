// Polymarket US's lane: the exact body at build, an Ed25519 signature per request at submit and refresh, from a key that is never kept.
import { defineLane } from '../../lane.ts'
import { signatureWindow } from '../../shared/exec/signatureWindow.ts'
import { Credentials } from './auth.ts'
import { CancelBody, OrderBody } from './body.ts'
import { checkBounds } from './bounds.ts'
import { build } from './build.ts'
import { buildCancel } from './cancel.ts'
import { gatherFacts } from './facts.ts'
import { refresh } from './refresh.ts'
import { prepare, relay } from './submit.ts'

/** The venue's clock and a signature's may be this far apart. */
const signatureWindowMs = 30_000

export const polymarketUsLane = defineLane({
  slug: 'polymarket_us',
  buildVersion: 1,
  urls: { API: 'https://api.polymarket.us' },
  ownerRequired: false,
  blockedCountries: [],
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  cancel: { body: CancelBody, build: buildCancel },
  submit: {
    body: Credentials,
    prepare,
    relay,
    lateBound: signatureWindow(signatureWindowMs),
    fields: ['keyId', 'secretKey'],
  },
  refresh: { body: Credentials, credentialFree: false, read: refresh, fields: ['keyId', 'secretKey'] },
})
