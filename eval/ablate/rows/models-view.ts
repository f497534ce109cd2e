import type { Role, ServiceOf } from '../../../src/app/models/families.ts'
import type { Models } from '../../../src/app/models/models.ts'
import type { ChatModel } from '../../../src/core/chat.ts'
import type { TextReader, Transcriber } from '../../../src/core/services.ts'
import type { Named } from '../../../src/core/tool.ts'
import { faultyReader, faultyTranscriber } from '../faults/service-faults.ts'
import type { Fault } from '../matrix/fault.ts'
import type { SharedCalls } from '../study/shared-calls.ts'

const chatRoles: readonly Role[] = ['planner', 'writer', 'verifier', 'vision']

// Chat models behind the calls that the rows share; what hears and reads behind its faults.
export function modelsOf(inner: Models, calls: SharedCalls, faults: readonly Fault[], seed: number): Models {
  const fault = (target: Fault['target']) => faults.find(one => one.target === target && one.amount > 0)
  const wrap = async (role: Role, { by, service }: { by: string; service: unknown }) => {
    if (chatRoles.includes(role))
      return { by, service: calls.chat(role, service as ChatModel, await inner.chosen(role)) }
    const heard = role === 'transcribe' || role === 'retranscribe' ? fault('asr') : undefined
    const read = role === 'readText' ? fault('ocr') : undefined
    if (heard) return { by, service: faultyTranscriber(service as Transcriber, heard, seed) }
    if (read) return { by, service: faultyReader(service as TextReader, read, seed) }
    return { by, service }
  }
  return viewOf(inner, wrap as unknown as WrapService)
}

type WrapService = <R extends Role>(
  role: R,
  found: Named<ServiceOf<R>>,
) => Promise<Named<ServiceOf<R>>> | Named<ServiceOf<R>>

// The models of a run as one question sees them: what is opened is put behind something else. Closing is left to the run.
function viewOf(inner: Models, wrap: WrapService): Models {
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
