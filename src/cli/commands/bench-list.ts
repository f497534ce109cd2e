import { allBenchmarks } from '../../../eval/bench.ts'
import { result } from '../output.ts'
import { columns } from '../show/format.ts'
import type { CommandRun } from '../table/types.ts'

const list: CommandRun = async call => {
  const benchmarks = await allBenchmarks()
  result(
    call,
    () => ({
      benchmarks: benchmarks.map(({ name, summary, home, licence, chance, tasks }) => ({
        name,
        summary,
        home,
        licence,
        chance,
        tasks: tasks.map(task => task.name),
      })),
    }),
    () =>
      columns(benchmarks.map(({ name, tasks, summary }) => [name, tasks.map(task => task.name).join(' '), summary])),
  )
  return 0
}
export default list
