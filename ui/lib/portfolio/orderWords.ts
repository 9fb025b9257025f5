// An order in words, and what its owner can do about one of unknown outcome.
import type { OrderAction, UnresolvedOrder } from '#schemas/orders'
import { format } from '../format.ts'

type Traded = Pick<UnresolvedOrder, 'intent' | 'side' | 'size' | 'price' | 'venue'>

/** buy 10 at 0.44 at kalshi */
export function orderWords({ intent, side, size, price, venue }: Traded): string {
  const what = intent === 'order' ? (side ?? 'order') : [intent, side].filter((word) => word !== null).join(' ')
  const words = [what, size, price === null ? null : `at ${price}`].filter((word) => word !== null)
  return `${words.join(' ')} at ${venue}`
}

/** What the owner can do, one sentence each. */
export function actionWords(action: OrderAction): string {
  if (action.kind === 'wait') return `Wait until ${format.moment(action.until)}.`
  const call = `${action.method} ${action.path}`
  const from = 'from' in action && action.from !== null ? ` From ${format.moment(action.from)} on.` : ''
  const fields = action.fields.length === 0 ? '' : ` with ${action.fields.join(', ')}`
  switch (action.kind) {
    case 'refresh':
      return action.credentialFree
        ? `Read it at the venue: ${call}. The reconciler does so by itself, too.${from}`
        : `Read it at the venue: ${call}${fields}.${from}`
    case 'resubmit':
      return `Send the same signed order again, which the venue takes only once: ${call}${fields}, and a new Idempotency-Key.`
    case 'resolve':
      return `Record its outcome yourself (${action.outcomes.join(', ')}): ${call}${fields}, and a new Idempotency-Key.${from}`
  }
}
