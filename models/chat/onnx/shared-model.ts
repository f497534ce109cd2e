import type { Host, RanOn } from '../../../src/core/backend.ts'
import type { OpenModel } from '../../onnx/card/card.ts'
import { type LazyModel, lazyModel } from '../../onnx/card/lazy-model.ts'
import type { Device } from '../../onnx/device.ts'
import type { Opened } from '../../onnx/messages.ts'
import { openOnDevice, reportDevice } from '../../onnx/report-device.ts'
import { Thread } from '../../onnx/thread.ts'
import type { OnnxChatJob, OpenChat } from './messages.ts'

// A chat model of this machine as one role uses it.
interface SharedModel {
  // One reply at a time, whoever asks.
  use<Result>(work: (thread: ChatThread) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export interface ChatThread extends OpenModel, Pick<Thread<OnnxChatJob>, 'ask'> {}

type Opening = Omit<OpenChat, 'kind' | 'providers'> & { device: Device }

interface OpenModelEntry {
  thread: LazyModel<ChatThread>
  turn: Promise<unknown>
  users: Set<Host>
  ran?: RanOn
}

const openModels = new Map<string, OpenModelEntry>()

// Gigabytes are held once: every role, whatever its other settings, uses the one thread of the same files on the same
// device. It ends with its last user.
export function sharedModel(id: string, files: readonly string[], opening: Opening, host: Host): SharedModel {
  const key = JSON.stringify(opening)
  const model = openModels.get(key) ?? hold(id, files, opening, host)
  openModels.set(key, model)
  const user = { ...host }
  model.users.add(user)
  if (model.ran) host.ran?.(model.ran)
  return {
    use: work => {
      const result = model.turn.then(() => model.thread.use(work))
      model.turn = result.catch(() => {})
      return result
    },
    async close() {
      model.users.delete(user)
      if (model.users.size > 0) return
      if (openModels.get(key) === model) openModels.delete(key)
      await model.thread.close()
    },
  }
}

function hold(id: string, files: readonly string[], opening: Opening, host: Host): OpenModelEntry {
  const modelRequest = { name: id, files, device: opening.device, host }
  const model: OpenModelEntry = {
    thread: lazyModel(modelRequest, device => openThread(id, { ...opening, device }, model)),
    turn: Promise.resolve(),
    users: new Set(),
  }
  return model
}

async function openThread(id: string, { device, ...opening }: Opening, model: OpenModelEntry): Promise<ChatThread> {
  const [host] = model.users
  if (!host) throw new Error(`${id} is closed`)
  const thread = new Thread<OnnxChatJob>('./chat-worker', import.meta.url, id)
  const opened = await openOnDevice<OnnxChatJob, Opened>(
    thread,
    id,
    device,
    providers => ({ kind: 'open', providers, ...opening }),
    host,
  )
  const ran = (report: RanOn) => {
    model.ran = report
    for (const user of model.users) user.ran?.(report)
  }
  reportDevice(id, { device, threads: opening.threads, precision: precisionText(opening.precision) }, opened, {
    ...host,
    ran,
  })
  return {
    provider: opened.provider,
    refused: opened.refused,
    ask: (job, signal, told) => thread.ask(job, signal, told),
    ended: () => thread.ended(),
    close: () => thread.close(),
  }
}

// "fp16"; "decoder_model_merged q8".
function precisionText(precision: Opening['precision']): string {
  const parts = Object.entries(precision)
  const [first = 'fp32', ...others] = new Set(parts.map(([, value]) => value))
  return others.length === 0 && parts.length !== 1 ? first : parts.map(part => part.join(' ')).join(', ')
}
