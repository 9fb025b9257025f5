// Imported before every module that builds schemas: the page's policy forbids code generated at run time, and zod tries it once when it
// builds a schema.
import { config } from 'zod'

config({ jitless: true })
