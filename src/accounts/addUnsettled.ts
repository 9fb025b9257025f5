// One list of what is in the books and what is not yet.
import type { UsageLine } from '#schemas/account'

/** By day, then by operation. */
export function addUnsettled(settled: readonly UsageLine[], unsettled: readonly UsageLine[]): UsageLine[] {
  const lines = new Map<string, UsageLine>()
  for (const { day, operationId, calls, credits } of [...settled, ...unsettled]) {
    const name = `${day} ${operationId}`
    const line = lines.get(name)
    if (line === undefined) {
      lines.set(name, { day, operationId, calls, credits })
      continue
    }
    line.calls += calls
    line.credits += credits
  }
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
}
