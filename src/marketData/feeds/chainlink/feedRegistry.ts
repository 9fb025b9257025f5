// Chainlink's standard price feeds by chain: addresses of their proxies, which stay the same while the aggregators behind them change. From
// bgd-labs/aave-address-book (f61c9762, 2026-05-01), which is generated from Chainlink's own directory; those of Ethereum and Arbitrum for
// BTC and ETH are also in Chainlink's documentation. Proxies named SVR are different, and not here. A proxy is verified by its own
// `description`.
import type { ChainName } from '#schemas/feeds'

export interface ChainlinkChain {
  chainId: number
  proxies: Readonly<Record<string, `0x${string}`>>
  /** Reports whether the chain's sequencer is up, if it has one. https://docs.chain.link/data-feeds/l2-sequencer-feeds */
  sequencer: `0x${string}` | null
}

export const chainlinkChains: Readonly<Record<ChainName, ChainlinkChain>> = {
  ethereum: {
    chainId: 1,
    sequencer: null,
    proxies: {
      'BTC/USD': '0xF4030086522a5bEEa4988F8cA5B36dbC97BeE88c',
      'ETH/USD': '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
      'SOL/USD': '0x4ffC43a60e009B551865A93d232E33Fce9f01507',
      'LINK/USD': '0x2c1d072e956AFFC0D435Cb7AC38EF18d24d9127c',
      'BNB/USD': '0x14e613AC84a31f709eadbdF89C6CC390fDc9540A',
      'USDC/USD': '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6',
      'EUR/USD': '0xb49f677943BC038e9857d61E7d053CaA2C1734C1',
      'XAU/USD': '0x214eD9Da11D2fbe465a6fc601a91E62EbEc1a0D6',
    },
  },
  arbitrum: {
    chainId: 42_161,
    sequencer: '0xFdB631F5EE196F0ed6FAa767959853A9F217697D',
    proxies: {
      'BTC/USD': '0x6ce185860a4963106506C203335A2910413708e9',
      'ETH/USD': '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612',
      'SOL/USD': '0x24ceA4b8ce57cdA5058b924B9B9987992450590c',
      'LINK/USD': '0x86E53CF1B870786351Da77A57575e79CB55812CB',
      'BNB/USD': '0x6970460aabF80C5BE983C6b74e5D06dEDCA95D4A',
      'XRP/USD': '0xB4AD57B52aB9141de9926a3e0C8dc6264c2ef205',
      'DOGE/USD': '0x9A7FB1b3950837a8D9b40517626E11D4127C098C',
      'USDC/USD': '0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3',
      'EUR/USD': '0xA14d53bC1F1c0F31B4aA3BD109344E5009051a84',
      'XAU/USD': '0x1F954Dc24a49708C26E0C1777f16750B5C6d5a2c',
      'HYPE/USD': '0xf9ce4fE2F0EcE0362cb416844AE179a49591D567',
    },
  },
  base: {
    chainId: 8_453,
    sequencer: '0xBCF85224fc0756B9Fa45aA7892530B47e10b6433',
    proxies: {
      'BTC/USD': '0x64c911996D3c6aC71f9b455B1E8E7266BcbD848F',
      'ETH/USD': '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70',
      'SOL/USD': '0x975043adBb80fc32276CbF9Bbcfd4A601a12462D',
      'LINK/USD': '0x17CAb8FE31E32f08326e5E27412894e49B0f9D65',
      'BNB/USD': '0x4b7836916781CAAfbb7Bd1E5FDd20ED544B453b1',
      'XRP/USD': '0x9f0C1dD78C4CBdF5b9cf923a549A201EdC676D34',
      'DOGE/USD': '0x8422f3d3CAFf15Ca682939310d6A5e619AE08e57',
      'USDC/USD': '0x7e860098F58bBFC8648a4311b374B1D669a2bc6B',
      'EUR/USD': '0xc91D87E81faB8f93699ECf7Ee9B44D11e1D53F0F',
      'XAU/USD': '0x5213eBB69743b85644dbB6E25cdF994aFBb8cF31',
    },
  },
  polygon: {
    chainId: 137,
    sequencer: null,
    proxies: {
      'BTC/USD': '0xc907E116054Ad103354f2D350FD2514433D57F6f',
      'ETH/USD': '0xF9680D99D6C9589e2a93a78A04A279e509205945',
      'SOL/USD': '0x10C8264C0935b3B9870013e057f330Ff3e9C56dC',
      'LINK/USD': '0xd9FFdb71EbE7496cC440152d43986Aae0AB76665',
      'BNB/USD': '0x82a6c4AF830caa6c97bb504425f6A66165C2c26e',
      'XRP/USD': '0x785ba89291f676b5386652eB12b30cF361020694',
      'DOGE/USD': '0xbaf9327b6564454F4a3364C33eFeEf032b4b4444',
      'USDC/USD': '0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7',
      'EUR/USD': '0x73366Fe0AA0Ded304479862808e02506FE556a98',
      'XAU/USD': '0x0C466540B2ee1a31b441671eac0ca886e051E410',
    },
  },
  bnb: {
    chainId: 56,
    sequencer: null,
    proxies: {
      'BTC/USD': '0x264990fbd0A4796A3E3d8E37C4d5F87a3aCa5Ebf',
      'ETH/USD': '0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2e',
      'SOL/USD': '0x0E8a53DD9c13589df6382F13dA6B3Ec8F919B323',
      'LINK/USD': '0xca236E327F629f9Fc2c30A4E95775EbF0B89fac8',
      'BNB/USD': '0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE',
      'XRP/USD': '0x93A67D414896A280bF8FFB3b389fE3686E014fda',
      'DOGE/USD': '0x3AB0A0d137D4F946fBB19eecc6e92E64660231C8',
      'USDC/USD': '0x51597f405303C4377E36123cBc172b13269EA163',
      'EUR/USD': '0x0bf79F617988C472DcA68ff41eFe1338955b9A80',
      'XAU/USD': '0x86896fEB19D8A607c3b11f2aF50A0f239Bd71CD0',
    },
  },
}
