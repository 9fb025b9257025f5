// Fills that wait for their block: `node docs/examples/pending.mjs [token…]`, tokens of Polymarket. Without any it subscribes to the twenty most active
// markets. Prints what the acknowledgement discloses, then each fill as it is seen, and ends when one of them has been resolved.
const { KEY, CROSSBOOK_URL = 'http://127.0.0.1:8080', URL: url = CROSSBOOK_URL } = process.env
const given = process.argv.slice(2)
const headers = { authorization: `Bearer ${KEY}` }

async function busiest() {
  const answer = await fetch(`${url}/api/polymarket/fetchMarkets?limit=20`, { headers })
  const { data } = await answer.json()
  return data.flatMap(({ outcomes }) => outcomes.map(({ outcomeId }) => outcomeId))
}

const tokens = given.length === 0 ? await busiest() : given
const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/stream`)
const seen = new Map()
const say = (message) => socket.send(JSON.stringify(message))

socket.onopen = () => {
  say({ op: 'auth', apiKey: KEY })
  for (const marketId of tokens)
    say({ op: 'subscribe', channel: 'trades', venue: 'polymarket', marketId, filters: { status: 'pending' } })
}
socket.onmessage = ({ data }) => {
  const frame = JSON.parse(data)
  if (frame.type === 'error') {
    console.error(`${frame.code}: ${frame.message}`)
    process.exitCode = 1
    socket.close()
  }
  if (frame.type === 'subscribed' && frame.marketId === tokens[0])
    console.log('disclosure', JSON.stringify(frame.disclosure))
  if (frame.type !== 'trade') return
  const { id, type, shares, price } = frame.data
  if (frame.status === 'pending') {
    seen.set(id, Date.now())
    console.log('pending', id, type, shares, 'at', price)
  } else {
    const after = Date.now() - seen.get(id)
    console.log(frame.status, id, frame.blockNumber ?? frame.dropReason, `after ${after} ms`)
    socket.close()
  }
}
socket.onerror = () => {
  console.error('the stream cannot be reached')
  process.exitCode = 1
}
