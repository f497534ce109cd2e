import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Refused } from '../../core/api/problem.ts'
import { absentAs, UsageError } from '../../core/errors.ts'
import type { OperationReply } from '../../core/operation-reply.ts'
import { visibleFileName, visibleLine } from '../../core/words/visible-text.ts'
import type { Call } from '../call.ts'
import type { CommandRun } from '../command.ts'
import { exitCodes } from '../fail.ts'
import { result, watching } from '../output.ts'
import { saveFile } from '../save-file.ts'

const texts = ['start', 'end', 'at', 'until', 'region', 'question', 'as'] as const
const numbers = ['limit', 'page', 'frames', 'width'] as const

// One tool of a host: what is missing of the index is made first.
export const memoryCommand =
  (name: string): CommandRun =>
  async call => {
    const out = call.path('--out')
    const runtime = await call.runtime()
    const reply = await watching(call, async watch => {
      const options = { watch, signal: call.signal }
      const { source, isFile } = await readSource(call)
      const video = isFile ? (await runtime.videos.index(source, options)).video.id : source
      return runtime.callOperation(name, { video, ...readWish(call, name) }, options)
    }).catch(asUsage)
    const file = await saveReply(call, reply, out)
    const { head, lines, next } = reply
    result(call, { head, lines, ...(next && { next }), ...(file && { file }) }, [
      head,
      ...lines.map(visibleLine),
      ...(next ? [next] : []),
    ])
    return exitCodes.ok
  }

function asUsage(error: unknown): never {
  if (!(error instanceof Refused)) throw error
  const hint = error.code === 'unknown' ? 'Name a file, or a video that "longtake ls" lists.' : error.hint
  throw new UsageError(error.message, { hint, cause: error })
}

async function readSource(call: Call): Promise<{ source: string; isFile: boolean }> {
  const name = call.argument()
  const path = resolve(call.world.cwd, name)
  const file = await stat(path).catch(absentAs(undefined))
  return { source: file ? path : name, isFile: file?.isFile() ?? false }
}

function readWish(call: Call, name: string): Record<string, unknown> {
  const tracks = call.text('--tracks')?.split(',')
  const second = call.arguments[1]
  return {
    ...Object.fromEntries(texts.flatMap(flag => entry(flag, call.text(`--${flag}`)))),
    ...Object.fromEntries(numbers.flatMap(flag => entry(flag, call.integer(`--${flag}`)))),
    ...(tracks && { tracks }),
    ...(call.has('--shots') && { shots: true }),
    ...(second !== undefined && { [name === 'verify' ? 'claim' : 'words']: second }),
  }
}

function entry(flag: string, value: string | number | undefined): [string, string | number][] {
  return value === undefined ? [] : [[flag, value]]
}

async function saveReply(call: Call, { pictures, sound }: OperationReply, out: string | undefined) {
  const content = pictures?.[0] ?? sound
  if (!content) return undefined
  if (out === undefined) throw new UsageError('The picture needs a file.', { hint: 'Name one: --out sheet.jpg' })
  const file = await saveFile('--out', out, content)
  call.remark(`Wrote ${visibleFileName(file)}.`)
  return file
}
