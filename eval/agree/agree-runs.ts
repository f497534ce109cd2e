import { secretsOf } from '../../src/app/ask/recorded-run.ts'
import { UsageError } from '../../src/core/errors.ts'
import { groupBy } from '../../src/core/group-by.ts'
import { redactor } from '../../src/store/redact.ts'
import type { BenchWorld } from '../bench/bench-request.ts'
import { judgeAgain } from '../judges/judge-again.ts'
import { type JudgeWishes, withJudges } from '../judges/open-judges.ts'
import { storedSights } from '../judges/stored-sight.ts'
import type { Judgment } from '../runner/sample-line.ts'
import { type Agreement, agreementOf, type Rater } from './agreement.ts'
import { type DataPlace, type Item, itemsOf, type JudgedRun, loadJudgedRun, verdictsBy } from './judged-run.ts'
import { type Person, readPeople } from './verdict-files.ts'

export interface AgreeWork extends JudgeWishes, DataPlace {
  folders: readonly string[]
  human: readonly string[] // verdict files
  limit?: number
  onJudged(done: number): void
}

export interface Agreed {
  agreements: Agreement[]
  unmatched: number // verdicts of people on answers that are not there
  pictures: { judge: string; asked: number; of: number; needed: number; found: number }[] // of judges that may ask for frames
}

// People and judges over the same answers. The runs stay as they are; no question is asked again.
export async function agreeOnRuns(work: AgreeWork, world: BenchWorld): Promise<Agreed> {
  const runs = await loadRuns(work.folders, work)
  const items = runs.flatMap(itemsOf)
  const { people, unmatched } = await readPeople(work.human, items)
  const raters = ownJudges(runs, items)
  await withJudges(runs[0]!.benchmark, work, world, async judges => {
    const redact = redactor(secretsOf(world.environment))
    const sights = await storedSights({ runs, judges, limit: work.limit }, world)
    let done = 0
    const onJudged = () => work.onJudged(++done)
    for (const judge of judges) {
      const said = new Map<JudgedRun, Map<string, Judgment>>()
      for (const run of runs)
        said.set(
          run,
          await judgeAgain({
            ...{ run, judge, redact, onJudged, sight: sights(run) },
            ...{ limit: work.limit, signal: world.signal },
          }),
        )
      const verdicts = verdictsBy(items, item => said.get(item.run)?.get(item.answer.sample.id))
      const name = nameOf(judge.service.name, judge.wording)
      const own = raters.find(rater => rater.name === name)
      if (own) own.verdicts = new Map([...verdicts, ...own.verdicts])
      else raters.push({ name, kind: 'judge', verdicts })
    }
  })
  const rated = items.map(item => ({ key: item.key, scale: item.scale, video: item.answer.sample.video }))
  const everyone = [...raters, ...people.map(person => ({ ...person, kind: 'person' as const }))]
  const pictures = raters.flatMap(({ name, verdicts }) => picturesOf(name, items, verdicts, people))
  return { agreements: agreementOf(rated, everyone), unmatched, pictures }
}

// The judges of the runs themselves: runs that were judged by another, or in another wording, have a rater of their own.
function ownJudges(runs: readonly JudgedRun[], items: readonly Item[]): Rater[] {
  const nameOfRun = ({ run }: JudgedRun) => nameOf(run.judgedBy ?? 'none', run.wording?.sha256)
  const byName = groupBy(items, item => nameOfRun(item.run))
  return [...new Set(runs.map(nameOfRun))].map(name => ({
    ...{ name, kind: 'judge' },
    verdicts: verdictsBy(byName.get(name) ?? [], item => item.answer.judgment),
  }))
}

function nameOf(judge: string, wording: string | undefined): string {
  return wording === undefined || judge === 'words' ? judge : `${judge}, wording ${wording.slice(0, 8)}`
}

// Runs of one benchmark.
export async function loadRuns(folders: readonly string[], place: DataPlace = {}): Promise<JudgedRun[]> {
  const runs = await Promise.all(folders.map(folder => loadJudgedRun(folder, place)))
  const others = new Set(runs.map(run => run.run.benchmark))
  if (others.size !== 1)
    throw new UsageError(`These runs are of ${others.size} benchmarks.`, { hint: 'Name runs of one benchmark.' })
  return runs
}

// How often the judge asks for the picture, and whether it does where people say that it is needed.
function picturesOf(
  judge: string,
  items: readonly Item[],
  own: ReadonlyMap<string, number>,
  people: readonly Person[],
): Agreed['pictures'] {
  const looks = items.filter(item => item.scale === 'look' && own.has(item.key))
  if (looks.length === 0) return []
  const asked = looks.filter(item => own.get(item.key) === 2)
  const ids = (of: readonly Item[]) => new Set(of.map(item => item.key.split('\n').slice(0, 2).join('\n')))
  const needed = new Set(
    people.flatMap(person =>
      [...person.needsPicture].flatMap(([key, needs]) => (needs ? [key.split('\n').slice(0, 2).join('\n')] : [])),
    ),
  )
  const found = [...needed].filter(id => ids(asked).has(id)).length
  return [{ judge, asked: asked.length, of: looks.length, needed: needed.size, found }]
}
