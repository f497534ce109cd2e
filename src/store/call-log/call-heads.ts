import { join } from 'node:path'
import { z } from 'zod'
import type { CallHead } from '../../core/api/run.ts'
import { listNames, parseStoredJson, readTextFile } from '../read-file.ts'

const Counted = z.looseObject({ inputTokens: z.number(), outputTokens: z.number() })

// What a list of calls shows of a recorded one; its texts and bytes are not looked at.
const Stored = z.looseObject({
  kind: z.enum(['chat', 'tool']).default('chat'),
  model: z.string(),
  request: z.looseObject({ purpose: z.string().optional() }),
  begun: z.number().default(0),
  seconds: z.number(),
  reply: z.looseObject({ usage: Counted.optional(), spent: Counted.optional() }).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
})

export type TimedCall = CallHead & { begun: number } // milliseconds since 1970

// The calls of a log in the order in which they began. A file that holds no call is passed over.
export async function readCallHeads(folder: string): Promise<TimedCall[]> {
  const names = (await listNames(folder)).filter(name => name.endsWith('.json'))
  const calls = await Promise.all(
    names.map(async (name): Promise<TimedCall[]> => {
      const stored = Stored.safeParse(parseStoredJson(await readTextFile(join(folder, name), 64e6)))
      return stored.success ? [buildHead(name.slice(0, -'.json'.length), stored.data)] : []
    }),
  )
  return calls.flat().sort((a, b) => a.begun - b.begun)
}

function buildHead(
  call: string,
  { kind, model, request, begun, seconds, reply, error }: z.infer<typeof Stored>,
): TimedCall {
  const counted = reply?.usage ?? reply?.spent
  return {
    call,
    kind,
    by: model,
    begun,
    seconds,
    ...(request.purpose !== undefined && { purpose: request.purpose }),
    ...(counted && { inputTokens: counted.inputTokens, outputTokens: counted.outputTokens }),
    ...(error && { failed: error.message }),
  }
}
