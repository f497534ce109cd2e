import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChatModel, decorate } from '../../core/chat.ts'
import { absentAs } from '../../core/errors.ts'
import { readBoundedText } from '../../core/machine/read-bounded.ts'
import { CallRecord, callCount, collectReplies, type RecordedReplies } from '../../core/run/call-record.ts'
import type { Tool } from '../../core/tool.ts'
import { parseStoredJson } from '../read-file.ts'
import type { Redact } from '../redact.ts'
import { onDisk } from '../storage-error.ts'
import { recordCalls, stripSpent } from './record.ts'
import { keepServedTools } from './served-tools.ts'

// Records calls in a folder. Replies from before the run was stopped are read from there: no call is paid for twice. A failed call is
// made again, except one whose reply was of no use: the run continued from that failure.
export function resumeCalls(folder: string, redact: Redact) {
  const calls = recordCalls(folder, redact)
  let reading: Promise<RecordedReplies> | undefined
  const before = () => {
    reading ??= readCalls(folder).then(records =>
      collectReplies(records.filter(record => record.reply || record.error?.reason === 'bad-reply')),
    )
    return reading
  }
  return {
    folder,
    model(model: ChatModel): ChatModel {
      const recorded = calls.model(model)
      return decorate(model, async (request, signal, onText) => {
        const replies = await before()
        const recordedReply = readOr(
          () => replies.chat(request, model.id),
          () => calls.known(request),
        )
        if (!recordedReply) return recorded.reply(request, signal, onText)
        signal.throwIfAborted()
        calls.known(request)
        onText?.(recordedReply.text)
        return recordedReply
      })
    },
    tool(tool: Tool): Tool {
      const recorded = calls.tool(tool)
      return {
        ...tool,
        async run(input, context) {
          const request = { tool: tool.name, input }
          const recordedResult = (await before()).tool(request)
          if (!recordedResult) return recorded.run(input, context)
          calls.known(request)
          context.spend(recordedResult.spent)
          return stripSpent(recordedResult)
        },
      }
    },
    served: (tools: readonly Tool[]) => keepServedTools(folder, tools, redact),
  }
}

function readOr<Reply>(read: () => Reply, failed: () => void): Reply {
  try {
    return read()
  } catch (error) {
    failed()
    throw error
  }
}

// The calls of a log, those to equal requests in their order; with `recursive` also those in the folders below, as a benchmark
// has them for each question. A file that holds no call is passed over.
export async function readCalls(folder: string, { recursive = false } = {}): Promise<CallRecord[]> {
  return onDisk(`read the calls in ${folder}`, async () => {
    const entries = await readdir(folder, { recursive }).catch(absentAs([]))
    const names = entries.filter(name => name.endsWith('.json') && !name.includes('bytes/'))
    const texts = await Promise.all(
      names.sort((a, b) => callCount(a) - callCount(b)).map(name => readBoundedText(join(folder, name), 64e6)),
    )
    return texts.flatMap(text => CallRecord.safeParse(parseStoredJson(text)).data ?? [])
  })
}
