// The payload of a private call, which travels in a header.
import { Fault } from '#core/fault'
import type { Call } from '../../shared/exec/apiKeyClient.ts'

/** A number written with its exact digits: an order id exceeds a double. */
export class RawDigits {
  readonly digits: string
  constructor(digits: string) {
    if (!/^\d{1,20}$/.test(digits)) throw new Fault('INTERNAL', 'no digits')
    this.digits = digits
  }
}

export type PayloadValue = string | number | RawDigits
/** The call's own fields, in sending order. */
export type Payload = Readonly<Record<string, PayloadValue>>

export type GeminiCall = Call & { fields: Payload }

export function payloadText(request: string, nonce: number, fields: Payload): string {
  const members: [string, PayloadValue][] = [['request', request], ['nonce', nonce], ...Object.entries(fields)]
  const texts = members.map(([name, value]) => {
    return `${JSON.stringify(name)}:${value instanceof RawDigits ? value.digits : JSON.stringify(value)}`
  })
  return `{${texts.join(',')}}`
}
