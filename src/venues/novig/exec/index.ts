// Novig's lane: the order's body at build, a token from the caller's client credentials at submit and refresh. It has no cancel.
import { defineLane } from '../../lane.ts'
import { refreshWithKey } from '../../shared/exec/apiKeyAdapter.ts'
import { artifacts, checkBounds } from './artifact.ts'
import { Credentials } from './auth.ts'
import { OrderBody, orderOptions } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { readFill } from './readFill.ts'
import { refresh } from './refresh.ts'
import { lateBound, prepare, relay } from './submit.ts'

export const novigLane = defineLane({
  slug: 'novig',
  buildVersion: 1,
  urls: { REST: 'https://api.novig.us' },
  ownerRequired: false,
  orderOptions,
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  submit: { body: Credentials, prepare, relay, lateBound, fields: Object.keys(Credentials.shape) },
  refresh: refreshWithKey(Credentials, ({ clientId }) => clientId.reveal(), refresh),
  readFill,
  noHoldings: 'it documents no list of an account’s positions or orders',
})
