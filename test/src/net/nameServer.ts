// A name server on loopback with chosen answers: A and AAAA records for some names, NXDOMAIN for others, silence when mute.
import { createSocket } from 'node:dgram'

export interface NameServer {
  /** In the form of `setServers`. */
  address: string
  names: Map<string, readonly string[]>
  /** Queried names, with the record type. */
  queries: string[]
  mute: boolean
  close(): void
}

const types = new Map([
  [1, 'A'],
  [28, 'AAAA'],
])

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString())
      at += length + 1
    }
    const type = types.get(query.readUInt16BE(at + 1)) ?? '?'
    const name = labels.join('.').toLowerCase()
    server.queries.push(`${name} ${type}`)
    if (server.mute) return
    const known = server.names.get(name)
    const records = (known ?? []).filter((address) => (type === 'AAAA') === address.includes(':')).map(bytesOf)
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2)
    header.writeUInt16BE(records.length, 6)
    header.fill(0, 8)
    const answers = records.map((bytes) => {
      const record = Buffer.alloc(12)
      // The name of the question, class IN, TTL 0.
      record.writeUInt16BE(0xc00c, 0)
      record.writeUInt16BE(bytes.length === 4 ? 1 : 28, 2)
      record.writeUInt16BE(1, 4)
      record.writeUInt16BE(bytes.length, 10)
      return Buffer.concat([record, bytes])
    })
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...answers]), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    names: new Map(),
    queries: [],
    mute: false,
    close: () => socket.close(),
  }
  return server
}

/** Dotted IPv4, or IPv6 with all its groups or one `::`. */
function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const gap = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0')
  return Buffer.from([...groups(head), ...gap, ...groups(tail)].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
