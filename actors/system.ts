// The actor tree of a process, and what a crash in each branch does.
//
// crossbook                       the process
// ├── ingest                      role
// │   └── ingest venue <venue>    one per lease: ingest <venue>, chain tape <venue>
// ├── jobs                        role: matcher, reconciler, webhooks, sports
// │   └── jobs venue <venue>      catalog <venue>, venue metrics <venue>
// ├── traders                     part of the jobs role: traders
// ├── compute                     role: arbitrage
// └── conditional orders          part of the compute role: firing, triggers
//
// An actor that crashes releases what it holds (an ingest closes its sockets and marks its books stale) and starts again: at once, then after
// 0.1 s, 0.2 s and so on, up to 30 s. Messages that arrive meanwhile wait, at most 10,000. An actor of a venue that crashes five times within
// five minutes has all actors of that venue in this branch restarted, with the same delays. A role and the process restart only the child that
// failed, so a crash never reaches a sibling: one venue's bug silences only that venue.
//
// Sockets, polls, jobs and deliveries are not actors: each belongs to the actor that opened it, which receives what comes from it in batches.
// Subscribers' sockets live in the stream hub.
import { Supervisor } from '#actors/runtime/supervisor'
import type { Clock } from '#core/clock'
import type { Log } from '#core/log'

export type { Supervisor }

export const venueCrashesMax = 5

/** `onRestart`: for every restart of an actor, with its name. */
export const start = (onRestart?: (actor: string) => void): Supervisor =>
  Supervisor.start({ name: 'crossbook', escalateAfter: null, onRestart })

export const stop = (system: Supervisor): void => system.stop()

/** The actors of one role. */
export const superviseRole = (
  system: Supervisor,
  role: string,
  { clock, log }: { clock: Clock; log: Log },
): Supervisor => system.supervisor(role, { clock, log, escalateAfter: null })

/** The actors of one venue within a role. */
export const superviseVenue = (
  role: Supervisor,
  venue: string,
  { clock, log }: { clock: Clock; log: Log },
): Supervisor => role.supervisor(`${role.name} venue ${venue}`, { clock, log, escalateAfter: venueCrashesMax })
