// The actor tree, and what a crash in each branch does.
//
// crossbook
// ├── ingest <venue>    one per venue    crash: logged, sockets closed, books stale, starts again
// ├── catalog <venue>   one per venue    crash: logged, starts again with a full walk
// ├── firing            one               crash: logged, polls again; orders in progress end by themselves
// ├── venue metrics <venue>  one per venue  crash: logged, checks again
// ├── webhooks          one               crash: logged, polls again; attempts in progress end by themselves
// ├── traders           one               crash: logged, rolls up again from what is stored
// ├── sports            one               crash: logged, starts again with a pass; the thread keeps its state
// └── arbitrage         one               crash: logged, rows withheld until a first full pass
//
// A crash never reaches a sibling: one venue's bug silences only that venue. Per-socket work is not in the tree; it lives in the
// hub.
import { type ActorSystemRef, nact } from '#actors/runtime/nact'

export type { ActorSystemRef }

export const start = (): ActorSystemRef => nact.start()
export const stop = (system: ActorSystemRef): void => nact.stop(system)
