import type { Role, ServiceOf } from '../../../src/app/models/families.ts'
import type { Models } from '../../../src/app/models/models.ts'
import type { Named } from '../../../src/core/tool.ts'

export type WrapService = <R extends Role>(
  role: R,
  found: Named<ServiceOf<R>>,
) => Promise<Named<ServiceOf<R>>> | Named<ServiceOf<R>>

// The models of a run as one question sees them: what is opened is put behind something else. Closing is left to the run.
export function viewOf(inner: Models, wrap: WrapService): Models {
  const open = async <R extends Role>(role: R) => wrap(role, await inner.open(role))
  const own: Partial<Record<string | symbol, unknown>> = { open, close: async () => {} }
  return new Proxy(inner, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name]
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
