// Many small reads, a few of them at a time.

/** Results in the order of the items. After the first failure, which it rejects with, no further item is begun. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  atOnceMax: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  let hasFailed = false
  const runner = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      const at = next++
      try {
        results[at] = await work(items[at]!)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, runner))
  return results
}
