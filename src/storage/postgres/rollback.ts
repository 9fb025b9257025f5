/** Thrown inside a transaction: rolls it back without being a failure. */
export class Rollback<Result> extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('undone')
    this.result = result
  }
}
