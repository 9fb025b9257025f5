// Runs hftbacktest's queue models on exported tapes: queueModels.py in a Python environment of its own.
import { fileURLToPath } from 'node:url'
import { pythonAt, pythonVenv } from '#test/support/python/venv'
import type { Outcome } from './tape.ts'

const script = fileURLToPath(new URL('queueModels.py', import.meta.url))
const timeoutMs = 1_800_000

/** The package, and all that it imports. */
const requirements =
  `hftbacktest==2.4.4 bokeh==3.9.2 certifi==2026.10.19.post1 charset-normalizer==3.5.3 colorcet==3.2.1 contourpy==1.3.3
  cycler==0.12.1 fonttools==4.68.0 holoviews==1.23.2 idna==3.20 Jinja2==3.1.6 kiwisolver==1.5.1 linkify-it-py==2.2.0 llvmlite==0.50.0
  Markdown==3.11.3 markdown-it-py==4.3.0 MarkupSafe==3.0.4 matplotlib==3.11.2 mdit-py-plugins==0.7.0 mdurl==0.1.2 narwhals==2.29.0
  nh3==0.3.8 numba==0.68.1 numpy==2.2.6 packaging==26.4 pandas==3.1.1 panel==1.9.4 panel-material-ui==0.16.6 param==2.4.2
  pillow==13.0.0 polars==2.1.0 polars-runtime-32==2.1.0 pyparsing==3.3.3 python-dateutil==4.0.0 pyviz_comms==3.0.6 PyYAML==6.0.4
  requests==2.34.2 tornado==6.6.1 tqdm==4.70.1 typing_extensions==4.16.0 tzdata==2026.6 urllib3==2.8.0 xyzservices==2026.9.1`.split(
    /\s+/,
  )

interface ModelRun {
  tape: string
  model: string
  /** By order id; orders that did not fill are left out. */
  outcomes: Map<string, Outcome>
}

/** `interpreter`: of a Python that has the package; otherwise an environment with it is made. A text instead: why it cannot run. */
export async function runQueueModels(folder: string, interpreter: string | null): Promise<ModelRun[] | string> {
  const found = interpreter === null ? await pythonVenv(requirements) : { python: pythonAt(interpreter), reason: null }
  if (found.python === null) return found.reason
  const output = await found.python.run([script, folder], { timeoutMs })
  return output
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { tape, model, outcomes } = JSON.parse(line) as {
        tape: string
        model: string
        outcomes: Record<string, [contracts: number, ns: number, price: number]>
      }
      const entries = Object.entries(outcomes).map(([id, [contracts, ns, price]]): [string, Outcome] => [
        id,
        {
          filled: Math.round(contracts * 1_000_000),
          filledAt: Math.floor(ns / 1_000_000),
          price: Math.round(price * 1_000_000),
        },
      ])
      return { tape, model, outcomes: new Map(entries) }
    })
}
