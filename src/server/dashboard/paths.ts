/** Paths of the dashboard and the API reference, and their files. */
export const dashboardPath = '/ui'
export const docsPath = '/docs'
export const assetsPath = `${dashboardPath}/assets/`
