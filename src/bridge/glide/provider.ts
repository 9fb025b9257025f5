// Glide as the bridge's provider. Equal concurrent reads share one request.
import { z } from 'zod'
import type { Clock } from '#lib/clock'
import { Coalesce } from '#lib/coalesce'
import { Fault } from '#lib/fault'
import { BridgeOption, BridgePaymentTaken } from '#schemas/bridge'
import { caip19 } from '../caip.ts'
import type { Asker, BridgeProvider } from '../ports.ts'
import { agreedOf, isAgreed, refuseChanged } from './agreed.ts'
import { isGood, told } from './answers.ts'
import { refuseBeside } from './beside.ts'
import { type AskGlide, type GlideAnswer, unreadable } from './client.ts'
import { contradiction } from './contradiction.ts'
import { optionsRequest, sessionRequest } from './requests.ts'
import { MoneySession, refuseAnother } from './session.ts'

export interface GlideProviderOptions {
  ask: AskGlide
  clock: Clock
  /** Interval between looks for a transaction just sent; 1 s by default, like Glide's own client. */
  lookEveryMs?: number
}

/** A node may see a transaction only seconds after it was sent. */
const looksMax = 10

export function createGlide({ ask, clock, lookEveryMs = 1_000 }: GlideProviderOptions): BridgeProvider {
  const reads = new Coalesce<GlideAnswer>()
  /** The first caller may disconnect: the others still want the answer. */
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
        throw new Fault(
          'BRIDGE_NO_ROUTE',
          'the bridge’s provider cannot transfer this token from this chain to this venue',
        )
      if (options.value.some((option) => option.paymentCurrency.toLowerCase() !== caip19(transfer.from)))
        throw contradiction('one of its options is paid in another currency')
      return options
    },
    async open(transfer, asker) {
      const session = told(MoneySession, await ask('/sessions', sessionRequest(transfer), asker))
      refuseAnother(transfer, session.value, clock.now())
      refuseBeside(session.value)
      const agreed = agreedOf(transfer, session.value)
      // Everything it states more than once must be consistent.
      refuseChanged(agreed, session.value)
      return { ...session, agreed }
    },
    async find({ sessionId, agreed }, asker) {
      const answer = await read(`/sessions/${encodeURIComponent(sessionId)}`, null, asker)
      if (answer.status === 404) return null
      const session = told(MoneySession, answer)
      if (session.value.sessionId !== sessionId) throw unreadable('its answer is of another session')
      refuseBeside(session.value)
      refuseChanged(agreed, session.value)
      return session
    },
    async pay({ sessionId, agreed }, payment, asker) {
      if ('signature' in payment) {
        if (!isAgreed(agreed, { sessionId }, ['paymentAction', 'signTypedData']))
          throw new Fault('VALIDATION_ERROR', 'signature: this session takes a transactionHash instead')
        return told(BridgePaymentTaken, known(await ask('/pay-with-signature', { sessionId, ...payment }, asker)))
      }
      for (let looks = 1; ; looks++) {
        const answer = await ask('/update-payment-transaction', { sessionId, ...payment }, asker)
        if (isGood(answer) || !answer.text.includes('ERR_TRANSACTION_NOT_FOUND'))
          return told(BridgePaymentTaken, known(answer))
        if (looks === looksMax)
          throw new Fault('BRIDGE_TRANSACTION_NOT_FOUND', 'no such transaction yet: report it again once it is mined')
        await new Promise<void>((resume) => clock.after(lookEveryMs, resume))
      }
    },
  }
}

function known(answer: GlideAnswer): GlideAnswer {
  if (answer.status === 404) throw new Fault('BRIDGE_SESSION_NOT_FOUND', 'no such bridge session')
  return answer
}
