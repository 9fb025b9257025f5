// Orders and cancellations alongside the budget of reads: they never wait for it, but they count. A venue's 429 to one of them concerns only its
// caller: it must not stop others' reads.
import type { CreditBudget, VenueBudgets } from './hostRateLimiter.ts'
import type { HttpSender, SendOutcome, SendRequest } from './http.ts'

export const meterSender = (sender: HttpSender, budgets: VenueBudgets, purse: CreditBudget): HttpSender => ({
  send(request: SendRequest): Promise<SendOutcome> {
    budgets.of(request.url).spend(1, purse)
    return sender.send(request)
  },
})
