import { expect, it } from 'vitest'
import { checkConfig } from '#config'
import { venueUrls } from '#roles/venues'
import { kalshi } from '#venues/kalshi/index'
import { myriad } from '#venues/myriad/index'
import { rain } from '#venues/rain/index'

const { config } = checkConfig({
  CROSSBOOK_RAIN_RPC_URL: 'https://one.example, https://two.example',
  CROSSBOOK_MYRIAD_RPC_URL: 'https://three.example',
  CROSSBOOK_KALSHI_RPC_URL: 'https://four.example',
  CROSSBOOK_KALSHI_REST_URL: 'https://proxy.example',
})

it.each([
  ['the nodes of a chain with trades', rain, { RPC: 'https://one.example, https://two.example' }],
  ['the nodes of a chain with prices', myriad, { RPC: 'https://three.example' }],
  ['no nodes where no chain is read', kalshi, { REST: 'https://proxy.example' }],
] as const)('the URLs of a venue include %s', (_, manifest, configured) => {
  expect(venueUrls(manifest, config)).toEqual({ ...manifest.urls, ...configured })
})
