// Equal concurrent requests share an answer: a thousand readers of one cold book cost the venue one request.

export class SingleFlight<T> {
  private readonly running = new Map<string, Promise<T>>()

  run(key: string, load: () => Promise<T>): Promise<T> {
    const before = this.running.get(key)
    if (before !== undefined) return before
    const started = load().finally(() => this.running.delete(key))
    this.running.set(key, started)
    return started
  }
}
