// Pascal's state number, which counts every change of the exchange: on every answer and every frame, with the times of both.

export class States {
  private seq = 67_890
  /** When the newest was made, epoch ms. */
  atMs: number

  constructor(nowMs: number) {
    this.atMs = nowMs
  }

  /** Other things change as well: every channel skips numbers. */
  next(atMs: number): void {
    this.seq += 3
    this.atMs = Math.max(this.atMs, atMs)
  }

  /** All as text. */
  stamp(stateMs: number, nowMs: number) {
    return { seq: String(this.seq), state_time_ms: String(stateMs), server_time_ms: String(nowMs) }
  }
}
