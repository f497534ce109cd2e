import type { CallLog } from '../../core/runtime.ts'

// The call log of a part of a question, such as one of many videos or a helper: the same call of a tool is another one there. What
// models are asked holds the rows of that part, and is another request by itself.
export function callsInside(calls: CallLog, where: { video: string } | { helper: string }): CallLog {
  return {
    ...calls,
    tool(tool, asksOthers) {
      const logged = calls.tool(
        { ...tool, run: (input, context) => tool.run((input as { input: unknown }).input, context) },
        asksOthers,
      )
      return { ...tool, run: (input, context) => logged.run({ ...where, input }, context) }
    },
  }
}
