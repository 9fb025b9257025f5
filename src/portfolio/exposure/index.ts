// What an account's positions over several venues can pay together.
import { getExposure } from './routes/getExposure.ts'

export type { ExposureDeps, ExposureRouteDeps, FoundRelations, MarketFacts, MarketName } from './ports.ts'
export const exposureRoutes = [getExposure]
