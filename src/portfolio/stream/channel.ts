// The stream's `portfolio` channel: the positions of the key's own account, for keys that may trade. Its shape is the stream's ChannelProvider.
import type { ClientOp } from '#schemas/stream'
import type { PortfolioPeer } from './subscriber.ts'

/** Where subscribers are registered: the feed. */
export interface PortfolioAudience {
  add(peer: PortfolioPeer, topic: string): void
  remove(peer: PortfolioPeer): void
}

export interface PortfolioChannel {
  readonly scope: 'trade'
  check(op: ClientOp): { code: 'BAD_MESSAGE'; message: string } | null
  started(peer: PortfolioPeer, topic: string): void
  stopped(peer: PortfolioPeer): void
}

export const portfolioChannel = (audience: PortfolioAudience): PortfolioChannel => ({
  scope: 'trade',
  check: ({ op }) =>
    op === 'subscribePortfolio' ? null : { code: 'BAD_MESSAGE', message: 'not an operation on the portfolio' },
  started: (peer, topic) => audience.add(peer, topic),
  stopped: (peer) => audience.remove(peer),
})
