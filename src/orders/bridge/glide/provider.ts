// Glide as the bridge's provider. Equal concurrent reads share one request.
import { z } from 'zod'
import type { Clock } from '#core/clock'
import { Fault } from '#core/fault'
import { pause } from '#core/pause'
import { SingleFlight } from '#core/singleFlight'
import { BridgeOption, BridgePaymentTaken } from '#schemas/bridge'
import { caip19 } from '../caip.ts'
import type { BridgeProvider, Caller } from '../ports.ts'
import { type AskGlide, type GlideAnswer, unreadable } from './client.ts'
import { rejectExtraFields } from './extraFields.ts'
import { mismatch } from './mismatch.ts'
import { optionsRequest, sessionRequest } from './requests.ts'
import { isGood, requireOk } from './responses.ts'
import { MoneySession, rejectOtherSession } from './session.ts'
import { fingerprint, isAgreed, rejectChangedSession } from './sessionFingerprint.ts'

export interface GlideProviderOptions {
  ask: AskGlide
  clock: Clock
  /** Interval between polls for a transaction that was just sent; 1 s by default, like Glide's own client. */
  lookEveryMs?: number
}

/** A node may see a transaction only seconds after it was sent. */
const looksMax = 10

export function createGlide({ ask, clock, lookEveryMs = 1_000 }: GlideProviderOptions): BridgeProvider {
  const reads = new SingleFlight<GlideAnswer>()
  /** The first caller may disconnect: the others still want the answer. */
  const read = (path: string, body: object | null, { account }: Caller): Promise<GlideAnswer> =>
    reads.run(`${path} ${JSON.stringify(body)}`, () =>
      ask(path, body, { account, signal: new AbortController().signal }),
    )

  return {
    name: 'glide',
    async quote(transfer, caller) {
      const answer = await read('/list-payment-options', optionsRequest(transfer), caller)
      const options = requireOk(z.array(BridgeOption), answer)
      if (options.value.length === 0)
        throw new Fault(
          'BRIDGE_NO_ROUTE',
          'the bridge’s provider cannot transfer this token from this chain to this venue',
        )
      if (options.value.some((option) => option.paymentCurrency.toLowerCase() !== caip19(transfer.from)))
        throw mismatch('a payment option has another currency')
      return options
    },
    async open(transfer, caller) {
      const session = requireOk(MoneySession, await ask('/sessions', sessionRequest(transfer), caller))
      rejectOtherSession(transfer, session.value, clock.now())
      rejectExtraFields(session.value)
      const agreed = fingerprint(transfer, session.value)
      // Values that appear more than once must be consistent.
      rejectChangedSession(agreed, session.value)
      return { ...session, agreed }
    },
    async find({ sessionId, agreed }, caller) {
      const answer = await read(`/sessions/${encodeURIComponent(sessionId)}`, null, caller)
      if (answer.status === 404) return null
      const session = requireOk(MoneySession, answer)
      if (session.value.sessionId !== sessionId) throw unreadable('the response is for another session')
      rejectExtraFields(session.value)
      rejectChangedSession(agreed, session.value)
      return session
    },
    async pay({ sessionId, agreed }, payment, caller) {
      if ('signature' in payment) {
        if (!isAgreed(agreed, { sessionId }, ['paymentAction', 'signTypedData']))
          throw new Fault('VALIDATION_ERROR', 'signature: this session takes a transactionHash instead')
        return requireOk(BridgePaymentTaken, known(await ask('/pay-with-signature', { sessionId, ...payment }, caller)))
      }
      for (let looks = 1; ; looks++) {
        const answer = await ask('/update-payment-transaction', { sessionId, ...payment }, caller)
        if (isGood(answer) || !answer.text.includes('ERR_TRANSACTION_NOT_FOUND'))
          return requireOk(BridgePaymentTaken, known(answer))
        if (looks === looksMax)
          throw new Fault('BRIDGE_TRANSACTION_NOT_FOUND', 'no such transaction yet: report it again once it is mined')
        await pause(clock, lookEveryMs)
      }
    },
  }
}

function known(answer: GlideAnswer): GlideAnswer {
  if (answer.status === 404) throw new Fault('BRIDGE_SESSION_NOT_FOUND', 'no such bridge session')
  return answer
}
