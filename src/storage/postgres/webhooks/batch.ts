// Work that arrives while a statement is running is batched into the next one: many receivers that answer at once cost one round trip and one
// connection, not one each.

/** Items wait in memory while a statement runs; the caller bounds how many there are. */
export function batched<In, Out>(
  run: (items: readonly In[]) => Promise<readonly Out[]>,
  itemsMax: number,
): (item: In) => Promise<Out> {
  const waiting: { item: In; resolve(result: Out): void; reject(error: unknown): void }[] = []
  let running = false
  const work = async (): Promise<void> => {
    running = true
    for (let batch = waiting.splice(0, itemsMax); batch.length > 0; batch = waiting.splice(0, itemsMax)) {
      try {
        const results = await run(batch.map(({ item }) => item))
        for (const [i, { resolve }] of batch.entries()) resolve(results[i]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!running) void work()
    })
}
