import type { CommandRun } from '../../src/cli/command.ts'
import { result } from '../../src/cli/output.ts'
import { saveFile } from '../../src/cli/save-file.ts'
import { alignColumns } from '../../src/cli/show/format.ts'
import { countPhrase } from '../../src/core/words/counted.ts'
import { visibleFileName, visibleLine } from '../../src/core/words/visible-text.ts'
import { mapFile } from '../benchmarks/map/map-file.ts'
import { quoteArgument } from './bench-request.ts'

const maxShown = 5

const map: CommandRun = async call => {
  const benchmark = call.argument()
  const data = call.requiredPath('--data', 'Name the file whose layout is not known.')
  const [out, to] = [call.path('--out'), call.path('--records')]
  const { paths, map, notes, records } = await mapFile(benchmark, data, call.path('--map'), async proposed => {
    if (out !== undefined) await saveFile('--out', out, `${JSON.stringify(proposed, null, 2)}\n`)
  })
  if (to !== undefined) await saveFile('--records', to, records.map(record => `${JSON.stringify(record)}\n`).join(''))
  const mapPath = out ?? call.path('--map')
  const next = [
    ...(to === undefined ? [] : [`--data ${quoteArgument(visibleFileName(to))}`]),
    ...(mapPath === undefined
      ? []
      : [`--data ${quoteArgument(visibleFileName(data))} --map ${quoteArgument(visibleFileName(mapPath))}`]),
  ].map(words => `Now: longtake bench run ${benchmark} ${words}`)
  result(call, { benchmark, paths, map, notes, records: records.length, first: records.slice(0, maxShown) }, [
    ...alignColumns(paths.map(({ path, examples }) => [visibleLine(path), visibleLine(examples.join('  '))])),
    '',
    ...JSON.stringify(map, null, 2).split('\n').map(visibleLine),
    '',
    ...records.slice(0, maxShown).map(record => visibleLine(JSON.stringify(record))),
    ...notes.map(visibleLine),
    `${countPhrase(records.length, 'record is', 'records are')} read by this map.${mapPath === undefined ? ' Keep it with --out map.json, correct it, and give it back with --map.' : ''}`,
    ...(next.length === 0 ? ['--records FILE.jsonl writes them in the layout that a run reads.'] : next),
  ])
  return 0
}

export const benchMapCommands = { map }
