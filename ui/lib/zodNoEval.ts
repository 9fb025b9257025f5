// Imported before every module that builds schemas: the page's policy allows no code made at run time, and schemas try it once when they are built.
import { config } from 'zod'

config({ jitless: true })
