// Parts that are started one after another and stopped in reverse, also when the stop comes during a start.

interface Part {
  stop(): Promise<unknown>
}

export class Parts {
  private readonly started: Part[] = []
  private stopped: Promise<void> | null = null

  /** Resolves with the part once it has started; if a stop came first, it is stopped at once and this rejects. */
  async keep<T extends Part>(starting: Promise<T>): Promise<T> {
    const part = await starting
    if (this.stopped !== null) {
      await part.stop()
      throw new Error('stopped while it was starting')
    }
    this.started.push(part)
    return part
  }

  stop(): Promise<void> {
    this.stopped ??= this.stopAll()
    return this.stopped
  }

  /** Whether the start was abandoned because of a stop. */
  get isStopping(): boolean {
    return this.stopped !== null
  }

  private async stopAll(): Promise<void> {
    const failures: unknown[] = []
    for (const part of this.started.splice(0).reverse())
      await part.stop().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'not everything stopped cleanly')
  }
}
