// PredictStreet's lane: EIP-712 orders for its two exchanges, signed by the owner of a vault, posted once under the caller's key. The domain version
// they are signed for is set by the operator.
import { defineLane } from '../../lane.ts'
import { CancelBody } from '../../shared/exec/cancelModifyBody.ts'
import { domainSetting } from '../../shared/exec/laneSettings.ts'
import { artifacts, buildCancel, checkBounds } from './artifact.ts'
import { NamedCredentials } from './auth.ts'
import { OrderBody } from './body.ts'
import { build } from './build.ts'
import { describe } from './describe.ts'
import { gatherFacts } from './facts.ts'
import { readFill } from './readFill.ts'
import { refresh } from './refresh.ts'
import { submit } from './submit.ts'

export const predictStreetLane = defineLane({
  slug: 'predictstreet',
  buildVersion: 1,
  urls: { REST: 'https://core-api.adipredictstreet.com' },
  settings: { DOMAIN_VERSION: domainSetting('the version of the EIP-712 domain that its orders are signed for') },
  ownerRequired: true,
  // The venue publishes no enforceable list.
  blockedCountries: [],
  artifacts,
  order: { body: OrderBody, gatherFacts, build },
  checkBounds,
  describe,
  cancel: { body: CancelBody, build: buildCancel },
  submit,
  refresh: {
    body: NamedCredentials,
    fields: Object.keys(NamedCredentials.shape),
    credentialFree: false,
    // A single-wallet key acts as that wallet, whatever wallet is named.
    asks: ({ apiKey }) => apiKey.reveal(),
    read: refresh,
  },
  readFill,
  noHoldings: 'it documents fills, and not the positions of a wallet',
})
