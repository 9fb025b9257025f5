// Whether a response is the venue's, or comes from something in front of it: a region block, or a bot challenge.
import type { HttpResponse } from '#net/http'

const challenge =
  /just a moment|attention required|challenge-platform|cf-chl|captcha|verify (?:that )?you are (?:a )?human|error(?: code)?:? ?10(?:0[5678]|10|12|15|20)\b|access denied.*user-agent/is
const region =
  /(?:not available|unavailable|not (?:allowed|permitted|supported)|restricted|prohibited|access) (?:in|from|to) (?:your|this) (?:country|region|jurisdiction|location)|not available in your state|banned the country|(?:restricted|blocked|unsupported) (?:country|region|jurisdiction|location)|geo-?(?:block|fenc|restrict)|error(?: code)?:? ?1009\b|unavailable for legal reasons/is

/** Such pages state the reason near their beginning. */
const lettersRead = 20_000

/**
 * What rejected the request, for readers; null when it looks like the venue's own response. `body`: parsed JSON, or the text of a body that
 * is not JSON.
 */
export function blockIn({ status, headers, body }: Pick<HttpResponse, 'status' | 'headers' | 'body'>): string | null {
  // A page instead of JSON is not the venue's, whatever its status.
  if (status < 400 && typeof body !== 'string') return null
  const text = plainText(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))
  if (status === 451 || region.test(text)) return `refuses this location (status ${status})`
  const isMitigated = headers['cf-mitigated'] !== undefined
  if (isMitigated || (challenge.test(text) && (status < 400 || [403, 429, 503].includes(status))))
    return `takes this program for a bot (status ${status})`
  return null
}

/** The attributes of tags are of interest too: some name the challenge. `Error</span> <span>1020` is `Error 1020`. */
function plainText(body: string): string {
  const html = body.slice(0, lettersRead)
  return `${html.replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ')} ${html}`
}
