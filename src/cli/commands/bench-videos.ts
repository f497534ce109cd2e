import { fetchMissing, listVideos } from '../../../eval/bench.ts'
import { fileName, oneLine } from '../../core/words/visible-text.ts'
import { defaultData } from '../bench/bench-request.ts'
import { exitCodes } from '../fail.ts'
import { result, watching } from '../output.ts'
import { columns } from '../show/format.ts'
import type { CommandRun } from '../specs/types.ts'

const maxRows = 40

export const videos: CommandRun = async call => {
  const benchmark = call.argument()
  const wish = {
    ...{ benchmark, data: call.path('--data') ?? (await defaultData(call, benchmark)), videos: call.path('--videos') },
    ...{ split: call.text('--split'), limit: call.integer('--limit') },
  }
  const world = { ...(await call.host()), config: await call.settings() }
  const wanted = call.has('--get')
    ? await watching(call, watch => fetchMissing(wish, world, watch))
    : await listVideos(wish)
  const missing = wanted.filter(({ path }) => path === undefined)
  const fetchable = missing.filter(({ address, error }) => address !== undefined && error === undefined)
  const rows = missing.map(({ video, questions, address, error }) => [
    fileName(video),
    String(questions),
    oneLine(error ?? address ?? 'the data name no address'),
  ])
  result(call, { benchmark, videos: wanted }, [
    `${wanted.length} videos, ${wanted.length - missing.length} of them are there.`,
    ...(rows.length > 0 ? columns([['missing', 'questions', 'address'], ...rows.slice(0, maxRows)]) : []),
    ...(rows.length > maxRows ? [`and ${rows.length - maxRows} more (all of them in --json)`] : []),
    ...(fetchable.length > 0 ? [`${fetchable.length} of them can be fetched: add --get.`] : []),
  ])
  return missing.length > 0 ? exitCodes.partial : exitCodes.ok
}
