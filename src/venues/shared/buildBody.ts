// Rejections common to all build bodies: unknown keys, and above all keys that look like a credential. Messages contain names, never
// values.
const credentialName = /key|secret|token|password|passphrase|pem|private|signature|auth|mnemonic|seed/i

/** For `z.strictObject(shape, { error: credentialAtBuild })`. */
export function credentialAtBuild(issue: { code?: string; keys?: unknown }): string | undefined {
  if (issue.code !== 'unrecognized_keys' || !Array.isArray(issue.keys)) return undefined
  const names = issue.keys.map((name) => String(name).slice(0, 40))
  const credentials = names.filter((name) => credentialName.test(name))
  if (credentials.length > 0) {
    return `${credentials.join(', ')}: build never takes credentials; they belong to submit and refresh`
  }
  return `unknown: ${names.slice(0, 10).join(', ')}`
}
