// Monitoring of this process: a separate port for it.
import { isIP } from 'node:net'
import { z } from 'zod'
import { family } from './envReaders.ts'

/** Undefined: only a gateway serves them, on its own port. */
export const operations = family(
  {
    /** `/metrics`, `/ready` and `/health` of this process, whatever its roles. */
    CROSSBOOK_OPERATIONS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
    CROSSBOOK_OPERATIONS_HOST: z
      .string()
      .refine((host) => isIP(host) !== 0, 'must be an address')
      .default('127.0.0.1'),
  },
  (value) =>
    value.CROSSBOOK_OPERATIONS_PORT === undefined
      ? undefined
      : { port: value.CROSSBOOK_OPERATIONS_PORT, host: value.CROSSBOOK_OPERATIONS_HOST },
)
