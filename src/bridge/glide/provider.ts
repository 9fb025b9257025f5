// Glide as the bridge's provider. Equal reads under way are asked once.
import { z } from 'zod'
import type { Clock } from '#lib/clock'
import { Coalesce } from '#lib/coalesce'
import { compareDecimals, readDecimal } from '#lib/decimal'
import { Fault } from '#lib/fault'
import { BridgeOption, BridgePaymentTaken, BridgeSession } from '#schemas/bridge'
import { caip19 } from '../caip.ts'
import type { Asker, BridgeProvider, Told, Transfer } from '../ports.ts'
import { isGood, told } from './answers.ts'
import { type AskGlide, type GlideAnswer, unreadable } from './client.ts'
import { optionsRequest, sessionRequest } from './requests.ts'

export interface GlideProviderOptions {
  ask: AskGlide
  clock: Clock
  /** Between two looks for a transaction that was just sent; 1 s unless told, as Glide's own client. */
  lookEveryMs?: number
}

/** A node may hear of a transaction seconds after it was sent. */
const looksMax = 10

/** Of a session, as far as it can contradict what was asked for. */
const OpenedSession = BridgeSession.extend({
  paymentCurrency: z.string().nullish(),
  paymentAmount: z.string().nullish(),
})

export function createGlide({ ask, clock, lookEveryMs = 1_000 }: GlideProviderOptions): BridgeProvider {
  const reads = new Coalesce<GlideAnswer>()
  /** Whoever asked first may leave: the others still want the answer. */
  const read = (path: string, body: object | null, { account }: Asker): Promise<GlideAnswer> =>
    reads.run(`${path} ${JSON.stringify(body)}`, () =>
      ask(path, body, { account, signal: new AbortController().signal }),
    )

  return {
    name: 'glide',
    async quote(transfer, asker) {
      const answer = await read('/list-payment-options', optionsRequest(transfer), asker)
      const options = told(z.array(BridgeOption), answer)
      if (options.value.length === 0)
        throw new Fault('BRIDGE_NO_ROUTE', 'nobody carries this token from this chain to this venue')
      return options
    },
    async open(transfer, asker) {
      const session = told(OpenedSession, await ask('/sessions', sessionRequest(transfer), asker))
      refuseAnother(transfer, session)
      return session
    },
    async find(sessionId, asker) {
      const answer = await read(`/sessions/${encodeURIComponent(sessionId)}`, null, asker)
      if (answer.status === 404) return null
      const session = told(BridgeSession, answer)
      if (session.value.sessionId !== sessionId) throw unreadable('its answer is of another session')
      return session
    },
    async pay(sessionId, payment, asker) {
      if ('signature' in payment)
        return told(BridgePaymentTaken, known(await ask('/pay-with-signature', { sessionId, ...payment }, asker)))
      for (let looks = 1; ; looks++) {
        const answer = await ask('/update-payment-transaction', { sessionId, ...payment }, asker)
        if (isGood(answer) || !answer.text.includes('ERR_TRANSACTION_NOT_FOUND'))
          return told(BridgePaymentTaken, known(answer))
        if (looks === looksMax)
          throw new Fault('BRIDGE_TRANSACTION_NOT_FOUND', 'no such transaction yet: say it again once it is mined')
        await new Promise<void>((resume) => clock.after(lookEveryMs, resume))
      }
    },
  }
}

function known(answer: GlideAnswer): GlideAnswer {
  if (answer.status === 404) throw new Fault('BRIDGE_SESSION_NOT_FOUND', 'no such bridge session')
  return answer
}

/** Nobody is handed something to sign that takes more, or something else, than was said. */
function refuseAnother({ from, amount }: Transfer, { value }: Told<z.output<typeof OpenedSession>>): void {
  const { paymentCurrency, paymentAmount } = value
  if (paymentCurrency != null && paymentCurrency.toLowerCase() !== caip19(from))
    throw unreadable('its session is paid in another currency')
  if (paymentAmount == null) return
  const asked = readDecimal(paymentAmount)
  if (asked === null || compareDecimals(asked, amount) > 0) throw unreadable('its session asks for more than was said')
}
