// Shared by the state machines.
import type { AlgorithmWait } from '#schemas/algorithms'
import type { AlgorithmDecision, AlgorithmPlan, AlgorithmProgress } from './types.ts'

export const remainingOf = (plan: Pick<AlgorithmPlan, 'size'>, { filled }: Pick<AlgorithmProgress, 'filled'>): number =>
  Math.max(0, plan.size - filled)

export const floorTo = (value: number, step: number): number => Math.floor(value / step) * step

export const waitFor = (reason: AlgorithmWait, until: number | null = null): AlgorithmDecision & { kind: 'wait' } => ({
  kind: 'wait',
  reason,
  until,
})
