// Hyperliquid's lane: HIP-4 orders signed by the owner's wallet, paid from the spot ledger, read back by address.
import { defineLane } from '../../lane.ts'
import { CancelBody, ModifyBody, OrderBody, RefreshBody } from './body.ts'
import { checkBounds } from './bounds.ts'
import { build } from './build.ts'
import { buildCancel } from './cancel.ts'
import { gatherFacts } from './facts.ts'
import { lateBound } from './lateBound.ts'
import { buildModify } from './modify.ts'
import { refresh } from './refresh.ts'
import { prepare, relay, SubmitBody } from './submit.ts'

export const hyperliquidLane = defineLane({
  slug: 'hyperliquid',
  buildVersion: 1,
  urls: { REST: 'https://api.hyperliquid.xyz' },
  ownerRequired: true,
  blockedCountries: [],
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  cancel: { body: CancelBody, build: buildCancel },
  modify: { body: ModifyBody, replaces: true, build: buildModify },
  submit: { body: SubmitBody, prepare, relay, lateBound, fields: ['signature'] },
  refresh: { body: RefreshBody, credentialFree: true, read: refresh, fields: [] },
})
