/** Whether an address that a venue sent leads to a page, and not to a script or a file. */
export function isWebAddress(address: string): boolean {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || protocol === 'http:'
}
