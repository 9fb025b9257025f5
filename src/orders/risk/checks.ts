// Risk limits as executions use them: the check inside the claim, what it needs, its refusal, and the preview for builds.
import { Fault } from '#core/fault'
import type { RiskChecks, RiskSubject } from '#orders/executions/ports'
import type { RiskBreach, RiskCheck } from '#storage/postgres/risk/checkLimits'
import { findObstacle, nameOf } from './decide.ts'
import { readInputs } from './inputs.ts'
import type { RiskDeps } from './ports.ts'

export function createRiskChecks(deps: RiskDeps): RiskChecks {
  const checkOf: RiskChecks['checkOf'] = (subject, inputs): RiskCheck => ({
    order: subject,
    decide: (limits, use) => findObstacle(subject, inputs, limits, use),
  })
  return {
    checkOf,
    readInputs: (subject, limits) => readInputs(deps, subject, limits),
    async refuse(subject, breach) {
      const isHalted =
        breach.limit.on_breach === 'halt' && breach.would !== null && (await haltAccount(deps, subject, breach))
      return refusalOf(breach, isHalted)
    },
    async preview(subject) {
      const first = await deps.store.check(checkOf(subject, null))
      const obstacle =
        first?.kind === 'limits_unread'
          ? await deps.store.check(checkOf(subject, await readInputs(deps, subject, first.limits)))
          : first
      return obstacle?.kind === 'limit' ? obstacle.breach.words : null
    },
  }
}

/**
 * In a transaction of its own, after that of the order was rolled back. A process that dies in between halts nothing: the next breach does.
 */
async function haltAccount(
  { halt, clock, log }: RiskDeps,
  { accountId }: RiskSubject,
  { limit }: RiskBreach,
): Promise<boolean> {
  const { venue } = limit
  const reason = `exceeded: ${nameOf(limit)}`.slice(0, reasonMax)
  try {
    await halt({
      accountId,
      venue,
      setBy: 'operator',
      setByName: `risk limit ${limit.id}`,
      reason,
      at: new Date(clock.now()),
    })
  } catch (error) {
    log.error(
      { accountId, venue, limitId: limit.id, err: error },
      'a breached risk limit may not have halted its account',
    )
    return false
  }
  log.warn({ accountId, venue, limitId: limit.id }, 'a breached risk limit has halted its account')
  return true
}

const reasonMax = 300

/** A rate is a matter of time; everything else is like a spend cap. */
function refusalOf({ limit, words, retryAfterSeconds }: RiskBreach, isHalted: boolean): Fault {
  const halted = `trading of the account${limit.venue === null ? '' : ` at ${limit.venue}`} was halted; `
  const message = `${words}; ${isHalted ? halted : ''}nothing was sent`
  if (limit.kind !== 'orderRate') return new Fault('SPEND_CAP_EXCEEDED', message)
  return new Fault('RATE_LIMITED', message, {
    retryAfterSeconds: retryAfterSeconds ?? 60,
    ...(isHalted ? { retryable: false } : {}),
  })
}
