// A receiver that verifies every signature: registers itself, requests a test delivery, and exits when it has arrived.
import { createServer } from 'node:http'
import { verifyWebhook, WebhookVerificationError } from '@crossbook/client'
import { client } from './connect.ts'

// The demo allows deliveries to this port of loopback; elsewhere a receiver is public and https.
const port = Number(process.env.WEBHOOK_PORT ?? 8090)
const seen = new Set<string>()
let secret = ''
let id = ''

const server = createServer(async (request, response) => {
  // The bytes as they arrived: parsing and printing the JSON would change them.
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const delivery = await verifyWebhook(Buffer.concat(chunks), request.headers, secret)
    response.writeHead(204).end()
    // A delivery whose response was lost comes again under the same id.
    if (seen.has(delivery.id)) return
    seen.add(delivery.id)
    console.log('verified', delivery.event, JSON.stringify(delivery.payload))
    if (delivery.event !== 'webhook.test') return
    await client.api.deleteWebhook({ path: { id } })
    server.close()
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    response.writeHead(401).end()
  }
})

server.listen(port, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${port}/`
  const { data } = await client.api.createWebhook({ body: { url, events: ['execution.status.changed'] } })
  secret = data.secret
  id = data.id
  await client.api.testWebhook({ path: { id } })
})
