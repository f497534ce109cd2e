import type { CallLog } from '../../../core/runtime.ts'

// The call log of a question that is asked in many videos: the same call of a tool is another one in another video. What models are
// asked holds the rows of the video, and is another request by itself.
export function callsInVideo(calls: CallLog, video: string): CallLog {
  return {
    ...calls,
    tool(tool, asksOthers) {
      const logged = calls.tool(
        { ...tool, run: (input, context) => tool.run((input as { input: unknown }).input, context) },
        asksOthers,
      )
      return { ...tool, run: (input, context) => logged.run({ video, input }, context) }
    },
  }
}
