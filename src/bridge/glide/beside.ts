// What a session has beside the fields that are held against the request. Most of it is for reading: names, links, times. What is to be signed, or says
// again in another spelling what was checked, is not passed on: a reader that believed it would sign something else.
import { contradiction } from './contradiction.ts'
import { MoneySession } from './session.ts'

const known = new Set(Object.keys(MoneySession.shape))
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const spelled = new Set([...known].map(plain))
const toSign = /^(?:unsigned|tosign|calldata|typeddata|permit|userop|signing)/

/** A selector and its words; a transaction's hash and a signature are none. */
const calldata = /^0x[0-9a-f]{8}(?:[0-9a-f]{64})+$/i

/** Throws BRIDGE_UPSTREAM. */
export function refuseBeside(session: MoneySession): void {
  for (const [name, value] of Object.entries(session)) {
    if (known.has(name) || value == null) continue
    if (spelled.has(plain(name))) throw contradiction('it says one thing in two spellings')
    if (toSign.test(plain(name)) || holdsCalldata(value)) throw contradiction('it has something beside to sign')
  }
}

function holdsCalldata(value: unknown): boolean {
  if (typeof value === 'string') return calldata.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsCalldata)
}
