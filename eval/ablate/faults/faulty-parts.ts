import type { InvestigateParts } from '../../../src/app/ask/ask.ts'
import { BackendError } from '../../../src/core/errors.ts'
import type { Tool, ToolContext } from '../../../src/core/tool.ts'
import type { Fault } from '../matrix/fault.ts'
import { happens } from './draw.ts'
import { isDropped } from './stage-faults.ts'

const grid = 0.5 // seconds: within one of these a moment of the video is lost or kept as a whole

// The parts of a question with the row's tools: those that are off are gone, those that are down fail, and frames that are
// lost show the last one before them, as a picture that froze.
export function changedParts(
  parts: InvestigateParts,
  off: ReadonlySet<string>,
  faults: readonly Fault[],
  seed: number,
): InvestigateParts {
  const down = faults.filter(fault => fault.target === 'tool')
  const drop = faults.find(fault => fault.target === 'frames')
  return {
    ...parts,
    tools: parts.tools
      .filter(tool => !off.has(tool.name))
      .map(tool =>
        down.filter(fault => fault.tool === tool.name).reduce((one, fault) => failing(one, fault.amount, seed), tool),
      ),
    context: drop && drop.amount > 0 ? frozen(parts.context, drop.amount, seed) : parts.context,
  }
}

function failing(tool: Tool, amount: number, seed: number): Tool {
  return {
    ...tool,
    async run(input, context) {
      if (happens(amount, seed, 'tool', tool.name, input)) throw new BackendError(`${tool.name} is down.`)
      return tool.run(input, context)
    },
  }
}

function frozen(context: ToolContext, amount: number, seed: number): ToolContext {
  const shown = (time: number) => {
    let at = Math.floor(time / grid)
    while (at > 0 && isDropped(amount, seed, at * grid)) at--
    return at === Math.floor(time / grid) ? time : at * grid
  }
  return { ...context, frames: (times, ...rest) => context.frames(times.map(shown), ...rest) }
}
