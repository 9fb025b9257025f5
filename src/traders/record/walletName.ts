const address = /^0x[0-9a-fA-F]{40}$/

/** Addresses are lower-cased, whatever their checksum; other names are the venue's own. */
export const walletName = (wallet: string): string => (address.test(wallet) ? wallet.toLowerCase() : wallet)
