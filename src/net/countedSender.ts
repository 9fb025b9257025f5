// Orders and cancellations beside the budget of reads: they never wait for it, but they count. What the venue answers to one of them about
// being asked too much is said for all, unless it counts callers' keys apart.
import type { Purse, VenueBudgets } from './hostBudget.ts'
import type { HttpSender, SendOutcome, SendRequest } from './http.ts'

export const countSends = (sender: HttpSender, budgets: VenueBudgets, purse: Purse): HttpSender => ({
  async send(request: SendRequest): Promise<SendOutcome> {
    const budget = budgets.of(request.url)
    budget.spend(1, purse)
    const sent = await sender.send(request)
    if (sent.kind === 'answered' && sent.status === 429 && !budget.countsCallersApart) {
      budget.rest(sent.headers['retry-after'], purse)
    }
    return sent
  },
})
