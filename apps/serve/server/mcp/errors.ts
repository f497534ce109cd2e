import { Refused, toProblem } from '../../../../src/core/api/problem.ts'
import { fence } from '../../../../src/core/words/fence.ts'

// The next step in the words of this door: what is refused names routes of the API.
const steps: [route: RegExp, step: string][] = [
  [/^POST \/api\/videos\/\S+\/index/, 'Call "index" with this video, then "wait".'],
  [/^GET \/api\/(videos|folders)/, 'Call "list_videos": it names the videos, and the files that can be added.'],
  [/^GET \/api\/jobs/, 'Jobs are named in the replies of "ask" and "index".'],
  [/^GET \/api\/runs/, 'Runs are named in the replies of "ask" and "wait".'],
]

// An error as a tool reports it. Its message may hold a file name or the words of a server: they stand in a fence.
export function toolErrorText(error: unknown): string {
  const { message, hint, code, retryable } = toProblem(error).problem.error
  const ours = error instanceof Refused && hint !== undefined ? writeStep(hint) : undefined
  const words = ours === undefined && hint !== undefined ? `${message}\nhint: ${hint}` : message
  const again = retryable ? ' The same call may succeed later.' : ''
  return `Error (${code}).${again}\n${fence('error', words)}${ours === undefined ? '' : `\n${ours}`}`
}

function writeStep(hint: string): string {
  return steps.find(([route]) => route.test(hint))?.[1] ?? hint
}
