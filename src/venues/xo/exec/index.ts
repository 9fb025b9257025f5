// XO's lane: orders as typed data for a smart account, and no more. Submitting, cancelling and reading orders is undocumented, so nothing is
// sent or read here; the operator configures what orders are signed for.
import { defineBuildLane } from '../../lane.ts'
import { artifacts, checkBounds } from './artifact.ts'
import { OrderBody } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { settings } from './typedData.ts'

export const xoLane = defineBuildLane({
  slug: 'xo',
  buildVersion: 1,
  buildsOnly: 'XO does not document how to send, cancel, read or redeem an order',
  urls: {},
  settings,
  ownerRequired: true,
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
})
