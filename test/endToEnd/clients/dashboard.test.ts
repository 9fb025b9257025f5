// The pages that the program serves, and the TypeScript client, in a real browser, against a demo started as the README says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { describeBrowserClient } from '../browserClient.ts'
import { describeDashboard } from '../dashboard.ts'
import { describeDashboardLive } from '../dashboardLive.ts'
import { describeDashboardOrders } from '../dashboardOrders.ts'
import { describeDashboardPages } from '../dashboardPages.ts'
import { describeDashboardPaper } from '../dashboardPaper.ts'
import { describeDashboardPortfolio } from '../dashboardPortfolio.ts'
import { blocksIn, type PrintedDemo, root, startPrintedDemo } from '../printedDemo.ts'
import { describeReference } from '../reference.ts'
import { takeBlock } from '../tour.ts'

let demo: PrintedDemo
beforeAll(async () => {
  demo = await startPrintedDemo()
  // An order with its fill and its webhook, so that there is something to see.
  await takeBlock(demo, blocksIn(readFileSync(join(root, 'docs/quick-start-trading.md'), 'utf8'))[0]!)
}, 180_000)
afterAll(() => demo.stop(), 30_000)

const address = (): { url: string; apiKey: string; labControl: string } =>
  JSON.parse(readFileSync(join(demo.dataDir, 'runtime.json'), 'utf8'))

describeDashboard(address)
describeDashboardPages(address)
describeDashboardOrders(address)
describeDashboardPortfolio(address)
describeDashboardPaper(address, (script) => demo.shell(script))
describeDashboardLive(address)
describeReference(address)
describeBrowserClient(() => ({ ...address(), origin: demo.pageOrigin }))
