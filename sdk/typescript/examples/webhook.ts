// A receiver that believes nothing unsigned: registers itself, asks for a test delivery, and leaves when that has come.
import { createServer } from 'node:http'
import { verifyWebhook, WebhookVerificationError } from '@crossbook/client'
import { client } from './connect.ts'

// The demo lets deliveries go to this port of loopback; elsewhere a receiver is public and https.
const port = Number(process.env.WEBHOOK_PORT ?? 8090)
const seen = new Set<string>()
let secret = ''
let id = ''

const server = createServer(async (request, response) => {
  // The bytes as they came: JSON parsed and printed again is another text.
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  try {
    const delivery = await verifyWebhook(Buffer.concat(chunks), request.headers, secret)
    response.writeHead(204).end()
    // A delivery whose answer was lost comes again under the same id.
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
