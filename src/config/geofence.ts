// Callers' locations, as reported by a trusted edge, and blocked countries.
import { z } from 'zod'
import { countries, family, words } from './envReaders.ts'

/** Undefined: no header is trusted for a caller's location. */
export const geofence = family(
  {
    /** Header in which a trusted edge names the caller's country; trusted only from CROSSBOOK_TRUSTED_PROXIES. */
    CROSSBOOK_COUNTRY_HEADER: z
      .string()
      .regex(/^[A-Za-z0-9-]{1,64}$/, 'is not a header name')
      .transform((name) => name.toLowerCase())
      .optional(),
    CROSSBOOK_TRUSTED_PROXIES: words(/^[0-9A-Fa-f:.]{2,45}(\/\d{1,3})?$/, 'must be addresses or CIDR ranges'),
    CROSSBOOK_BLOCKED_COUNTRIES: countries,
  },
  (value) =>
    value.CROSSBOOK_COUNTRY_HEADER === undefined
      ? undefined
      : {
          countryHeader: value.CROSSBOOK_COUNTRY_HEADER,
          trustedProxies: value.CROSSBOOK_TRUSTED_PROXIES,
          blockedCountries: value.CROSSBOOK_BLOCKED_COUNTRIES,
        },
)
