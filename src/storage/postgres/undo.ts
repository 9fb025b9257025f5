/** Thrown inside a transaction: undoes what it did without being a failure. */
export class Undo<Result> extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('undone')
    this.result = result
  }
}
