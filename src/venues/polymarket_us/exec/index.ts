// Polymarket US's lane: the exact body at build, an Ed25519 signature per request at submit and refresh, with a key that is never
// stored.
import { defineLane } from '../../lane.ts'
import { keyedSubmit, refreshWithKey } from '../../shared/exec/apiKeyAdapter.ts'
import { CancelBody } from '../../shared/exec/cancelModifyBody.ts'
import { signatureWindow } from '../../shared/exec/signatureWindow.ts'
import { artifacts, buildCancel, callOf, checkBounds, orderIdIn, readArtifact } from './artifact.ts'
import { authHeaders, Credentials, usApi } from './auth.ts'
import { fieldsOf, OrderBody, orderOptions } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { accept } from './errors.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { readFill } from './readFill.ts'
import { refresh } from './refresh.ts'

/** Maximum difference between the venue's clock and a signature's. */
const signatureWindowMs = 30_000

export const polymarketUsLane = defineLane({
  slug: 'polymarket_us',
  buildVersion: 1,
  urls: { API: 'https://api.polymarket.us' },
  ownerRequired: false,
  orderOptions,
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build, fieldsOf },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  submit: {
    ...keyedSubmit({
      api: usApi,
      credentials: Credentials,
      readArtifact,
      callOf,
      orderIdIn,
      checkCredentials: (credentials) => authHeaders(credentials, 'POST', '/', 0),
      accept,
    }),
    lateBound: signatureWindow(signatureWindowMs),
  },
  refresh: refreshWithKey(Credentials, ({ keyId }) => keyId.reveal(), refresh),
  readFill,
  holdings,
})
