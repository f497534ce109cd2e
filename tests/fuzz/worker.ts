import { parentPort, workerData } from 'node:worker_threads'
import { CodeCoverage } from './coverage.ts'
import { fuzz } from './fuzz.ts'
import { type FuzzFinding, judgeInput, watchAllocations, watchStrayErrors } from './judge.ts'
import type { Target } from './target.ts'
import { openTarget } from './targets.ts'

// One target in a thread of its own, so that an input that never returns can be stopped. The input at hand lies in memory that
// both threads see: its number and length, then its bytes.
interface Work {
  target: string
  seed: number
  seconds: number
  shared: SharedArrayBuffer
  only?: Uint8Array // runs this one input and nothing else
}

const { target: name, seed, seconds, shared, only } = workerData as Work
const head = new Int32Array(shared, 0, 2)
const bytes = new Uint8Array(shared, 8)

const target = await openTarget(name)
watchAllocations()
watchStrayErrors()
if (only) {
  await judgeInput(target, Buffer.from(only))
  parentPort?.postMessage({ executions: 1, read: 0, refused: 0, corpus: 0, covered: 0, done: true })
  process.exit()
}
const coverage = new CodeCoverage(target.guided)
let next = 0
const outcome = await fuzz(
  target,
  { seed, seconds },
  {
    coverage,
    before(input) {
      bytes.set(input.subarray(0, bytes.length))
      head[1] = Math.min(input.length, bytes.length)
      Atomics.add(head, 0, 1)
    },
    tick({ executions, read, refused, corpus }) {
      if (performance.now() < next) return
      next = performance.now() + 1000
      parentPort?.postMessage({ executions, read, refused, corpus, covered: coverage.covered() })
    },
  },
)
const findings = []
for (const { finding, input } of outcome.findings) {
  Atomics.store(head, 1, -1) // no longer watched
  findings.push({ finding, input: await minimise(target, input, finding) })
}
parentPort?.postMessage({ ...outcome, findings, covered: coverage.covered(), done: true })

// A smaller input with the same finding: pieces are cut out, large ones first, as long as the finding stays.
async function minimise(target: Target, input: Buffer, finding: FuzzFinding, seconds = 20): Promise<Buffer> {
  const until = performance.now() + seconds * 1000
  const same = async (candidate: Buffer) => {
    const verdict = await judgeInput(target, candidate, finding.kind === 'crash' ? 100 : 0)
    return verdict.end === 'finding' && verdict.finding.kind === finding.kind && verdict.finding.place === finding.place
  }
  let smallest = input
  for (let length = Math.ceil(smallest.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let at = 0; at < smallest.length && performance.now() < until; ) {
      const candidate = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + length)])
      if (await same(candidate)) smallest = candidate
      else at += length
    }
  }
  return smallest
}
