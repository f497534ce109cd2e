import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Backend } from '../../src/core/backend.ts'
import { type ChatModel, type ChatRequest, Modality } from '../../src/core/chat.ts'
import { absentAs, UsageError } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import { CallRecord, callCount, collectReplies, type RecordedReplies } from '../../src/core/run/call-record.ts'

const Settings = z.strictObject({
  folder: z.string().describe('the folder "calls" of a recorded run'),
})
type Settings = z.infer<typeof Settings>

// Replays the model calls of an earlier run by the content of each request: free, offline, byte for byte.
export default {
  summary: 'replays the recorded calls of an earlier run',
  version: '1',
  standIn: true,
  settings: Settings,
  async open({ folder }): Promise<ChatModel> {
    let reading: Promise<RecordedReplies> | undefined
    return {
      id: 'chat/recorded',
      accepts: new Set(Modality.options),
      async reply(request, signal, onText) {
        signal.throwIfAborted()
        reading ??= readCalls(folder).then(collectReplies)
        const reply = (await reading).chat(request)
        if (!reply) throw missing(request, folder)
        if (reply.text) onText?.(reply.text)
        return reply
      },
    }
  },
} satisfies Backend<ChatModel, Settings>

async function readCalls(folder: string): Promise<CallRecord[]> {
  const names = (await readdir(folder).catch(absentAs([]))).filter(
    name => name.endsWith('.json') && name !== 'servers.json',
  )
  return Promise.all(
    names
      .sort((a, b) => callCount(a) - callCount(b))
      .map(async name => {
        const file = join(folder, name)
        const call = CallRecord.safeParse(JSON.parse(await readFile(file, 'utf8')))
        if (call.success) return call.data
        throw new UsageError(`${file} is not a recorded call of this version.`, { hint: 'Record the run again.' })
      }),
  )
}

function missing(request: ChatRequest, folder: string): UsageError {
  const name = contentHash(request).slice(0, 12)
  return new UsageError(`No recorded reply to this "${request.purpose}" call (${name}) in ${folder}.`, {
    hint: 'The video, the settings or the prompts have changed since it was recorded; record the run again.',
  })
}
