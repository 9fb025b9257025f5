// Merges settled usage with usage not settled yet.
import type { KeyUsage, UsageLine } from '#schemas/account'

/** By day, then by operation. */
export const addUnsettled = (settled: readonly UsageLine[], unsettled: readonly UsageLine[]): UsageLine[] =>
  sums(settled, unsettled, ({ day, operationId, calls, credits }) => ({
    name: `${day} ${operationId}`,
    sum: { day, operationId, calls, credits },
  }))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => line)

/** Most calls first. */
export const addUnsettledByKey = (settled: readonly KeyUsage[], unsettled: readonly KeyUsage[]): KeyUsage[] =>
  sums(settled, unsettled, ({ keyId, calls, credits }) => ({ name: keyId, sum: { keyId, calls, credits } }))
    .map(([, sum]) => sum)
    .sort((a, b) => b.calls - a.calls || (a.keyId < b.keyId ? -1 : 1))

function sums<T extends { calls: number; credits: number }>(
  settled: readonly T[],
  unsettled: readonly T[],
  take: (entry: T) => { name: string; sum: T },
): [string, T][] {
  const found = new Map<string, T>()
  for (const entry of [...settled, ...unsettled]) {
    const { name, sum } = take(entry)
    const before = found.get(name)
    if (before === undefined) {
      found.set(name, sum)
      continue
    }
    before.calls += sum.calls
    before.credits += sum.credits
  }
  return [...found]
}
