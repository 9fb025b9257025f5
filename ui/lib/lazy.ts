import { useEffect, useState } from 'preact/hooks'

/** A module that the first page does not need; null while it loads. */
export function useModule<M>(load: () => Promise<M>): M | null {
  const [module, setModule] = useState<{ loaded: M } | null>(null)
  // Always the same module
  useEffect(() => {
    void load().then((loaded) => setModule({ loaded }))
  }, [])
  return module?.loaded ?? null
}
