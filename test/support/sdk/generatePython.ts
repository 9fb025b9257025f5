// `npm run sdk:python`: writes the generated part of sdk/python from the current contract.
import { generate, sdkPython } from './python.ts'

const { python, reason } = await sdkPython('codegen')
if (python === null) throw new Error(reason)
await generate(python)
