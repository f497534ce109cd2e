import { join } from 'node:path'
import { z } from 'zod'
import { Turn } from '../../core/agent.ts'
import { errorCode } from '../../core/errors.ts'
import { shallowJson } from '../../core/json.ts'
import { readBoundedText } from '../../core/machine/read-bounded.ts'
import { asStorageError } from '../storage-error.ts'

const name = 'turns.json'
const Turns = z.object({ format: z.literal(1), turns: z.array(Turn) })

// What was said before the question of a run, as one of its first files: until its first step is kept, nothing else has it.
export function earlierTurnsFile(turns: readonly Turn[] = []): Record<string, z.infer<typeof Turns>> {
  return turns.length === 0 ? {} : { [name]: { format: 1, turns: [...turns] } }
}

// None where the question was the first of its conversation, or of none.
export async function earlierTurns(folder: string): Promise<Turn[] | undefined> {
  const file = join(folder, name)
  const text = await readBoundedText(file, 64e6).catch(error => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw asStorageError(error, `read ${file}`)
  })
  return text === undefined ? undefined : Turns.parse(shallowJson(text)).turns
}
