// The tree of actors and what a crash in each branch does.
//
//   crossbook
//   ├── ingest <venue>    one per venue    crash: logged, sockets closed, books stale, starts again
//   ├── catalog <venue>   one per venue    crash: logged, starts again with a whole walk
//   ├── firing            one               crash: logged, looks again; orders under way end by themselves
//   ├── venue metrics <venue>  one per venue  crash: logged, looks again
//   ├── webhooks          one               crash: logged, looks again; what was under way ends by itself
//   ├── traders           one               crash: logged, rolls up again from what is written down
//   ├── sports            one               crash: logged, starts again with a pass; the thread keeps what it was told
//   └── arbitrage         not yet started  crash: logged, rows withheld until a first full pass
//
// A crash never reaches a sibling: one venue's bug is that venue's silence. Per-socket work is not in the tree; it lives in the hub.
import { type ActorSystemRef, nact } from '#actors/runtime/nact'

export type { ActorSystemRef }

export const start = (): ActorSystemRef => nact.start()
export const stop = (system: ActorSystemRef): void => nact.stop(system)
