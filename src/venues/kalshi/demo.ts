// Kalshi's sandbox: the same code at other addresses. Its data is simulated, so it takes no orders.
import { defineVenue } from '../venue.ts'
import { streamOf } from './data/stream.ts'
import { kalshi } from './index.ts'

const { exec: _lane, ...readable } = kalshi

/** It has its own keys, created at demo.kalshi.co. */
export const kalshiDemo = defineVenue({
  ...readable,
  slug: 'kalshi-demo',
  title: 'Kalshi demo',
  urls: {
    REST: 'https://external-api.demo.kalshi.co/trade-api/v2',
    WS: 'wss://external-api-ws.demo.kalshi.co/trade-api/ws/v2',
  },
  data: { ...readable.data, stream: streamOf('kalshi-demo') },
})
