import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { absentAs, UsageError } from '../../src/core/errors.ts'
import { sha256 } from '../../src/core/json.ts'
import type { Models } from '../../src/runtime/models/models.ts'
import { createRuntime } from '../../src/runtime/runtime.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { JudgeChoice } from '../protocols/judge/protocol.ts'
import { isSeeing, type JudgeMode, type JudgeWording } from '../protocols/judge/protocol.ts'
import { type JudgeService, modelJudge, wordsJudge } from './judge-service.ts'

interface JudgeWish {
  benchmark: Pick<Benchmark, 'judge'>
  judge: JudgeChoice
  wording?: string // the text
  mode?: JudgeMode
  models: Models
  say(line: string): void
}

// Who judges open answers; undefined if nobody shall or nothing is to be judged.
export async function openJudge({
  benchmark,
  judge,
  wording,
  mode,
  models,
  say,
}: JudgeWish): Promise<JudgeService | undefined> {
  const protocol = benchmark.judge
  if (!protocol || judge === 'off') return undefined
  if (isSeeing(mode) && (judge === 'words' || models.isOff('judge')))
    throw new UsageError(`The judge must be a model that sees for the mode "${mode}".`, {
      hint: 'Set models.judge to one, or leave --judge-mode out.',
    })
  if (judge === 'words') return wordsJudge(protocol)
  if (judge === 'auto' && models.isOff('judge')) {
    say('models.judge is off: open answers are judged by words, which is not the judge of the protocol.')
    return wordsJudge(protocol)
  }
  const { service } = await models.open('judge')
  if (isSeeing(mode) && !service.accepts.has('image'))
    throw new UsageError(`${service.id} takes no images, and the mode "${mode}" shows frames.`, {
      hint: 'Set models.judge to a model that sees, or use --judge-mode text.',
    })
  return modelJudge(protocol, service, wording, mode)
}

// A judge for open answers outside of a run, as long as `use` needs it. `wording` is a file.
export async function withJudge<Result>(
  benchmark: Pick<Benchmark, 'name' | 'judge'>,
  { judge, wording, otherwise }: { judge: JudgeChoice; wording?: string; otherwise: string },
  world: BenchWorld,
  use: (service: JudgeService) => Promise<Result>,
): Promise<Result> {
  const runtime = await createRuntime(world)
  try {
    const { text } = await readJudgeWording(benchmark, wording)
    const service = await openJudge({ benchmark, judge, wording: text, models: runtime.models, say: world.say })
    if (!service)
      throw new UsageError(`${benchmark.name} has no open answers that a judge grades.`, { hint: otherwise })
    return await use(service)
  } finally {
    await runtime.close()
  }
}

// A person's own wording of the judge's prompt, from the flag or from the benchmark's settings.
export async function readJudgeWording(
  { name, judge }: Pick<Benchmark, 'name' | 'judge'>,
  flag: string | undefined,
  options: Record<string, unknown> = {},
): Promise<{ text?: string; wording?: JudgeWording }> {
  const named = judge?.wordingOption === undefined ? undefined : options[judge.wordingOption]
  const file = flag ?? (typeof named === 'string' ? resolve(named) : undefined)
  if (file === undefined) return {}
  const there = await stat(file).catch(absentAs(undefined))
  if (!there?.isFile()) throw new UsageError(`There is no file at ${file}.`, { hint: 'Name the file of the wording.' })
  const text = await readFile(file, 'utf8')
  if (!judge) throw new UsageError(`${name} has no judge, so --wording ${file} has no use.`, { hint: 'Leave it out.' })
  const { released } = judge.checkWording(text, file)
  return { text, wording: { file, sha256: sha256(text), released } }
}
