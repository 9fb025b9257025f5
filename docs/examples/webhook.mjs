// A webhook receiver: registers itself, rejects unsigned deliveries, prints each event. `npx node docs/examples/webhook.mjs filled` while
// the demo runs ends when an event reports that an order is filled, or `fired`; with a number it ends after so many deliveries, with
// neither never.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { ask } from './ask.mjs'

// The demo allows deliveries to this port of loopback; elsewhere a receiver is public and https.
const port = Number(process.env.WEBHOOK_PORT ?? 8090)
const last = process.argv[2]
const seen = new Set()
let endpoint

function isOurs({ headers }, raw) {
  const timestamp = headers['x-service-timestamp'] ?? ''
  const wanted = createHmac('sha256', endpoint.secret).update(`${timestamp}.`).update(raw).digest()
  const given = Buffer.from(headers['x-service-signature'] ?? '', 'hex')
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300
  return isFresh && given.length === wanted.length && timingSafeEqual(given, wanted)
}

const server = createServer(async (request, response) => {
  // The bytes as they arrived: parsing and printing the JSON would change them.
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const raw = Buffer.concat(chunks)
  if (!isOurs(request, raw)) return response.writeHead(401).end()
  response.writeHead(204).end()
  // A delivery whose response was lost comes again under the same id.
  const delivery = request.headers['x-service-delivery']
  if (seen.has(delivery)) return
  seen.add(delivery)
  console.log('verified', request.headers['x-service-event'], raw.toString())
  if (JSON.parse(raw).status === last || seen.size === Number(last)) await leave()
})

async function leave() {
  await ask('DELETE', `/v1/webhooks/${endpoint.id}`)
  process.exit(0)
}

server.listen(port, '127.0.0.1', async () => {
  const conditional = ['triggered', 'fired', 'fire_failed', 'expired'].map((status) => `conditional.${status}`)
  const events = ['execution.status.changed', ...conditional]
  endpoint = await ask('POST', '/v1/webhooks', { url: `http://127.0.0.1:${port}/`, events })
  console.log('listening', endpoint.id)
})
process.on('SIGINT', leave)
