// The surface of executable arbitrage.
import { family, flag, whole } from './envReaders.ts'

export const arbitrage = family(
  {
    CROSSBOOK_ARBITRAGE: flag(true),
    /** Cadence of the surface's full passes; changed books do not wait for it. */
    CROSSBOOK_ARBITRAGE_INTERVAL_MS: whole(3_000, 100, 3_000),
    /** Books a compute process keeps in shared memory, about 1.1 KB each. */
    CROSSBOOK_ARBITRAGE_SLOTS: whole(20_000, 2, 200_000),
    /** Contracts bought on each side of every published row. */
    CROSSBOOK_ARBITRAGE_CONTRACTS: whole(100, 1, 100_000),
  },
  (value) => ({
    enabled: value.CROSSBOOK_ARBITRAGE,
    intervalMs: value.CROSSBOOK_ARBITRAGE_INTERVAL_MS,
    slots: value.CROSSBOOK_ARBITRAGE_SLOTS,
    contracts: value.CROSSBOOK_ARBITRAGE_CONTRACTS,
  }),
)
