// Malformed responses with a success status.
import type { LabReply } from '../venueServer.ts'

/** Larger than any client should read. */
const hugeBytes = 2 * 1024 * 1024

const bodies = {
  html: () => '<html><body><h1>502 Bad Gateway</h1></body></html>',
  garbage: () => '{"sessionId":',
  empty: () => '',
  huge: () => JSON.stringify({ sessionId: 'x'.repeat(hugeBytes) }),
} as const satisfies Record<string, () => string>

export type Corruption = keyof typeof bodies

export class ResponseCorruptor {
  private as: Corruption = 'html'
  private left = 0

  /** Replaces the next `count` answers. */
  spoil(as: Corruption, count = 1): void {
    this.as = as
    this.left = count
  }

  /** Null: the real answer. */
  reply(): LabReply | null {
    if (this.left === 0) return null
    this.left--
    const type = this.as === 'html' ? 'text/html' : 'application/json'
    return { status: 200, body: bodies[this.as](), headers: { 'Content-Type': type } }
  }
}
