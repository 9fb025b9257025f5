// Whether an answer is the venue's, or comes from what stands in front of it: a region block, or a bot challenge.
import type { HttpResponse } from '#net/http'

const challenge =
  /just a moment|attention required|challenge-platform|cf-chl|captcha|verify (?:that )?you are (?:a )?human|error 10(?:10|15|20)|access denied.*user-agent/is
const region =
  /not available in your (?:country|region|jurisdiction|location|state)|(?:restricted|blocked|unsupported) (?:country|region|jurisdiction|location)|geo-?(?:block|fenc|restrict)|error 1009|unavailable for legal reasons/is

/** What refused the request, for readers; null when it looks like the venue's own answer. */
export function blockIn({ status, headers, body }: Pick<HttpResponse, 'status' | 'headers' | 'body'>): string | null {
  if (status < 400) return null
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '')
  if (status === 451 || region.test(text)) return `refuses this location (status ${status})`
  const isMitigated = headers['cf-mitigated'] !== undefined
  if (isMitigated || (challenge.test(text) && [403, 429, 503].includes(status)))
    return `takes this program for a bot (status ${status})`
  return null
}
