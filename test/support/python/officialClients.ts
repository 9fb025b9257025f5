// The venues' Python clients, each with all its dependencies, pinned to one version.

/** MIT. */
export const limitlessSdk = `
  aiohappyeyeballs==2.7.1 aiohttp==3.14.5 aiosignal==1.4.0 annotated-types==0.8.0 attrs==26.1.0 bidict==0.24.1 bitarray==3.12.3
  ckzg==2.1.8 cytoolz==1.2.0 eth-account==0.14.0 eth-hash==0.8.0 eth-keyfile==0.10.0 eth-keys==0.8.0 eth-rlp==3.0.0
  eth-typing==6.0.0 eth-utils==6.0.0 eth_abi==6.0.0 frozenlist==1.8.0 h11==0.16.0 hexbytes==2.0.0 idna==3.20
  limitless-sdk==1.3.0 multidict==7.2.1 parsimonious==0.10.0 propcache==0.5.4 py-ecc==8.0.0 pycryptodome==3.24.1
  pydantic==2.14.4 pydantic_core==2.50.5 python-dotenv==1.2.4 python-engineio==4.15.1 python-socketio==5.18.1
  regex==2026.11.19 rlp==5.0.0 simple-websocket==1.1.0 toolz==1.2.0 typing-inspection==0.4.5 typing_extensions==4.16.0
  wsproto==1.3.2 yarl==1.25.1
`
  .trim()
  .split(/\s+/)

/** MIT. */
export const polymarketUs = `
  PyNaCl==1.6.2 anyio==4.16.0 certifi==2026.10.19.post1 cffi==2.1.1 h11==0.16.0 httpcore==1.0.9 httpx==0.28.1 idna==3.20
  polymarket-us==2.4.1 pycparser==3.12 typing_extensions==4.16.0 websockets==17.4
`
  .trim()
  .split(/\s+/)

/** MIT. */
export const opinionClobSdk = `
  Pygments==2.21.0 aiohappyeyeballs==2.7.1 aiohttp==3.14.5 aiosignal==1.4.0 annotated-types==0.8.0 attrs==26.1.0 bitarray==3.12.3
  certifi==2026.10.19.post1 charset-normalizer==3.5.3 ckzg==2.1.8 cytoolz==1.2.0 eth-account==0.14.0 eth-hash==0.8.0
  eth-keyfile==0.10.0 eth-keys==0.8.0 eth-rlp==3.0.0 eth-typing==6.0.0 eth-utils==6.0.0 eth_abi==6.0.0 frozenlist==1.8.0
  hexbytes==2.0.0 idna==3.20 iniconfig==2.3.1 multidict==7.2.1 opinion-api==0.4.0 opinion_clob_sdk==0.7.0 packaging==26.4
  parsimonious==0.10.0 pluggy==1.7.0 poly_eip712_structs==0.0.1 propcache==0.5.4 py-ecc==8.0.0 pycryptodome==3.24.1
  pydantic==2.14.4 pydantic_core==2.50.5 pytest==9.2.0 python-dateutil==4.0.0 pyunormalize==18.0.0 regex==2026.11.19
  requests==2.34.2 rlp==5.0.0 six==1.17.0 toolz==1.2.0 typing-inspection==0.4.5 typing_extensions==4.16.0 tzdata==2026.6
  urllib3==2.8.0 web3==8.0.0 websocket-client==1.9.2 websockets==17.4 yarl==1.25.1
`
  .trim()
  .split(/\s+/)

/** MIT. */
export const pyClobClient = `
  annotated-types==0.8.0 anyio==4.16.0 bitarray==3.12.3 certifi==2026.10.19.post1 ckzg==2.1.8 cytoolz==1.2.0
  eth-account==0.14.0 eth-hash==0.8.0 eth-keyfile==0.10.0 eth-keys==0.8.0 eth-rlp==3.0.0 eth-typing==6.0.0 eth-utils==6.0.0
  eth_abi==6.0.0 h11==0.16.0 h2==4.4.1 hexbytes==2.0.0 hpack==4.2.0 httpcore==1.0.9 httpx==0.28.1 hyperframe==6.1.0 idna==3.20
  iniconfig==2.3.1 packaging==26.4 parsimonious==0.10.0 pluggy==1.7.0 poly_eip712_structs==0.0.1 py-ecc==8.0.0
  py_clob_client_v2==1.2.1 py_order_utils==0.3.2 pycryptodome==3.24.1 pydantic==2.14.4 pydantic_core==2.50.5 Pygments==2.21.0
  pytest==9.2.0 regex==2026.11.19 rlp==5.0.0 toolz==1.2.0 typing-inspection==0.4.5 typing_extensions==4.16.0
`
  .trim()
  .split(/\s+/)
