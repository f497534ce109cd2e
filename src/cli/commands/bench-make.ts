import { makeBenchmark } from '../../../eval/bench.ts'
import { UsageError } from '../../core/errors.ts'
import { formatTime } from '../../core/time.ts'
import { pathOption } from '../bench/paths.ts'
import type { Call } from '../call.ts'
import { result } from '../output.ts'
import { fileName } from '../sanitise.ts'
import type { CommandRun } from '../table/types.ts'

const make: CommandRun = async call => {
  const [benchmark] = call.arguments
  const folder = pathOption(call, '--out')
  if (folder === undefined) throw new UsageError('--out is missing.', { hint: 'Name the folder for the videos.' })
  const made = await makeBenchmark(benchmark, {
    folder,
    seed: wholeNumber(call, '--seed') ?? 1,
    minutes: minutesOf(call) ?? 5,
    videos: call.wholeNumber('--videos') ?? 3,
    onProgress: (done, total, name) =>
      call.terminal.draw([`rendering ${name}: ${formatTime(done)} of ${formatTime(total)}`]),
    signal: call.signal,
  })
  call.terminal.draw([])
  result(
    call,
    () => ({ ...made }),
    () => [
      ...made.videos.map(
        ({ name, seconds, questions }) => `${fileName(name)}: ${formatTime(seconds)}, ${questions} questions`,
      ),
      `Now: longtake bench run ${benchmark} --data ${fileName(folder)}`,
    ],
  )
  return 0
}
export default make

// A seed may also be 0.
function wholeNumber(call: Call, flag: string): number | undefined {
  const text = call.text(flag)
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text)
  throw new UsageError(`${flag} must be an integer from 0 to 999999999, not "${text}".`)
}

function minutesOf(call: Call): number | undefined {
  const text = call.text('--minutes')
  if (text === undefined) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new UsageError(`--minutes must be a number, not "${text}".`)
}
