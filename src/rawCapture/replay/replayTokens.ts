// Tokens for connections, issued or refused at the times at which the venue did.

export class ReplayTokens {
  private readonly waiting: { resolve(token: string): void; reject(error: Error): void }[] = []
  /** Outcomes that came before they were requested here; null: a token was issued. */
  private readonly early: (Error | null)[] = []
  private readonly placeholder: string

  /** A capture has no tokens: all of them are the placeholder. */
  constructor(placeholder: string) {
    this.placeholder = placeholder
  }

  fetch(): Promise<string> {
    return new Promise((resolve, reject) => {
      const outcome = this.early.shift()
      if (outcome === undefined) this.waiting.push({ resolve, reject })
      else if (outcome === null) resolve(this.placeholder)
      else reject(outcome)
    })
  }

  issue(error: string | undefined): void {
    const next = this.waiting.shift()
    const outcome = error === undefined ? null : new Error(error)
    if (next === undefined) this.early.push(outcome)
    else if (outcome === null) next.resolve(this.placeholder)
    else next.reject(outcome)
  }
}
