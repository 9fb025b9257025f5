// Copies the pages to where the site's own packages are found.
import { fileURLToPath } from 'node:url'
import { stage } from './staging.ts'

stage(fileURLToPath(new URL('../..', import.meta.url)), fileURLToPath(new URL('.pages', import.meta.url)))
