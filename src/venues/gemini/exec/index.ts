// Gemini's lane: the payload at build, one HMAC at submit, cancel and refresh, from a key that is never kept. Off by default.
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

/** Of time-based nonces, which this lane asks for: a key without them refuses any nonce that is not above its last. */
const signatureWindowMs = 30_000

export const geminiLane = defineLane({
  slug: 'gemini',
  buildVersion: 1,
  urls: { REST: 'https://api.gemini.com' },
  defaultOff: true,
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
    fields: ['apiKey', 'apiSecret'],
  },
  refresh: { body: Credentials, credentialFree: false, read: refresh, fields: ['apiKey', 'apiSecret'] },
})
