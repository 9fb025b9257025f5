#!/usr/bin/env node
// `npx crossbook`: checks the version of Node before it reads any TypeScript, which older versions cannot.
import './checkNode.mjs'

await import('./cli.ts')
