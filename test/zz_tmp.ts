import { findRunningEmbedded } from '#storage/postgres/embedded'
import { storeMatches } from '#test/support/cluster/storeMatches'
console.log(await storeMatches((await findRunningEmbedded(process.argv[2]!))!))
