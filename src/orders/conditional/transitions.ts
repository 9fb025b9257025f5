// The state machine of conditional orders as a table. The store writes a status only along these rows.
//
//   armed ─trigger─► triggered ─claimFiring─► firing ─fire─► fired
//     │▲               │   └─report─► fired | fire_failed    └─► fire_failed
//     │└── rearm, from triggered and firing: nothing was sent, and it is watched again
//     └── cancel, expire, supersede lead out of armed and triggered
import type { ConditionalStatus } from '#schemas/conditional'
import type { ConditionalSteps, Step } from '#storage/postgres/conditional/transitions'

export const conditionalSteps = {
  trigger: { from: ['armed'], to: 'triggered', actor: 'trigger_engine' },
  claimFiring: { from: ['triggered'], to: 'firing', actor: 'exec_fire' },
  /** Hosted, and nothing was sent: a halt, evidence too old, or nothing is fired from here. It has to qualify again. */
  rearm: { from: ['triggered', 'firing'], to: 'armed', actor: 'exec_fire' },
  fire: { from: ['firing'], to: 'fired', actor: 'exec_fire' },
  failFire: { from: ['firing'], to: 'fire_failed', actor: 'exec_fire' },
  /** Client mode: the caller reports the outcome; an order the venue accepted counts even after it expired here. */
  reportFired: { from: ['triggered', 'expired'], to: 'fired', actor: 'api' },
  reportNotSubmitted: { from: ['triggered'], to: 'fire_failed', actor: 'api' },
  cancel: { from: ['armed', 'triggered'], to: 'canceled', actor: 'api' },
  expire: { from: ['armed', 'triggered'], to: 'expired', actor: 'expiry' },
  /** Client mode: the venue has the order, and its caller never reported it. */
  expireFired: { from: ['triggered'], to: 'fired', actor: 'expiry' },
  /** The same execution was armed again. */
  replace: { from: ['armed'], to: 'superseded', actor: 'api' },
  /** Another order of its group fired. */
  loseToFire: { from: ['armed', 'triggered'], to: 'superseded', actor: 'exec_fire' },
  /**
   * Its owner reported another order of the group as fired while this one was `firing`; the venue may have taken it
   * too.
   */
  loseWhileFiring: { from: ['firing'], to: 'superseded', actor: 'exec_fire' },
  loseToReport: { from: ['armed', 'triggered'], to: 'superseded', actor: 'api' },
  loseToExpiry: { from: ['armed', 'triggered'], to: 'superseded', actor: 'expiry' },
} as const satisfies ConditionalSteps

const steps: readonly Step[] = Object.values(conditionalSteps)

export const isTransition = (from: ConditionalStatus, to: ConditionalStatus): boolean =>
  steps.some((step) => step.from.includes(from) && step.to === to)
