// The funding bridge: brings money to where a venue's orders are paid. It creates and reads sessions; keys and funds never come here.
import { createBridgeSession } from './routes/createBridgeSession.ts'
import { getBridgeSession } from './routes/getBridgeSession.ts'
import { quoteBridge } from './routes/quoteBridge.ts'
import { reportBridgePayment } from './routes/reportBridgePayment.ts'

export { createGlideClient } from './glide/client.ts'
export { createGlide } from './glide/provider.ts'
export type { BridgeDeps, BridgeProvider, BridgeRouteDeps } from './ports.ts'

export const bridgeRoutes = [quoteBridge, createBridgeSession, reportBridgePayment, getBridgeSession] as const
