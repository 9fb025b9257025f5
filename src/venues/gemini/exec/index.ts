// Gemini's lane: the payload at build, one HMAC at submit, cancel and refresh, with a key that is never stored. Off by
// default.
import { defineLane } from '../../lane.ts'
import { keyedSubmit, refreshWithKey } from '../../shared/exec/apiKeyAdapter.ts'
import { CancelBody } from '../../shared/exec/cancelModifyBody.ts'
import { signatureWindow } from '../../shared/exec/signatureWindow.ts'
import { artifacts, buildCancel, callOf, checkBounds, orderIdIn, readArtifact } from './artifact.ts'
import { authHeaders, Credentials, geminiApi } from './auth.ts'
import { OrderBody, orderOptions } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { accept } from './errors.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { readFill } from './readFill.ts'
import { refresh } from './refresh.ts'

/** Of time-based nonces, which this lane requires: a key without them refuses any nonce not above its last. */
const signatureWindowMs = 30_000

export const geminiLane = defineLane({
  slug: 'gemini',
  buildVersion: 1,
  urls: { REST: 'https://api.gemini.com' },
  defaultOff: true,
  ownerRequired: false,
  paperOrderId: 'number',
  orderOptions,
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  submit: {
    ...keyedSubmit({
      api: geminiApi,
      credentials: Credentials,
      readArtifact,
      callOf,
      orderIdIn,
      checkCredentials: (credentials) => authHeaders(credentials, '{}'),
      accept,
    }),
    lateBound: signatureWindow(signatureWindowMs),
  },
  refresh: refreshWithKey(Credentials, ({ apiKey }) => apiKey.reveal(), refresh),
  readFill,
  holdings,
})
