import type { ResolvedConfig } from '../../src/config/resolve.ts'
import type { Price } from '../../src/core/chat.ts'
import { UsageError } from '../../src/core/errors.ts'
import { listServer } from '../../src/runtime/models/choose/list-server.ts'
import { rolePrices } from '../../src/runtime/models/prices.ts'
import { createRuntime, type LocalRuntime } from '../../src/runtime/runtime.ts'
import type { BenchWorld } from '../bench-world.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import type { JudgeMode } from '../protocols/judge/protocol.ts'
import { openJudge, readJudgeWording } from './bench-judge.ts'
import type { JudgeService } from './judge-service.ts'

export interface OpenedJudge {
  service: JudgeService
  mode?: JudgeMode // of a model, where its protocol can be asked in several
  wording?: string // sha256 of a person's own wording
  price?: Price
  digest?: string // of the model, where its server tells
}

export interface JudgeWishes {
  judges: readonly string[] // words, model (models.judge), or BACKEND/MODEL
  modes?: readonly JudgeMode[]
  wording?: string // a file
}

// Judges side by side, as long as `use` needs them: each name, in each mode if there are several.
export async function withJudges<Result>(
  benchmark: Benchmark,
  { judges, modes = [], wording }: JudgeWishes,
  world: BenchWorld,
  use: (judges: OpenedJudge[]) => Promise<Result>,
): Promise<Result> {
  const unknown = modes.find(mode => !benchmark.judge?.modes?.includes(mode))
  if (unknown !== undefined)
    throw new UsageError(`The judge of ${benchmark.name} has no mode "${unknown}".`, {
      hint: `Modes: ${benchmark.judge?.modes?.join(', ') ?? 'none; leave --judge-mode out'}.`,
    })
  const runtimes: LocalRuntime[] = []
  const opened: OpenedJudge[] = []
  try {
    const { text, wording: about } = await readJudgeWording(benchmark, wording)
    for (const name of judges) {
      const runtime = await createRuntime({ ...world, config: judgedBy(world.config, name) })
      runtimes.push(runtime)
      const digest = name === 'words' ? undefined : await findDigest(runtime)
      const price = name === 'words' ? undefined : rolePrices(runtime.settings).judge
      for (const mode of name === 'words' || modes.length === 0 ? [undefined] : modes) {
        const judge = name === 'words' ? ('words' as const) : ('model' as const)
        const wish = { benchmark, judge, wording: text, mode, models: runtime.models, say: world.say }
        const service = await openJudge(wish)
        if (!service)
          throw new UsageError(`${benchmark.name} has no open answers that a judge grades.`, {
            hint: 'Its answers are compared as they are.',
          })
        const judgeMode = name === 'words' ? undefined : (mode ?? benchmark.judge?.modes?.[0])
        opened.push({ service, mode: judgeMode, price, digest, ...(name !== 'words' && { wording: about?.sha256 }) })
      }
    }
    return await use(opened)
  } finally {
    for (const runtime of runtimes) await runtime.close()
  }
}

function judgedBy(config: ResolvedConfig, name: string): ResolvedConfig {
  if (name === 'words' || name === 'model') return config
  const [backend = '', ...model] = name.split('/')
  if (model.length === 0)
    throw new UsageError(`"${name}" is not a judge.`, {
      hint: 'Write words, model, or BACKEND/MODEL: ollama/qwen3:14b.',
    })
  const values = { models: { judge: { backend, model: model.join('/') } } }
  return { ...config, layers: [...config.layers, { name: 'flag', values, place: () => `--judge ${name}` }] }
}

// Where a server is named by its address and tells; it is never guessed.
async function findDigest({ models, host }: LocalRuntime): Promise<string | undefined> {
  const { model, url } = models.choice('judge')
  if (typeof url !== 'string' || typeof model !== 'string') return undefined
  const serverModels = await listServer({ url }, host).catch(() => undefined)
  return serverModels?.models.find(({ name }) => name === model || name === `${model}:latest`)?.digest
}
