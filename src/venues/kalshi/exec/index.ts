// Kalshi's lane: the body of Create Order V2 at build, one RSA-PSS signature at submit, with a key pair that is never stored. Off by
// default.
import { defineLane } from '../../lane.ts'
import { keyedSubmit, refreshWithKey } from '../../shared/exec/apiKeyAdapter.ts'
import { CancelBody, ModifyBody } from '../../shared/exec/cancelModifyBody.ts'
import { signatureWindow } from '../../shared/exec/signatureWindow.ts'
import { artifacts, buildCancel, callOf, checkBounds, orderIdIn, readArtifact } from './artifact.ts'
import { Credentials, checkCredentials, kalshiApi } from './auth.ts'
import { OrderBody, orderOptions } from './body.ts'
import { build, buildModify } from './build.ts'
import { describe } from './describe.ts'
import { accept } from './errors.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { readFill } from './readFill.ts'
import { refresh } from './refresh.ts'

/** A deviation of 5 s is accepted, 30 s is refused; the exact limit is undocumented. */
const signatureWindowMs = 30_000

export const kalshiLane = defineLane({
  slug: 'kalshi',
  buildVersion: 1,
  urls: { REST: 'https://external-api.kalshi.com/trade-api/v2' },
  defaultOff: true,
  ownerRequired: false,
  orderOptions,
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  modify: { body: ModifyBody, build: buildModify },
  submit: {
    ...keyedSubmit({
      api: kalshiApi,
      credentials: Credentials,
      readArtifact,
      callOf,
      orderIdIn,
      checkCredentials,
      accept,
    }),
    lateBound: signatureWindow(signatureWindowMs),
  },
  refresh: refreshWithKey(Credentials, ({ apiKeyId }) => apiKeyId.reveal(), refresh),
  readFill,
  holdings,
})
