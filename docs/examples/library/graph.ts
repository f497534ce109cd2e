import { Command, isInterrupted, MemorySaver } from '@langchain/langgraph'
import { graph } from 'longtake/graph'

// The agent over one video as a compiled graph of LangGraph: streamed, kept by a saver of LangGraph, and gone on with from a step.
const agent = await graph(process.argv[2] ?? 'talk.mp4', {
  profile: 'embedded',
  checkpointer: new MemorySaver(),
  inquires: true,
})
const thread = { configurable: { thread_id: 'paintings' } }
const question = { text: 'How many paintings does the museum have?' }
for await (const [mode, news] of await agent.stream({ question }, { ...thread, streamMode: ['custom', 'updates'] }))
  console.log(mode, mode === 'custom' ? news.type : Object.keys(news).join())
const { values } = await agent.getState(thread)
console.log(values.result?.text)

// Once more from its second round of calls, with a hint to the planner.
for await (const { next, config, values: then } of agent.getStateHistory(thread))
  if (next[0] === 'act' && then.round === 1) {
    const hinted = await agent.updateState(config, { hints: ['The number is said at the beginning.'] }, 'overview')
    const again = await agent.invoke(null, hinted)
    console.log(again.steps.length > then.steps.length, again.result?.text === values.result?.text)
  }

// What the question leans on is asked for.
const unclear = { configurable: { thread_id: 'unclear' } }
const asked = await agent.invoke({ question: { text: 'What is said right after that?' } }, unclear)
if (isInterrupted(asked)) console.log(asked.__interrupt__[0]?.value)
const told = await agent.invoke(new Command({ resume: 'the paintings' }), unclear)
console.log(told.question.text)
await agent.close()
