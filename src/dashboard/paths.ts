/** Where the dashboard and the API reference are served, and what they are made of. */
export const dashboardPath = '/ui'
export const docsPath = '/docs'
export const assetsPath = `${dashboardPath}/assets/`
