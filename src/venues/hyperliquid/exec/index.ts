// Hyperliquid's lane: HIP-4 orders signed by the owner's wallet, paid from the spot ledger, read back by address.
import { defineLane } from '../../lane.ts'
import { CancelBody, ModifyBody } from '../../shared/exec/cancelModifyBody.ts'
import { NoCredentials } from '../../shared/exec/credentials.ts'
import { artifacts, checkBounds, lateBound } from './artifact.ts'
import { OrderBody, orderOptions } from './body.ts'
import { build } from './build.ts'
import { buildCancel, buildModify } from './derived.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { holdings } from './holdings.ts'
import { readFill } from './readFill.ts'
import { refresh } from './refresh.ts'
import { scheduleCancel } from './scheduleCancel.ts'
import { prepare, relay, SubmitBody } from './submit.ts'

export const hyperliquidLane = defineLane({
  slug: 'hyperliquid',
  buildVersion: 1,
  urls: { REST: 'https://api.hyperliquid.xyz' },
  ownerRequired: true,
  paperOrderId: 'number',
  orderOptions,
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  modify: { body: ModifyBody, replaces: true, build: buildModify },
  scheduleCancel,
  submit: { body: SubmitBody, prepare, relay, lateBound, fields: ['signature'] },
  refresh: { body: NoCredentials, credentialFree: true, asks: 'anybody', read: refresh, fields: [] },
  readFill,
  holdings,
})
