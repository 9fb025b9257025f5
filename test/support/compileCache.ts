/** For Node processes that a test starts with an environment of their own: they too use the compile cache of the run (globalSetup.ts). */
export const compileCache = (): Readonly<Record<string, string>> => {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}
