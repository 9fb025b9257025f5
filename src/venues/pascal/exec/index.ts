// Pascal's lane: binary permits for the owner's trading key, sent once with its signature, read back by the owner's public key.
import { defineLane } from '../../lane.ts'
import { NoCredentials } from '../../shared/exec/credentials.ts'
import { acceptsUntil, artifacts, checkBounds, lateBound } from './artifact.ts'
import { CancelBody, OrderBody, orderOptions } from './body.ts'
import { build, buildCancel } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { readFill } from './readFill.ts'
import { refresh } from './refresh.ts'
import { prepare, relay, SubmitBody } from './submit.ts'

export const pascalLane = defineLane({
  slug: 'pascal',
  buildVersion: 1,
  urls: { REST: 'https://data.pascal.trade', TRADE: 'https://trade.pascal.trade' },
  ownerRequired: true,
  paperOrderId: 'number',
  orderOptions,
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  submit: { body: SubmitBody, prepare, relay, lateBound, acceptsUntil, fields: ['signature'] },
  refresh: { body: NoCredentials, credentialFree: true, asks: 'anybody', read: refresh, fields: [] },
  readFill,
  holdings,
})
