import { allBenchmarks } from '../../../eval/bench.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

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
