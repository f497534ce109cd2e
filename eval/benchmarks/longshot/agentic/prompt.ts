import { type Dict, isDict } from '../python-error.ts'
import { ownTools } from './tools.ts'

// The first of the two calls of an agentic turn: which tools would be called. Our words in the released form.
export function toolPrompt(question: string): string {
  return [
    'These tools can be used on the video. An input that ends in ? or [] may be left out; a timestamp is "minutes:seconds" or a range of two.',
    ownTools.map(({ name, inputs, description }) => `${name}(${inputs.join(', ')}): ${description}`).join('\n'),
    `Question: ${question}`,
    'Which calls does the question need, in their order, and no more than it needs? Reply with nothing but this:',
    '```json\n{"tool_calls": [{"tool": "name", "parameters": {"input": "value"}}], "reasoning": "why"}\n```',
  ].join('\n\n')
}

// The second call: what the expected calls return stands beside the question, whatever was called before.
export function resultsText(expected: readonly unknown[]): string {
  const lines = expected.filter(isDict).map((call: Dict) => {
    const parameters = JSON.stringify(call.parameters ?? {})
    return `${String(call.tool)}(${parameters}): ${String(call.expected_response ?? 'nothing')}`
  })
  return `What the tools returned:\n${lines.join('\n')}`
}
