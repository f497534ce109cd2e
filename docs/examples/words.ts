import type { CommandRun } from '../../src/cli/command.ts'
import { result, watching } from '../../src/cli/output.ts'
import type { Evidence } from '../../src/core/evidence.ts'

// How many words a video says and shows.
export const words: CommandRun = async call => {
  const runtime = await call.runtime()
  const shown = await watching(call, watch => runtime.videos.show(call.argument(), { watch, signal: call.signal }))
  const count = (track: Evidence['track']) =>
    shown.evidence.filter(row => row.track === track).flatMap(row => row.text.match(/\S+/g) ?? []).length
  const counted = { speech: count('speech'), text: count('text') }
  result(call, { words: counted }, [`${counted.speech} words are said, ${counted.text} are on screen.`])
  return 0
}
