import type { CodeCoverage } from './coverage.ts'
import { type FuzzFinding, judgeInput } from './judge.ts'
import { drawing } from './mutate/draw.ts'
import type { Target } from './target.ts'

interface Bounds {
  seed: number
  executions?: number
  seconds?: number
}

interface Outcome {
  executions: number
  read: number
  refused: number
  corpus: number
  findings: { finding: FuzzFinding; input: Buffer }[]
}

interface Watch {
  coverage?: CodeCoverage
  before?(input: Buffer): void // so that an input that never returns is known
  tick?(outcome: Outcome): void
}

const batch = 32 // inputs between two looks at the coverage, which cost more than an input
const maxCorpus = 4000

// Changes seeds and runs what comes of it. With coverage an input that reached something new is a seed from then on.
export async function fuzz(target: Target, bounds: Bounds, watch: Watch = {}): Promise<Outcome> {
  const draw = drawing(bounds.seed)
  const corpus = await target.seeds()
  const outcome: Outcome = { executions: 0, read: 0, refused: 0, corpus: corpus.length, findings: [] }
  const places = new Set<string>()
  const recent: Buffer[] = []
  const execute = async (input: Buffer) => {
    watch.before?.(input)
    recent.splice(0, Math.max(0, recent.length - 7))
    recent.push(input)
    const verdict = await judgeInput(target, input)
    outcome.executions++
    if (verdict.end !== 'finding') outcome[verdict.end]++
    else {
      const key = `${verdict.finding.kind} ${verdict.finding.place}`
      if (places.has(key)) return
      places.add(key)
      const culprit = verdict.finding.kind === 'crash' ? await culpritOf(target, recent) : input
      outcome.findings.push({ finding: verdict.finding, input: culprit ?? input })
    }
  }

  for (const seed of corpus) await execute(seed)
  watch.coverage?.isNew(true)
  const until = bounds.seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + bounds.seconds * 1000
  const most = bounds.executions ?? Number.POSITIVE_INFINITY
  while (outcome.executions < most && performance.now() < until) {
    const inputs = Array.from({ length: Math.min(batch, most - outcome.executions) }, () =>
      target.mutate(chosen(corpus, draw.share()), draw, draw.of(corpus)),
    )
    for (const input of inputs) await execute(input)
    watch.tick?.(outcome)
    if (!watch.coverage?.isNew(false)) continue
    for (const input of inputs) {
      watch.coverage.clear()
      await execute(input)
      if (watch.coverage.isNew(true) && corpus.length < maxCorpus) corpus.push(input)
    }
    outcome.corpus = corpus.length
  }
  return outcome
}

// The newest half of the time: what was just reached leads on.
function chosen(corpus: readonly Buffer[], share: number): Buffer {
  const newest = Math.max(0, corpus.length - 32)
  const from = share < 0.5 ? 0 : newest
  const within = share < 0.5 ? share * 2 : share * 2 - 1
  return corpus[from + Math.floor(within * (corpus.length - from))] ?? Buffer.alloc(0)
}

// An error that nothing awaits comes late: the input that brings it about is one of the last few.
async function culpritOf(target: Target, recent: readonly Buffer[]): Promise<Buffer | undefined> {
  for (const input of recent.toReversed()) {
    const verdict = await judgeInput(target, input, 100)
    if (verdict.end === 'finding' && verdict.finding.kind === 'crash') return input
  }
  return undefined
}
