import { UsageError } from '../../core/errors.ts'
import { Track } from '../../core/evidence.ts'
import type { Hit, SearchQuery } from '../../core/video.ts'
import type { Call } from '../call.ts'
import { searchDocument } from '../documents.ts'
import { exitCodes } from '../fail.ts'
import { oneLine } from '../sanitise.ts'
import { coverageLines, isPartial } from '../show/coverage-lines.ts'
import { evidenceLine } from '../show/evidence-line.ts'
import type { CommandRun } from '../table-types.ts'
import { timeOption } from '../time-option.ts'
import { result, watching } from '../watching.ts'

const search: CommandRun = async call => {
  const query = readQuery(call)
  const runtime = await call.runtime()
  const found = await watching(call, watch => runtime.search(call.arguments[0], query, { watch, signal: call.signal }))
  result(
    call,
    () => searchDocument(found, runtime.profile.name),
    () => [...hitLines(found.hits, query, call), '', ...coverageLines(found.coverage).map(call.terminal.dim)],
  )
  return isPartial(found.coverage) ? exitCodes.partial : exitCodes.ok
}
export default search

function readQuery(call: Call): SearchQuery {
  const query = call.arguments[1]?.trim() ?? ''
  const frame = timeOption(call, '--frame')
  if (query === '' && frame === undefined)
    throw new UsageError('There is nothing to look for.', { hint: 'Give words, or a moment with --frame 12:04.' })
  const tracks = call.list('--track').map(name => Track.parse(name))
  return {
    query,
    frame,
    tracks: tracks.length > 0 ? tracks : undefined,
    k: call.wholeNumber('--k'),
    nth: call.wholeNumber('--nth'),
    after: timeOption(call, '--after'),
    before: timeOption(call, '--before'),
  }
}

function hitLines(hits: Hit[], query: SearchQuery, call: Call): string[] {
  if (hits.length === 0)
    return [
      query.query === '' ? 'Nothing like that frame was found.' : `Nothing was found for "${oneLine(query.query)}".`,
    ]
  return hits.map(hit => `${evidenceLine(hit.evidence)} ${call.terminal.dim(`by ${hit.lists.join(' and ')}`)}`)
}
