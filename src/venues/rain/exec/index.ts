// Rain's lane: transactions to a pool's diamond, signed by their owner's wallet, sent once or reported; read from the chain at the operator's
// node.
import { defineLane } from '../../lane.ts'
import { NoCredentials } from '../../shared/exec/credentials.ts'
import { RedeemBody } from '../../shared/exec/redemption.ts'
import { transactionSubmit } from '../../shared/exec/transaction.ts'
import { chainId } from '../ids.ts'
import { artifacts, checkBounds, checkTimely, lateBound, readTransaction } from './artifact.ts'
import { CancelBody, fieldsOf, OrderBody, orderOptions } from './body.ts'
import { build } from './build.ts'
import { buildCancel } from './cancel.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { readFill } from './readFill.ts'
import { buildRedeem } from './redeem.ts'
import { refresh } from './refresh.ts'
import { settings } from './settings.ts'

export const rainLane = defineLane({
  slug: 'rain',
  buildVersion: 1,
  urls: {},
  settings,
  chain: { id: chainId, needed: true },
  ownerRequired: true,
  orderOptions,
  // Wallets send to the chain directly.
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build, fieldsOf },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  redeem: { body: RedeemBody, build: buildRedeem },
  submit: { ...transactionSubmit({ venue: 'rain', chainId, readTransaction, checkTimely }), lateBound },
  refresh: { body: NoCredentials, credentialFree: true, asks: 'anybody', read: refresh, fields: [] },
  readFill,
  noHoldings: 'its contracts return an account’s shares of one pool at a time, and list no pools of an account',
})
