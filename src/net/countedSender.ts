// Orders and cancellations beside the budget of reads: they never wait for it, but they count. What the venue answers to one of them about being
// asked too much is its caller's matter: it must not stop what others read.
import type { Purse, VenueBudgets } from './hostBudget.ts'
import type { HttpSender, SendOutcome, SendRequest } from './http.ts'

export const countSends = (sender: HttpSender, budgets: VenueBudgets, purse: Purse): HttpSender => ({
  send(request: SendRequest): Promise<SendOutcome> {
    budgets.of(request.url).spend(1, purse)
    return sender.send(request)
  },
})
