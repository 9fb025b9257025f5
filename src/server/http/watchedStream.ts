// A streamed body whose failure is reported: the answer has left the pipeline by then, so that no one else would log it.

/** Passes chunks through unchanged; by hand, because a generator that was never started would not close its source. */
export const watchedStream = (
  source: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => void,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]() {
    const chunks = source[Symbol.asyncIterator]()
    return {
      async next() {
        try {
          return await chunks.next()
        } catch (error) {
          onFailure(error)
          throw error
        }
      },
      return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
    }
  },
})
