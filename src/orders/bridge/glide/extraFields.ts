// Session fields beyond those checked against the request. Most are informational: names, links, times. Rejects anything that could be
// signed, and any field that repeats a checked value in another spelling: a client that trusted it would sign something else.
import { mismatch } from './mismatch.ts'
import { MoneySession } from './session.ts'

const known = new Set(Object.keys(MoneySession.shape))
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
const spelled = new Set([...known].map(plain))
const toSign = /^(?:unsigned|tosign|calldata|typeddata|permit|userop|signing)/

/** A 4-byte selector and its 32-byte arguments; transaction hashes and signatures do not match. */
const calldata = /^0x[0-9a-f]{8}(?:[0-9a-f]{64})+$/i

/** Throws BRIDGE_UPSTREAM. */
export function rejectExtraFields(session: MoneySession): void {
  for (const [name, value] of Object.entries(session)) {
    if (known.has(name) || value == null) continue
    if (spelled.has(plain(name))) throw mismatch('the response has two spellings of one field')
    if (toSign.test(plain(name)) || holdsCalldata(value))
      throw mismatch('the response contains additional data to sign')
  }
}

function holdsCalldata(value: unknown): boolean {
  if (typeof value === 'string') return calldata.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsCalldata)
}
