// Paper accounts, and the exchange that matches their orders.
import { z } from 'zod'
import { fillModelDefaults } from '#schemas/paper'
import { family, flag, whole } from './envReaders.ts'

const decimal = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a plain decimal number, with at most six decimals')

export const paper = family(
  {
    /** Whether the compute role runs the paper exchange. */
    CROSSBOOK_PAPER: flag(true),
    /** Cash of a paper account at each venue, in each currency of its markets, at the start and after a reset. */
    CROSSBOOK_PAPER_CASH: decimal.default('10000'),
    /** Median of the simulated latency of an order, which is log-normal, milliseconds. */
    CROSSBOOK_PAPER_LATENCY_MS: whole(fillModelDefaults.latencyMedianMs, 0, 60_000),
  },
  (value) => ({
    enabled: value.CROSSBOOK_PAPER,
    startCash: value.CROSSBOOK_PAPER_CASH,
    latencyMedianMs: value.CROSSBOOK_PAPER_LATENCY_MS,
  }),
)
