import type { BaseCallbackHandler } from '@langchain/core/callbacks/base'

// Options of a graph's run that keep the tracing of LangChain off, whatever the variables of the process say: LANGSMITH_TRACING
// and its like would send the question and the transcript to another company. The variables stay as they are, since the process
// may be somebody else's, who traces runs of their own.
export async function untraced(): Promise<{ callbacks: BaseCallbackHandler[] }> {
  const { BaseCallbackHandler } = await import('@langchain/core/callbacks/base')
  // LangChain adds its tracer to a run unless a handler of this name is there already.
  class NoTracer extends BaseCallbackHandler {
    readonly name = 'langchain_tracer'
    // What it asks its tracer for, and finds in the context of all that the run calls.
    getRunTreeWithTracingConfig() {
      return { name: 'longtake', extra: {}, tracingEnabled: false }
    }
  }
  return { callbacks: [new NoTracer()] }
}
