import { join } from 'node:path'
import type { ChatReply, Price } from '../../../src/core/chat.ts'
import { CallRecord } from '../../../src/core/run/call-record.ts'
import { listNames, parseStoredJson, readTextFile } from '../../../src/store/read-file.ts'

export interface KeptCall {
  name: string // of its file, without the ending
  reply: ChatReply
  seconds: number
  price: Price | undefined // of the model that was asked, where it still has its role
}

type Priced = Readonly<Record<string, readonly { id: string; price?: Price }[]>>

// The calls in made/calls, with the prices of those who fill the roles. A file that holds no call is passed over.
export async function keptCalls(folder: string, models: Priced): Promise<KeptCall[]> {
  const names = (await listNames(folder)).filter(name => name.endsWith('.json'))
  const callLists = names.map(async (file): Promise<KeptCall[]> => {
    const { data } = CallRecord.safeParse(parseStoredJson(await readTextFile(join(folder, file))))
    if (data?.kind !== 'chat' || !data.reply) return []
    const askedModel = models[data.row ?? '']?.find(({ id }) => id === data.model)
    return [
      { name: file.slice(0, -'.json'.length), reply: data.reply, seconds: data.seconds, price: askedModel?.price },
    ]
  })
  return (await Promise.all(callLists)).flat()
}
