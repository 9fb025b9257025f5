/** Thrown inside a transaction: rolls it back without being a failure. */
export class Undo<Result> extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('undone')
    this.result = result
  }
}
