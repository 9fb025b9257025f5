// Tokens by their CAIP-19 names. Addresses are hexadecimal on every chain known here, normalized to lower case.
export const caip19 = ({ chain, token }: { chain: string; token: string }): string =>
  `${chain}/erc20:${token.toLowerCase()}`
