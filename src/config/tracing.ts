// Where traces are sent, and for what share of requests.
import { z } from 'zod'
import { family, webUrl } from './envReaders.ts'

const headerPair = /^[A-Za-z0-9-]{1,64}=[\x21-\x7e]{1,1024}$/

/** Undefined: tracing is off. */
export const tracing = family(
  {
    /** Of a collector, OTLP over HTTP with its path: http://127.0.0.1:4318/v1/traces */
    CROSSBOOK_TRACES_URL: webUrl.optional(),
    /** Share of all requests; the same trace id gets the same decision everywhere. */
    CROSSBOOK_TRACES_RATIO: z.coerce.number().min(0).max(1).default(0.1),
    /** Sent to the collector: a comma-separated list of name=value. */
    CROSSBOOK_TRACES_HEADERS: z
      .string()
      .default('')
      .transform((text) => text.split(',').filter((pair) => pair !== ''))
      .refine((pairs) => pairs.every((pair) => headerPair.test(pair)), 'must be a comma list of name=value'),
  },
  (value) =>
    value.CROSSBOOK_TRACES_URL === undefined
      ? undefined
      : {
          url: value.CROSSBOOK_TRACES_URL,
          ratio: value.CROSSBOOK_TRACES_RATIO,
          headers: Object.fromEntries(
            value.CROSSBOOK_TRACES_HEADERS.map((pair) => {
              const at = pair.indexOf('=')
              return [pair.slice(0, at), pair.slice(at + 1)]
            }),
          ),
        },
)
