// Owns answers that mean nothing: good by their status, and by nothing else.
import type { LabReply } from '../host.ts'

/** Larger than anybody should read. */
const hugeBytes = 2 * 1024 * 1024

const bodies = {
  html: () => '<html><body><h1>502 Bad Gateway</h1></body></html>',
  garbage: () => '{"sessionId":',
  empty: () => '',
  huge: () => JSON.stringify({ sessionId: 'x'.repeat(hugeBytes) }),
} as const satisfies Record<string, () => string>

export type Spoiling = keyof typeof bodies

export class Spoiler {
  private as: Spoiling = 'html'
  private left = 0

  /** The next `count` answers are these instead. */
  spoil(as: Spoiling, count = 1): void {
    this.as = as
    this.left = count
  }

  /** Null: the answer itself. */
  reply(): LabReply | null {
    if (this.left === 0) return null
    this.left--
    const type = this.as === 'html' ? 'text/html' : 'application/json'
    return { status: 200, body: bodies[this.as](), headers: { 'Content-Type': type } }
  }
}
