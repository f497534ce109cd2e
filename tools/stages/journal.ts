import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { absentAs } from '../../src/core/errors.ts'
import { contentHash } from '../../src/core/json.ts'
import type { StageParts } from '../../src/core/stage.ts'

// What a long stage has made so far, a line for each bit of it, so that a kill loses only the bit it was at.
export interface Journal<T> {
  made(key: string): T | undefined // by this run or one before it that was stopped
  all(): Iterable<T>
  add(made: [key: string, value: T][]): Promise<void>
  close(): Promise<void>
}

const name = 'made.jsonl'

export async function openJournal<T>(parts: StageParts | undefined): Promise<Journal<T>> {
  const recorded = new Map<string, T>()
  const before = parts ? await readFile(parts.path(name)).catch(absentAs(Buffer.alloc(0))) : Buffer.alloc(0)
  const whole = wholeLines<T>(before, recorded)
  const sink = await parts?.append(name, whole)
  return {
    made: key => recorded.get(key),
    all: () => recorded.values(),
    async add(made) {
      for (const line of made) {
        recorded.set(...line)
        await sink?.write(Buffer.from(`${JSON.stringify([...line, hashLine(line)])}\n`))
      }
      await sink?.flush?.()
    },
    async close() {
      await sink?.close()
    },
  }
}

// What the journal in a folder holds of this shape, while its stage is still writing it; nothing if it has none.
export async function readPart<T>(folder: string, shape: z.ZodType<T>): Promise<T[]> {
  const recorded = new Map<string, unknown>()
  wholeLines(await readFile(join(folder, name)).catch(absentAs(Buffer.alloc(0))), recorded)
  return [...recorded.values()].flatMap(value => {
    const { success, data } = shape.safeParse(value)
    return success ? [data] : []
  })
}

// Fills `known` and returns how many bytes of it were whole lines; lines torn by a kill or changed on disk are dropped.
function wholeLines<T>(bytes: Buffer, known: Map<string, T>): number {
  let at = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
    try {
      const [key, value, check] = JSON.parse(bytes.toString('utf8', at, end)) as [string, T, string]
      if (check !== hashLine([key, value])) break
      known.set(key, value)
    } catch {
      break
    }
    at = end + 1
  }
  return at
}

function hashLine(line: [key: string, value: unknown]): string {
  return contentHash(JSON.parse(JSON.stringify(line))).slice(0, 16)
}
