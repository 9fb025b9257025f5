/** Where the dashboard is served, and what it is made of. */
export const dashboardPath = '/ui'
export const assetsPath = `${dashboardPath}/assets/`
